//! The `fscrypt` example on the image that comes with it, on images that differ from it, and on input that is wrong.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::PathBuf;

use kcrypto::{Registry, registry};
use kcrypto_fscrypt::manifest::{Body, Manifest};
use kcrypto_fscrypt::policy::Mode;
use kcrypto_fscrypt::report::Summary;
use kcrypto_fscrypt::{open_image, run, shipped_image, shipped_manifest};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// Exit status, stdout, stderr.
fn fscrypt(args: &[OsString]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = [OsString::from("fscrypt")].into_iter().chain(args.iter().cloned());
    let status = run(registry(), args, &mut out, &mut err);
    (status, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

/// A copy of the shipped image and manifest to be changed, both as people would have them: raw and JSON.
struct Copy {
    dir: TempDir,
    image: Vec<u8>,
    manifest: Value,
}

impl Copy {
    fn new() -> Self {
        let mut image = Vec::new();
        let file = fs::File::open(shipped_image()).unwrap();
        flate2::read::GzDecoder::new(file).read_to_end(&mut image).unwrap();
        let manifest = serde_json::from_slice(&fs::read(shipped_manifest()).unwrap()).unwrap();
        Copy { dir: TempDir::new().unwrap(), image, manifest }
    }

    /// Writes both files and runs the example on them.
    fn run(&self) -> (u8, String, String) {
        let path = |name| self.dir.path().join(name);
        fs::write(path("fscrypt-4k.img"), &self.image).unwrap();
        fs::write(path("manifest.json"), serde_json::to_vec(&self.manifest).unwrap()).unwrap();
        self.run_as_written()
    }

    fn run_as_written(&self) -> (u8, String, String) {
        let [image, manifest] =
            ["fscrypt-4k.img", "manifest.json"].map(|name| self.dir.path().join(name).into());
        fscrypt(&["--image".into(), image, "--manifest".into(), manifest])
    }
}

/// What this registry should make of the shipped image: each directory has 9 files, a link and a directory.
fn expected(registry: &Registry) -> Summary {
    let manifest = Manifest::read(&shipped_manifest(), &shipped_image()).unwrap();
    let mut summary = Summary::default();
    for dir in &manifest.dirs {
        let [names, contents] =
            [dir.filenames_mode, dir.contents_mode].map(|number| Mode::of(number).unwrap().algorithm);
        summary.missing.extend([names, contents].into_iter().filter(|name| !registry.has(name)));
        let [has_names, has_contents] = [names, contents].map(|name| registry.has(name));
        summary.names += 11 * usize::from(has_names);
        summary.links += usize::from(has_names);
        summary.files += 9 * usize::from(has_contents);
        summary.unopened += if has_names { 9 * usize::from(!has_contents) } else { 11 };
    }
    summary
}

#[test]
fn the_shipped_image_opens() {
    let report = open_image(registry(), &shipped_image(), &shipped_manifest()).unwrap();
    let summary = report.summary();
    assert_eq!(summary, expected(registry()));
    assert!(summary.names >= 77 && summary.links >= 7 && summary.files >= 63, "{summary}");

    let manifest = Manifest::read(&shipped_manifest(), &shipped_image()).unwrap();
    let mut hashes = BTreeMap::new();
    for entry in manifest.dirs.iter().flat_map(|dir| &dir.entries) {
        if let Body::File { content_sha256, .. } = entry.body {
            hashes.insert(entry.ino, content_sha256);
        }
    }
    assert_eq!(hashes.len(), 99);
    for entry in report.directories.iter().flat_map(|dir| &dir.entries) {
        if let (Some(hash), Some(Ok(data))) =
            (hashes.get(&entry.ino), entry.body.as_ref().map(|part| part.plaintext()))
        {
            assert_eq!(Sha256::digest(data)[..], *hash, "inode {}", entry.ino);
        }
    }
}

#[test]
fn it_prints_text_and_json() {
    let (status, out, err) = fscrypt(&[]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.contains(" hello.txt\n") && out.contains(" link -> ../target/of/the/link-v2-lblk32\n"));
    assert!(out.ends_with(&format!("{}\n", expected(registry()))), "{out}");

    let (status, out, _) = fscrypt(&["--json".into()]);
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(status, 0);
    assert_eq!(document["summary"]["names"], expected(registry()).names);
    assert_eq!(document["directories"][0]["entries"][7]["name"]["text"], "hello.txt");
}

#[test]
fn an_empty_registry_is_asked_and_nothing_is_verified() {
    let report = open_image(&Registry::new(), &shipped_image(), &shipped_manifest()).unwrap();
    assert_eq!(report.summary(), expected(&Registry::new()));
    assert!(!report.summary().is_good());
}

#[test]
fn a_raw_image_does_as_well() {
    let copy = Copy::new();
    assert_eq!(hex::encode(Sha256::digest(&copy.image)), copy.manifest[0]["sha256"]);
    let (status, out, err) = copy.run();
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.ends_with(", 0 mismatches\n"));
}

#[test]
fn what_differs_is_counted() {
    let mut flipped = Copy::new();
    flipped.image[48 * 4096] ^= 1; // the contents of v2-xts-cts-pad32/nnnnnnnnnnnnnnn, 1 byte of which matters
    let mut renamed = Copy::new();
    renamed.manifest[0]["dirs"][0]["entries"][0]["name"] = json!("b");
    let mut padded = Copy::new();
    padded.manifest[0]["dirs"][0]["flags"] = json!(0); // the names are right, but are longer than need be
    let mut other_key = Copy::new();
    other_key.manifest[0]["master_key"] = json!("00".repeat(64));
    for (copy, mismatches) in [(flipped, "1"), (renamed, "1"), (padded, "10"), (other_key, "")] {
        let (status, out, err) = copy.run();
        let last = out.lines().last().unwrap();
        assert_eq!((status, err.as_str()), (1, ""), "{last}");
        assert!(last.contains(&format!(", {mismatches}")) && !last.ends_with(", 0 mismatches"), "{last}");
    }
}

/// One clear line that says what is wrong, and exit status 2.
#[track_caller]
fn refused((status, out, err): (u8, String, String), why: &str) {
    assert_eq!((status, out.as_str()), (2, ""), "{err}");
    assert!(err.starts_with("fscrypt: ") && err.lines().count() == 1 && err.contains(why), "{err}");
}

#[test]
fn a_wrong_manifest_is_refused() {
    let cases: [(&str, Value, &str); 18] = [
        ("/0/block_size", json!(1000), "block size 1000; expected 512 to 65536"),
        ("/0/master_key", json!("00"), "master key of 1 bytes; expected 16 to 64"),
        ("/0/master_key", json!("0g"), "Invalid character 'g'"),
        ("/0/master_key", json!(7), "expected a hex encoded string"),
        ("/0/fs_uuid", json!("1111"), "UUID \"1111\": Invalid string length"),
        ("/0/dirs/0/nonce", json!("aabb"), "Invalid string length"),
        (
            "/0/dirs/0/version",
            json!(3),
            "directory \"v2-xts-cts-pad32\": no policy version 3; expected 1 or 2",
        ),
        ("/0/dirs/0/contents_mode", json!(2), "no encryption mode 2"),
        ("/0/dirs/0/flags", json!(12), "at most one of DIRECT_KEY"),
        ("/0/dirs/0/flags", json!(4), "DIRECT_KEY needs one mode for both"),
        ("/0/dirs/9/flags", json!(8), "IV_INO_LBLK_64 and IV_INO_LBLK_32 need a policy of version 2"),
        ("/0/dirs/0/entries/0/type", json!("socket"), "unknown variant `socket`"),
        ("/0/dirs/0/entries/0/encrypted_name", json!("abc"), "Odd number of digits"),
        (
            "/0/dirs/0/entries/0/encrypted_name",
            json!("abcd"),
            "entry \"a\": encrypted name: message of 2 bytes",
        ),
        (
            "/0/dirs/0/entries/1/blocks",
            json!([512]),
            "no block 512 of 4096 bytes in an image of 2097152 bytes",
        ),
        ("/0/dirs/0/entries/1/blocks", json!([u64::MAX]), "no block 18446744073709551615"),
        ("/0/dirs/0/entries/1/blocks", json!([-1]), "invalid value: integer `-1`"),
        ("/0/dirs/0/entries/1/size", json!(8192), "1 blocks of 4096 bytes for 8192 bytes"),
    ];
    for (place, value, why) in cases {
        let mut copy = Copy::new();
        *copy.manifest.pointer_mut(place).unwrap() = value;
        refused(copy.run(), why);
    }
    let mut short_key = Copy::new();
    short_key.manifest[0]["dirs"] = json!([short_key.manifest[0]["dirs"][9]]);
    short_key.manifest[0]["master_key"] = json!("00".repeat(16));
    refused(short_key.run(), "master key of 16 bytes; cts(cbc(aes)) needs 32 with policy version 1");
}

#[test]
fn files_that_are_missing_or_cut_are_refused() {
    let mut cut = Copy::new();
    cut.image.truncate(48 * 4096 + 100);
    refused(cut.run(), "no block 48 of 4096 bytes in an image of 196708 bytes");

    let path = |name: &str| -> PathBuf { cut.dir.path().join(name) };
    let squeezed = fs::read(shipped_image()).unwrap();
    fs::write(path("fscrypt-4k.img"), &squeezed[..1000]).unwrap();
    refused(cut.run_as_written(), "cannot read the image");
    fs::remove_file(path("fscrypt-4k.img")).unwrap();
    refused(cut.run_as_written(), "cannot read the image: No such file");
    fs::create_dir(path("fscrypt-4k.img")).unwrap();
    refused(cut.run_as_written(), "cannot read the image: Is a directory");

    for text in ["", "[", "{}", "[]", "[{}]", "\u{0}"] {
        fs::write(path("manifest.json"), text).unwrap();
        refused(cut.run_as_written(), "manifest.json: ");
    }
    fs::remove_file(path("manifest.json")).unwrap();
    refused(cut.run_as_written(), "cannot read the manifest: No such file");
}

#[test]
fn several_images_are_told_apart_by_name() {
    let mut copy = Copy::new();
    let mut other = copy.manifest[0].clone();
    other["file"] = json!("elsewhere/other.img");
    copy.manifest = json!([other, copy.manifest[0]]);
    assert_eq!(copy.run().0, 0);
    copy.manifest = json!([other, other]);
    refused(copy.run(), "it does not describe \"fscrypt-4k.img\", only [\"elsewhere/other.img\"");
}

#[test]
fn usage() {
    let (status, out, err) = fscrypt(&["--help".into()]);
    assert!(status == 0 && out.contains("--manifest <FILE>") && err.is_empty());
    for args in [vec!["--image", "x"], vec!["--manifest", "x"], vec!["--what"], vec!["x"]] {
        let args: Vec<OsString> = args.into_iter().map(OsString::from).collect();
        let (status, out, err) = fscrypt(&args);
        assert!(status == 2 && out.is_empty() && err.starts_with("error: "), "{err}");
    }
}
