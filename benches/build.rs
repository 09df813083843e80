//! Declares the configuration that the software AES of a peer is chosen with.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(aes_backend, values(\"soft\"))");
    println!("cargo::rerun-if-changed=build.rs");
}
