//! The grammar of names, by the refusals of the kernel reference (`names-and-lookup.md` section 2).

mod support;

use kcrypto_core::{Error, Name};
use rstest::rstest;

#[rstest]
#[case("aes", None)]
#[case("sha3-256", None)]
#[case("michael_mic", None)]
#[case("cbc(aes)", Some(("cbc", vec!["aes"])))]
#[case("cts(cbc(aes))", Some(("cts", vec!["cbc(aes)"])))]
#[case("rfc7539(chacha20,poly1305)", Some(("rfc7539", vec!["chacha20", "poly1305"])))]
#[case("essiv(authenc(hmac(sha256),cbc(aes)),sha256)", Some(("essiv", vec!["authenc(hmac(sha256),cbc(aes))", "sha256"])))]
#[case("cbc((aes))", Some(("cbc", vec!["(aes)"])))]
fn accepts(#[case] text: &str, #[case] expected: Option<(&str, Vec<&str>)>) {
    let expected = match expected {
        None => Name::Plain(text),
        Some((template, args)) => Name::Templated { template, args },
    };
    assert_eq!(Name::parse(text), Ok(expected));
}

#[rstest]
fn refuses(
    #[values(
        "",
        "(",
        ")",
        "()",
        ",",
        "(aes)",
        "cbc(",
        "cbc()",
        "cbc(aes",
        "cbc(aes))",
        "cbc(aes)x",
        "cbc(aes),",
        " cbc(aes)",
        "cbc( aes)",
        "cbc(aes )",
        "cbc(aes,)",
        "cbc(,aes)",
        "cbc(,)",
        "ctr((aes)",
        "cbc(aes)(x)",
        "cbc(a(b)c)",
        "../aes",
        "cbc:aes",
        "cbc(aes)/x",
        "aes\0",
        "a\u{e4}s",
        "cbc(\u{e4}s)",
        "cbc(aes\n)"
    )]
    text: &str,
) {
    assert!(matches!(Name::parse(text), Err(Error::BadName { .. })), "{text:?}");
    assert_eq!(support::winner(&support::registry(), text).unwrap_err().errno(), 2, "{text:?} is ENOENT");
}

#[test]
fn limits_of_length_and_arguments() {
    let args = |n: usize| format!("t({})", vec!["a"; n].join(","));
    assert!(Name::parse(&args(31)).is_ok());
    assert!(matches!(Name::parse(&args(32)), Err(Error::BadName { .. })));
    assert!(Name::parse(&"a".repeat(127)).is_ok());
    let long = "a".repeat(128);
    assert_eq!(Name::parse(&long), Err(Error::NameTooLong { len: 128 }));
    let error = support::winner(&support::registry(), &long).unwrap_err();
    assert_eq!((error.errno(), error.errno_name()), (36, "ENAMETOOLONG"));
}

#[test]
fn a_composed_name_may_grow_too_long() {
    let registry = kcrypto_core::Registry::with(
        [support::cipher("add", Box::leak("d".repeat(123).into_boxed_str()), 1)],
        [support::SUM],
    )
    .unwrap();
    assert_eq!(support::winner(&registry, "sum(add)"), Err(Error::NameTooLong { len: 128 }));
}

#[test]
fn a_template_that_feeds_on_itself_is_refused() {
    let hungry = kcrypto_core::Template {
        name: "hungry",
        create: |cx| {
            let name = format!("hungry({})", &cx.arg(0)?[..1]);
            let child = cx.skcipher(&name)?;
            cx.instance(kcrypto_core::Kind::Skcipher(child.limits))
        },
    };
    let registry = kcrypto_core::Registry::with([], [hungry]).unwrap();
    assert_eq!(support::winner(&registry, "hungry(abc)").unwrap_err().errno(), 22);
}
