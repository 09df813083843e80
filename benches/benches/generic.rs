//! Portable AES. For RustCrypto's software AES beside it, build with `RUSTFLAGS='--cfg aes_backend="soft"'`;
//! without that, the peer that is shown takes the CPU's instructions.

use kcrypto_benches::contender::{Case, Dir, Mode};
use kcrypto_benches::interleave::Flow;
use kcrypto_benches::restrict::SOFT_PEER;
use kcrypto_benches::{curves, ours, peers};

fn main() {
    let mut criterion = curves::criterion();
    let registry = ours::registry();
    for (mode, name, dir) in [
        (Mode::Ctr, "ctr(aes-generic)", Dir::Encrypt),
        (Mode::Ecb, "ecb(aes-generic)", Dir::Decrypt),
        (Mode::Cbc, "cbc(aes-generic)", Dir::Encrypt),
        (Mode::Cbc, "cbc(aes-generic)", Dir::Decrypt),
        (Mode::Cts, "cts(cbc(aes-generic))", Dir::Encrypt),
        (Mode::Cts, "cts(cbc(aes-generic))", Dir::Decrypt),
    ] {
        for bits in [128, 256] {
            let case = Case { mode, dir, bits };
            let mut contenders = vec![ours::driver(&registry, name, case)];
            contenders.extend(peers::rustcrypto(case).map(|mut peer| {
                peer.name = if SOFT_PEER { "rustcrypto-soft" } else { "rustcrypto" }.into();
                peer
            }));
            let algorithm = format!("generic-{}-{bits}-{}", mode.name(), case.verb());
            curves::curve(&mut criterion, &algorithm, Flow::Independent, &mut contenders);
        }
    }
    criterion.final_summary();
}
