//! RustCrypto, in its present release, which takes VAES where the CPU has it, and in the last one that knew
//! AES-NI alone.

use aes::cipher::array::Array;
use aes::cipher::consts::U16;
use aes::cipher::inout::InOutBuf;
use aes::cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, BlockSizeUser, InnerIvInit,
    KeyInit, StreamCipher,
};
use aes_ni_only::cipher as old;
use kcrypto::Dir;
use xts_mode::Xts128;

use crate::contender::{Case, Cipher, Contender, Mode};

/// The present release.
pub fn rustcrypto(case: Case) -> Option<Contender> {
    match case.bits {
        128 => Some(present::<aes::Aes128>(case)),
        192 => Some(present::<aes::Aes192>(case)),
        256 => Some(present::<aes::Aes256>(case)),
        _ => None,
    }
}

/// The release before, whose only vector code is AES-NI. It has no stealing.
pub fn rustcrypto_aes_ni(case: Case) -> Option<Contender> {
    match (case.mode, case.bits) {
        (Mode::Cts | Mode::Xts, _) => None,
        (_, 128) => Some(past::<aes_ni_only::Aes128>(case)),
        (_, 192) => Some(past::<aes_ni_only::Aes192>(case)),
        (_, 256) => Some(past::<aes_ni_only::Aes256>(case)),
        _ => None,
    }
}

/// The bounds that the modes ask for.
trait Aes: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16> + KeyInit + 'static {}
impl<C: BlockCipherEncrypt + BlockCipherDecrypt + BlockSizeUser<BlockSize = U16> + KeyInit + 'static> Aes
    for C
{
}

fn present<C: Aes>(case: Case) -> Contender {
    let key = case.key();
    let aes = |key: &[u8]| C::new_from_slice(key).expect("a good key");
    match case.mode {
        Mode::Xts => {
            let (data, tweak) = key.split_at(key.len() / 2);
            Contender::new("rustcrypto", Sector { xts: Xts128::new(aes(data), aes(tweak)), dir: case.dir })
        }
        mode => {
            // It steals from a message of exactly one block too, where CBC-CS3 is plain CBC.
            let shortest = if mode == Mode::Cts { 17 } else { 0 };
            let present = Present { aes: aes(&key), mode, dir: case.dir };
            Contender { shortest, ..Contender::wide("rustcrypto", present) }
        }
    }
}

struct Present<C> {
    aes: C,
    mode: Mode,
    dir: Dir,
}

impl<C: Aes> Present<C> {
    #[inline(always)]
    fn crypt(&self, iv: &[u8; 16], io: InOutBuf<'_, '_, u8>) {
        let iv = &Array(*iv);
        match (self.mode, self.dir) {
            (Mode::Ecb, Dir::Encrypt) => self.aes.encrypt_blocks_inout(io.into_chunks().0),
            (Mode::Ecb, Dir::Decrypt) => self.aes.decrypt_blocks_inout(io.into_chunks().0),
            (Mode::Cbc, Dir::Encrypt) => {
                cbc::Encryptor::inner_iv_init(&self.aes, iv).encrypt_blocks_inout(io.into_chunks().0);
            }
            (Mode::Cbc, Dir::Decrypt) => {
                cbc::Decryptor::inner_iv_init(&self.aes, iv).decrypt_blocks_inout(io.into_chunks().0);
            }
            (Mode::Ctr, _) => {
                let core = ctr::CtrCore::inner_iv_init(&self.aes, iv);
                ctr::Ctr128BE::from_core(core).apply_keystream_inout(io);
            }
            (Mode::Cts, Dir::Encrypt) => {
                let cts = cts::CbcCs3::inner_iv_init(&self.aes, iv);
                cts::Encrypt::encrypt_inout(cts, io).expect("at least a block");
            }
            (Mode::Cts, Dir::Decrypt) => {
                let cts = cts::CbcCs3::inner_iv_init(&self.aes, iv);
                cts::Decrypt::decrypt_inout(cts, io).expect("at least a block");
            }
            (Mode::Xts, _) => unreachable!("it has a type of its own"),
        }
    }
}

impl<C: Aes> Cipher for Present<C> {
    #[inline(always)]
    fn apart(&mut self, iv: &[u8; 16], src: &[u8], dst: &mut [u8]) {
        self.crypt(iv, InOutBuf::new(src, dst).expect("equal lengths"));
    }

    #[inline(always)]
    fn in_place(&mut self, iv: &[u8; 16], buf: &mut [u8]) {
        self.crypt(iv, buf.into());
    }
}

/// XTS, which only works in place, one block at a time.
struct Sector<C> {
    xts: Xts128<C>,
    dir: Dir,
}

impl<C: Aes> Cipher for Sector<C> {
    #[inline(always)]
    fn apart(&mut self, iv: &[u8; 16], src: &[u8], dst: &mut [u8]) {
        dst.copy_from_slice(src);
        self.in_place(iv, dst);
    }

    #[inline(always)]
    fn in_place(&mut self, iv: &[u8; 16], buf: &mut [u8]) {
        match self.dir {
            Dir::Encrypt => self.xts.encrypt_sector(buf, Array(*iv)),
            Dir::Decrypt => self.xts.decrypt_sector(buf, Array(*iv)),
        }
    }
}

/// [`Aes`] of the release before.
trait OldAes:
    old::BlockCipher
    + old::BlockEncrypt
    + old::BlockDecrypt
    + old::BlockSizeUser<BlockSize = old::consts::U16>
    + old::KeyInit
    + 'static
{
}
impl<C> OldAes for C where
    C: old::BlockCipher
        + old::BlockEncrypt
        + old::BlockDecrypt
        + old::BlockSizeUser<BlockSize = old::consts::U16>
        + old::KeyInit
        + 'static
{
}

fn past<C: OldAes>(case: Case) -> Contender {
    let aes = C::new_from_slice(&case.key()).expect("a good key");
    Contender::new("rustcrypto-aes-0.8", Past { aes, mode: case.mode, dir: case.dir })
}

struct Past<C> {
    aes: C,
    mode: Mode,
    dir: Dir,
}

impl<C: OldAes> Past<C> {
    #[inline(always)]
    fn crypt(&self, iv: &[u8; 16], io: old::inout::InOutBuf<'_, '_, u8>) {
        use old::{BlockDecryptMut, BlockEncryptMut, InnerIvInit, StreamCipher};
        let iv = iv.into();
        match (self.mode, self.dir) {
            (Mode::Ecb, Dir::Encrypt) => self.aes.encrypt_blocks_inout(io.into_chunks().0),
            (Mode::Ecb, Dir::Decrypt) => self.aes.decrypt_blocks_inout(io.into_chunks().0),
            (Mode::Cbc, Dir::Encrypt) => {
                let mut cbc = cbc_ni_only::Encryptor::inner_iv_init(&self.aes, iv);
                cbc.encrypt_blocks_inout_mut(io.into_chunks().0);
            }
            (Mode::Cbc, Dir::Decrypt) => {
                let mut cbc = cbc_ni_only::Decryptor::inner_iv_init(&self.aes, iv);
                cbc.decrypt_blocks_inout_mut(io.into_chunks().0);
            }
            (Mode::Ctr, _) => {
                let core = ctr_ni_only::CtrCore::inner_iv_init(&self.aes, iv);
                let mut ctr: ctr_ni_only::Ctr128BE<&C> = old::StreamCipherCoreWrapper::from_core(core);
                ctr.apply_keystream_inout(io);
            }
            (Mode::Cts | Mode::Xts, _) => unreachable!("not offered"),
        }
    }
}

impl<C: OldAes> Cipher for Past<C> {
    #[inline(always)]
    fn apart(&mut self, iv: &[u8; 16], src: &[u8], dst: &mut [u8]) {
        self.crypt(iv, old::inout::InOutBuf::new(src, dst).expect("equal lengths"));
    }

    #[inline(always)]
    fn in_place(&mut self, iv: &[u8; 16], buf: &mut [u8]) {
        self.crypt(iv, buf.into());
    }
}
