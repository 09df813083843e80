//! The set of linked drivers is complete, however a program is built.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use kcrypto::{Defaults, Registry};
use kcrypto_checks::{Fixture, run};

/// One test, since all of it shares one program, and cargo would wait for itself anyway.
#[test]
fn no_driver_is_lost() {
    let linked = Fixture::new("linked", env!("CARGO_TARGET_TMPDIR"));
    let expected = default_set();

    println!("debug binary");
    run(&mut linked.cargo("build --quiet --bin fixture-list"));
    let binary = linked.product("debug/fixture-list");
    assert_eq!(listed(&binary, &[]), expected, "debug binary");

    println!("release binary, as this toolchain links by itself");
    run(&mut linked.cargo("build --quiet --release --bin fixture-list --lib"));
    let binary = linked.product("release/fixture-list");
    assert_eq!(listed(&binary, &[]), expected, "release binary");

    println!("shared library, loaded at run time");
    let load = linked.cc("load", &["load.c", "-ldl"]);
    let library = linked.product("release/libfixture_linked.so");
    let library = library.to_str().expect("the path is UTF-8");
    for function in ["list_linked", "list_defaults"] {
        assert_eq!(listed(&load, &[library, function]), expected, "{function} of a cdylib");
    }

    println!("static library, called from C");
    let archive = linked.product("release/libfixture_linked.a");
    let archive = archive.to_str().expect("the path is UTF-8");
    let libraries = ["-lpthread", "-ldl", "-lm", "-lgcc_s"];
    let call = linked
        .cc("call-defaults", &[&["-DFUNCTION=list_defaults", "call.c", archive][..], &libraries].concat());
    assert_eq!(listed(&call, &[]), expected, "with_defaults() of a staticlib");
    let whole =
        ["-DFUNCTION=list_linked", "call.c", "-Wl,--whole-archive", archive, "-Wl,--no-whole-archive"];
    let call = linked.cc("call-linked", &[&whole[..], &libraries].concat());
    assert_eq!(listed(&call, &[]), expected, "a staticlib linked as a whole archive");

    for (linker, flags, sign) in linkers() {
        println!("{linker}");
        run(linked.cargo("rustc --quiet --release --bin fixture-list --").args(flags));
        assert_eq!(listed(&binary, &[]), expected, "linked by {linker}");
        assert_eq!(contains(&binary, b" LLD "), sign, "{linker} did not link it");
    }

    println!("fat LTO");
    run(linked.cargo("build --quiet --release --bin fixture-list").env("CARGO_PROFILE_RELEASE_LTO", "fat"));
    assert_eq!(listed(&binary, &[]), expected, "fat LTO");
}

/// The linkers to be tried, the flags that choose them, and whether they leave LLD's signature.
fn linkers() -> Vec<(&'static str, Vec<String>, bool)> {
    let own = "-Clinker-features=-lld";
    let mut linkers = vec![("GNU ld", vec![own.into(), "-Clink-arg=-fuse-ld=bfd".into()], false)];
    let lld = vec![own.into(), "-Clink-arg=-fuse-ld=lld".into()];
    if Command::new("ld.lld").arg("--version").output().is_ok_and(|output| output.status.success()) {
        linkers.push(("the system's lld", lld, true));
    } else {
        assert!(std::env::var_os("CI").is_none(), "there is no ld.lld: install lld, CI must link with it");
        println!("NOT TESTED with the system's lld: there is no ld.lld, install lld");
    }
    linkers
}

/// What the explicit lists have, in the form that the fixture prints.
fn default_set() -> BTreeSet<String> {
    let registry = Registry::with_defaults();
    let drivers = registry.list().into_iter().map(|info| format!("driver {}", info.alg.driver_name));
    let set: BTreeSet<String> =
        drivers.chain(registry.templates().iter().map(|name| format!("template {name}"))).collect();
    for name in ["driver aes-generic", "template cbc", "template cts", "template xts"] {
        assert!(set.contains(name), "{name} is not in {set:?}");
    }
    if cfg!(any(target_arch = "x86", target_arch = "x86_64")) {
        assert!(set.contains("driver cts-cbc-aes-aesni"), "{set:?}");
    }
    if cfg!(target_arch = "aarch64") {
        assert!(set.contains("driver cts-cbc-aes-ce"), "{set:?}");
    }
    set
}

fn listed(program: &Path, arguments: &[&str]) -> BTreeSet<String> {
    run(Command::new(program).args(arguments)).lines().map(String::from).collect()
}

fn contains(file: &Path, bytes: &[u8]) -> bool {
    fs::read(file).expect("it was built").windows(bytes.len()).any(|window| window == bytes)
}
