//! Runs the examples of a user's own drivers and templates; each asserts what it prints.
#![expect(unreachable_pub, reason = "an example is a whole program")]

#[path = "../own_cipher.rs"]
mod own_cipher;
#[path = "../own_driver_linked.rs"]
mod own_driver_linked;
#[path = "../own_template.rs"]
mod own_template;

#[test]
fn own_cipher() -> kcrypto::Result<()> {
    own_cipher::main()
}

#[test]
fn own_driver_linked() -> kcrypto::Result<()> {
    own_driver_linked::main()
}

#[test]
fn own_template() -> kcrypto::Result<()> {
    own_template::main()
}
