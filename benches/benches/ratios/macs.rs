//! The sections `mac` and `ccm`: serial chains, beside nothing but their rounds and beside everyone else's.

use kcrypto_benches::interleave::{Flow, contest, driven, measure, timed};
use kcrypto_benches::message::Message;
use kcrypto_benches::{ccm, contender, floor, mac};

use crate::{Goal, Ratios};

impl Ratios {
    /// The MACs.
    pub(crate) fn mac(&self) {
        for name in ["cmac", "cbcmac", "xcbc"] {
            let [fused, composed] = [format!("{name}-aes-aesni"), format!("{name}(aes-aesni)")];
            for len in [16, 64, 256, 1024, 4096] {
                self.mac_beside_its_chain(&fused, len);
                let mut both = [&composed, &fused].map(|driver| mac::driver(&self.registry, driver));
                contender::agree(&mut both, len);
                let times = contest(self.plan, Flow::Dependent, len, &mut both);
                let goal = if (name, len) == ("cmac", 1024) { Goal::Ratio(1.1) } else { Goal::None };
                self.line(&format!("{composed}, latency"), len, &times[0], &fused, &times[1], goal);
            }
        }
        for len in [16, 32, 64, 128, 256, 1024, 1424, 4096] {
            self.beside_peers(mac::driver(&self.registry, "cmac-aes-aesni"), mac::peers(), len, |_| {
                Goal::Ratio(1.0)
            });
        }
    }

    fn mac_beside_its_chain(&self, fused: &str, len: usize) {
        let goal = match len {
            4096 => Goal::Ratio(1.03),
            64 => Goal::Ratio(1.15),
            _ => Goal::None,
        };
        let mut ours = mac::driver(&self.registry, fused);
        let mut message = Message::new(len);
        let blocks = len as u64 / 16;
        let runs =
            &mut [driven(Flow::Dependent, &mut ours, &mut message), timed(|n| floor::chain(n * blocks))];
        let times = measure(self.plan, runs);
        self.line(&format!("{fused}, latency"), len, &times[0], "AESENC chain", &times[1], goal);
    }

    /// Sealing, beside the MAC of the text alone and beside the peers.
    pub(crate) fn ccm(&self) {
        const FUSED: &str = "ccm-aes-aesni";
        for len in [16, 64, 256, 1024, 1424, 4096] {
            let counts = matches!(len, 1024 | 1424);
            let goal = if counts { Goal::Ratio(1.12) } else { Goal::None };
            let mut ours = ccm::driver(&self.registry, FUSED);
            let mut alone = mac::driver(&self.registry, "cbcmac-aes-aesni");
            let (mut text, mut message) = (Message::new(len), Message::new(len));
            let runs = &mut [
                driven(Flow::Dependent, &mut ours, &mut text),
                driven(Flow::Dependent, &mut alone, &mut message),
            ];
            let times = measure(self.plan, runs);
            self.line(&format!("{FUSED} seal, latency"), len, &times[0], "CBC-MAC alone", &times[1], goal);

            self.beside_peers(ccm::driver(&self.registry, FUSED), ccm::peers(), len, |peer| match peer {
                "rustcrypto" if counts => Goal::Ratio(0.5),
                "openssl" if counts => Goal::Ratio(1.0),
                _ => Goal::None,
            });
        }
    }

    /// Independent messages.
    fn beside_peers(
        &self,
        ours: contender::Contender,
        peers: Vec<contender::Contender>,
        len: usize,
        goal: impl Fn(&str) -> Goal,
    ) {
        let what = ours.name.clone();
        let mut contenders = vec![ours];
        contenders.extend(peers);
        let times = self.contest(Flow::Independent, len, &mut contenders);
        for (peer, its) in contenders.iter().zip(&times).skip(1) {
            let wide = if peer.aes_ni_only { "" } else { " (VAES)" };
            self.line(&what, len, &times[0], &format!("{}{wide}", peer.name), its, goal(&peer.name));
        }
    }
}
