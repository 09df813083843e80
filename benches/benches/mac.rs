//! The MACs of AES beside their peers.

use kcrypto_benches::interleave::Flow;
use kcrypto_benches::{curves, mac, ours, restrict};

fn main() {
    restrict::to_aes_ni();
    let mut criterion = curves::criterion();
    let registry = ours::registry();
    for name in ["cmac", "xcbc", "cbcmac"] {
        let drivers = [format!("{name}-aes-aesni"), format!("{name}(aes-aesni)")];
        let mut contenders: Vec<_> = drivers.iter().map(|driver| mac::driver(&registry, driver)).collect();
        if name == "cmac" {
            contenders.extend(mac::peers());
        }
        curves::curve(&mut criterion, &format!("{name}(aes)-128"), Flow::Independent, &mut contenders);
    }
    criterion.final_summary();
}
