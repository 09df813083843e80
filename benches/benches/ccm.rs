//! `ccm(aes)` beside its peers.

use kcrypto_benches::interleave::Flow;
use kcrypto_benches::{ccm, curves, ours, restrict};

fn main() {
    restrict::to_aes_ni();
    let mut criterion = curves::criterion();
    let registry = ours::registry();
    let names = ["ccm-aes-aesni", "ccm_base(ctr-aes-aesni,cbcmac-aes-aesni)"];
    let mut contenders: Vec<_> = names.iter().map(|name| ccm::driver(&registry, name)).collect();
    contenders.extend(ccm::peers());
    curves::curve(&mut criterion, "ccm(aes)-128-seal", Flow::Independent, &mut contenders);
    criterion.final_summary();
}
