//! Names, what the MACs can be built over, and which child `cmac` takes.

use kcrypto_core::{Alg, KindTag, Want};
use rstest::rstest;

use crate::toy::Toy;
use crate::{registry, toy_cbc};

#[rstest]
#[case("cmac(aes)", "cmac(aes)", "cmac(aes-generic)", 16)]
#[case("cmac(aes-generic)", "cmac(aes)", "cmac(aes-generic)", 16)]
#[case("cmac(cbc(aes))", "cmac(aes)", "cmac(cbc(aes-generic))", 16)]
#[case("cmac(cbc(aes-generic))", "cmac(aes)", "cmac(cbc(aes-generic))", 16)]
#[case("cmac(toy8)", "cmac(toy8)", "cmac(toy8-generic)", 8)]
#[case("xcbc(aes)", "xcbc(aes)", "xcbc(aes-generic)", 16)]
#[case("cbcmac(aes)", "cbcmac(aes)", "cbcmac(aes-generic)", 16)]
#[case("cbcmac(toy8)", "cbcmac(toy8)", "cbcmac(toy8-generic)", 8)]
fn names_come_from_the_children(
    #[case] request: &str,
    #[case] name: &str,
    #[case] driver: &str,
    #[case] size: usize,
) {
    let registry = registry([Toy::<8>::alg("toy8", "toy8-generic").with_priority(100)]);
    let tfm = registry.shash(request).unwrap();
    assert_eq!((tfm.alg().name.as_ref(), tfm.alg().driver_name.as_ref()), (name, driver));
    assert_eq!((tfm.digest_size(), tfm.block_size(), tfm.alg().priority), (size, size, 100));
}

#[rstest]
#[case("cmac", "ENOENT")]
#[case("cmac(nosuch)", "ENOENT")]
#[case("cmac(cbc(nosuch))", "ENOENT")]
#[case("cmac(toy4)", "EINVAL")]
#[case("cmac(cbc(toy4))", "EINVAL")]
#[case("cmac(ecb(aes))", "EINVAL")]
#[case("cmac(ctr(aes))", "EINVAL")]
#[case("cmac(cts(cbc(aes)))", "EINVAL")]
#[case("cmac(cmac(aes))", "EINVAL")]
#[case("xcbc(toy8)", "EINVAL")]
#[case("xcbc(toy4)", "EINVAL")]
#[case("xcbc(cbc(aes))", "EINVAL")]
#[case("cbcmac(cbc(aes))", "EINVAL")]
#[case("hmac(cmac(aes))", "EINVAL")]
#[case("hmac(digest_null)", "EINVAL")]
#[case("cmac(cipher_null)", "EINVAL")]
fn refused_children(#[case] name: &str, #[case] errno: &str) {
    let registry = registry([Toy::<8>::alg("toy8", "toy8-generic"), Toy::<4>::alg("toy4", "toy4-generic")]);
    let error = registry.shash(name).unwrap_err();
    assert_eq!(error.errno_name(), errno, "{error}");
    registry.shash("cmac(aes)").unwrap();
}

#[test]
fn macs_are_not_asked_for_as_something_else() {
    for name in ["cmac(aes)", "xcbc(aes)", "cbcmac(aes)"] {
        let error = registry([]).skcipher_with(name, Want::new(KindTag::Skcipher)).unwrap_err();
        assert_eq!(error.errno_name(), "EINVAL", "{error}");
    }
}

/// `cmac(toy)` by these drivers of the cipher and of its CBC.
fn chosen(request: &str, algs: impl IntoIterator<Item = Alg>) -> String {
    registry(algs).shash(request).unwrap().alg().driver_name.as_ref().into()
}

#[test]
fn the_child_is_a_cipher_with_chains_then_a_fast_cbc_then_a_bare_cipher() {
    let plain = || Toy::<16>::alg("toy", "toy-plain").with_priority(300);
    let chains = || Toy::<16>::alg("toy", "toy-chains").with_priority(310).with_mac_chain();
    let cbc = |priority| toy_cbc::<16>("cbc(toy)", "cbc-toy-fast").with_priority(priority);
    assert_eq!(chosen("cmac(toy)", [plain()]), "cmac(toy-plain)");
    assert_eq!(chosen("cmac(toy)", [plain(), cbc(400)]), "cmac(cbc-toy-fast)");
    assert_eq!(chosen("cmac(toy)", [plain(), cbc(200)]), "cmac(toy-plain)");
    assert_eq!(chosen("cmac(toy)", [plain(), chains(), cbc(400)]), "cmac(toy-chains)");
    // A driver name always takes that driver, and the CBC can be asked for.
    assert_eq!(chosen("cmac(toy-plain)", [plain(), cbc(400)]), "cmac(toy-plain)");
    assert_eq!(chosen("cmac(toy-plain)", [plain(), chains(), cbc(400)]), "cmac(toy-plain)");
    assert_eq!(chosen("cmac(cbc-toy-fast)", [chains(), cbc(400)]), "cmac(cbc-toy-fast)");
    assert_eq!(chosen("cmac(cbc(toy))", [chains(), cbc(400)]), "cmac(cbc-toy-fast)");
    // What was looked at and not taken is no child.
    let registry = registry([plain(), cbc(400)]);
    let tfm = registry.shash("cmac(toy)").unwrap();
    let children: Vec<&str> = tfm.alg().children().iter().map(|child| child.driver_name.as_ref()).collect();
    assert_eq!(children, ["cbc-toy-fast"]);
}
