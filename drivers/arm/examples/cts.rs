//! Encrypts and decrypts one message under `cts(cbc(aes))`, and prints which driver did it.
//!
//! `tests/instructions.sh` runs it in an emulator that records the instructions.

#[cfg(target_arch = "aarch64")]
fn main() -> kcrypto_core::Result<()> {
    use kcrypto_core::Registry;

    let registry = Registry::with(kcrypto_arm::ALGS.iter().cloned(), kcrypto_templates::ALL.iter().copied())?;
    let mut tfm = registry.skcipher("cts(cbc(aes))")?;
    println!("{}", tfm.alg().driver_name);
    // RFC 3962, appendix B.
    tfm.set_key(b"chicken teriyaki")?;
    let plain = *b"I would like the General Gau's Chicken, please, ";
    let mut text = plain;
    tfm.encrypt(&[0; 16], &mut text)?;
    assert!(text.starts_with(&[0x97, 0x68, 0x72, 0x68]) && text.ends_with(&[0xf5, 0xa8]));
    tfm.decrypt(&[0; 16], &mut text)?;
    assert_eq!(text, plain);
    Ok(())
}

#[cfg(not(target_arch = "aarch64"))]
fn main() {
    eprintln!("this example is for 64-bit Arm CPUs");
}
