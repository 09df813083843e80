//! `ctr(aes)` beside its peers.

use kcrypto_benches::contender::Mode;
use kcrypto_benches::{curves, restrict};

fn main() {
    restrict::to_aes_ni();
    let mut criterion = curves::criterion();
    curves::family(&mut criterion, Mode::Ctr);
    criterion.final_summary();
}
