//! `cts(cbc(aes))` where each message's input is the output of the one before.

use kcrypto_benches::contender::{Case, Dir, Mode};
use kcrypto_benches::interleave::Flow;
use kcrypto_benches::{curves, floor, ours, peers, restrict};

fn main() {
    restrict::to_aes_ni();
    let mut criterion = curves::criterion();
    let registry = ours::registry();
    for dir in Dir::BOTH {
        let case = Case { mode: Mode::Cts, dir, bits: 128 };
        let mut contenders = vec![
            ours::driver(&registry, "cts-cbc-aes-aesni", case),
            ours::driver(&registry, "cts(cbc-aes-aesni)", case),
            floor::cts(dir),
        ];
        contenders.extend(peers::all(case));
        let algorithm = format!("latency-cts(cbc(aes))-128-{}", case.verb());
        curves::curve(&mut criterion, &algorithm, Flow::Dependent, &mut contenders);
    }
    criterion.final_summary();
}
