//! Portable code gives the same bytes on every machine: nothing in it may depend on the order that the CPU has its
//! numbers in.

use std::fs;

use kcrypto_checks::{code, files, root};

/// Where that holds, tests of the crates' own included.
const PORTABLE: &[&str] = &["crates/core", "templates", "drivers/generic"];

/// What makes numbers of bytes as the machine likes: conversions in its own order, and other types for the same
/// memory.
const SIGNS: &[&str] = &[
    "from_ne_bytes",
    "to_ne_bytes",
    "NativeEndian",
    "target_endian",
    "transmute",
    "as *const",
    "as *mut",
    ".cast()",
    ".cast::<",
    ".align_to::<",
    ".align_to()",
];

/// Lines with a sign in them, numbered from 1.
fn found(text: &str) -> Vec<(usize, &'static str)> {
    let text = code(text);
    let signs = |line: &str| SIGNS.iter().copied().filter(|sign| line.contains(sign)).collect::<Vec<_>>();
    let lines = text.lines().zip(1..);
    lines.flat_map(|(line, number)| signs(line).into_iter().map(move |sign| (number, sign))).collect()
}

#[test]
fn portable_code_does_not_see_the_byte_order() {
    let mut all = Vec::new();
    for folder in PORTABLE {
        let folder = root().join(folder);
        for path in ["src", "tests"].map(|part| folder.join(part)).iter().filter(|path| path.exists()) {
            for path in files(path) {
                let text = fs::read_to_string(&path).expect("it was listed");
                let path = path.strip_prefix(root()).expect("it is below the root").display().to_string();
                all.extend(found(&text).into_iter().map(|(line, sign)| format!("{path}:{line}: {sign}")));
            }
        }
    }
    assert!(all.is_empty(), "{all:#?}");
}

#[test]
fn what_it_looks_for_is_found_by_line() {
    let text = "let a = 1; // transmute\n\
                let b = u32::from_ne_bytes(bytes);\n\
                let c = \"to_ne_bytes\";\n\
                let d = place as *const u8; let e = word.to_ne_bytes();\n\
                let f = pointer.cast::<u64>();\n\
                let g = u32::from_le_bytes(bytes);\n\
                let h: [u32; 4] = core::mem::transmute(bytes);";
    let expected =
        [(2, "from_ne_bytes"), (4, "to_ne_bytes"), (4, "as *const"), (5, ".cast::<"), (7, "transmute")];
    assert_eq!(found(text), expected);
}
