//! The drivers of this crate in the tests that all families share, and which of them answers a name.
#![cfg(target_arch = "aarch64")]

mod selection;

use kcrypto_driver_tests::{Drivers, tests};
use kcrypto_simd::aarch64::{AesCe, Neon, ShaCe};

fn aes() -> Drivers {
    Drivers::new(kcrypto_arm::ALGS).with(&["ce"], AesCe::require()).with(&["neon"], Neon::require())
}

fn gcm() -> Drivers {
    Drivers::new(kcrypto_arm::ALGS).with(&["ce"], AesCe::require())
}

fn ghash() -> Drivers {
    Drivers::new(kcrypto_arm::ALGS).with(&["ghash-ce"], AesCe::require())
}

fn chacha() -> Drivers {
    let names = ["chacha20-neon", "xchacha20-neon", "xchacha12-neon"];
    Drivers::new(kcrypto_arm::ALGS).with(&names, Neon::require())
}

/// Poly1305 beside ChaCha20, and Speck.
fn neon() -> Drivers {
    Drivers::new(kcrypto_arm::ALGS).with(&["neon"], Neon::require())
}

fn sha() -> Drivers {
    Drivers::new(kcrypto_arm::ALGS).with(&["sha1-ce", "sha224-ce", "sha256-ce"], ShaCe::require())
}

tests! {
    crate::aes =>
    modes: every_length_in_place_and_apart, every_legal_cut, counters_carry;
    published: ecb, cbc, ctr, rfc3686, cts, xts;
    authenticated:
        every_cut_with_the_state_handed_from_driver_to_driver,
        associated_data_and_text_in_pieces,
        published_answers;
    batches: of_ciphertexts, of_digests, of_sealed_texts;
}

tests! {
    crate::gcm =>
    gcm:
        every_length_of_text,
        associated_data_and_text_in_pieces,
        every_size_of_tag,
        every_cut_of_a_text,
        counters_wrap,
        published_messages;
}

tests! {
    crate::ghash =>
    ghash:
        hash_states_go_from_driver_to_driver,
        the_portable_driver_agrees_at_every_split,
        hashes_under_special_keys,
        published;
}

tests! {
    crate::chacha =>
    streams:
        the_portable_driver_agrees_on_every_length,
        the_counter_wraps_around_and_takes_nothing_with_it,
        states_move_between_drivers,
        published;
}

tests! {
    crate::neon =>
    authenticators:
        the_portable_driver_agrees_at_every_split,
        the_largest_numbers,
        chacha20_poly1305_over_every_choice_of_children,
        published;
    speck:
        every_length_in_place_and_apart,
        every_legal_cut,
        bad_lengths_are_refused,
        they_are_chosen_for_the_name_and_tested,
        published;
}

tests! {
    crate::sha =>
    hashes: the_portable_driver_agrees_at_every_split, hmac_over_them, published;
}
