//! The lower floors do without std.

use std::path::Path;
use std::process::Command;

use kcrypto_checks::{Fixture, run};

/// A program with a panic handler of its own would not link if one of its crates brought std.
#[test]
fn a_program_without_std_encrypts() {
    let nostd = Fixture::new("nostd", env!("CARGO_TARGET_TMPDIR"));
    run(&mut nostd.cargo("build --quiet --features program"));
    run(&mut Command::new(nostd.product("debug/fixture-nostd")));

    // And for a target that has no std at all, where its core is installed.
    let sysroot = run(Command::new("rustc").args(["--print", "sysroot"]));
    let target = "x86_64-unknown-none";
    if Path::new(sysroot.trim()).join("lib/rustlib").join(target).is_dir() {
        run(&mut nostd.cargo(&format!("check --quiet --lib --target {target}")));
    } else {
        println!("NOT TESTED for {target}: rustup target add {target}");
    }
}
