//! `count DRIVER KEY-BYTES BYTES MESSAGES`: encrypts messages, for an emulator that counts instructions.
//!
//! `tests/counts.sh` runs it with different numbers of messages, so that all else is in both counts.

#[cfg(target_arch = "aarch64")]
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, driver, numbers @ ..] = &args[..] else { panic!("which driver?") };
    let numbers: Vec<usize> = numbers.iter().map(|number| number.parse().expect("a number")).collect();
    let [key, bytes, messages] = numbers[..] else { panic!("three numbers") };

    let registry = kcrypto_driver_tests::Drivers::new(kcrypto_arm::ALGS).registry;
    let mut tfm = registry.skcipher(driver).expect(driver);
    let key: Vec<u8> = (1..).take(key).collect();
    tfm.set_key(&key).expect("one of its lengths");
    let (iv, mut message) = (vec![0; tfm.iv_size()], vec![0; bytes]);
    for _ in 0..messages {
        tfm.encrypt(&iv, &mut message).expect("a legal length");
    }
}

#[cfg(not(target_arch = "aarch64"))]
fn main() {
    eprintln!("this example is for 64-bit Arm CPUs");
}
