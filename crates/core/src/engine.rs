//! What a mode needs from a block cipher when both are compiled together.

/// A keyed block cipher whose blocks stay in registers.
///
/// Modes written over an engine ([`chain`](crate::chain), and the templates) are compiled twice: over
/// [`Blocks`](crate::chain::Blocks), for any cipher at run time, and inside one `#[target_feature]`
/// function of a fused driver. Every method of such an engine is `#[inline(always)]`.
pub trait Engine: Copy {
    /// One block.
    type Block: Copy;
    /// Several blocks that are processed side by side.
    type Group;

    /// Block size in bytes.
    fn block_size(self) -> usize;
    /// Blocks in a full group.
    fn group_blocks(self) -> usize;
    /// Whether a group may hold fewer blocks than a full one. If not, modes process the rest one by one.
    const PARTIAL_GROUPS: bool;

    /// Loads one block of `block_size` bytes.
    fn load(self, src: &[u8]) -> Self::Block;
    /// Stores one block.
    fn store(self, block: Self::Block, dst: &mut [u8]);
    /// XOR of two blocks.
    fn xor(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Encrypts one block.
    fn encrypt(self, block: Self::Block) -> Self::Block;
    /// Decrypts one block.
    fn decrypt(self, block: Self::Block) -> Self::Block;

    /// Loads as many blocks as `src` holds: a full group, or fewer where that is allowed.
    fn load_group(self, src: &[u8]) -> Self::Group;
    /// Stores a group of as many blocks as `dst` holds.
    fn store_group(self, group: Self::Group, dst: &mut [u8]);
    /// Encrypts each block.
    fn encrypt_group(self, group: Self::Group) -> Self::Group;
    /// Decrypts each block.
    fn decrypt_group(self, group: Self::Group) -> Self::Group;
    /// XORs the first block with `first`, and each later one with the block before it in `src`.
    fn xor_previous(self, group: Self::Group, first: Self::Block, src: &[u8]) -> Self::Group;
    /// XORs each block with the one at its place in `src`.
    fn xor_source(self, group: Self::Group, src: &[u8]) -> Self::Group;
    /// The blocks `counter`, `counter + 1`, ... as big-endian numbers, `blocks` of them.
    fn counters(self, counter: u128, blocks: usize) -> Self::Group;

    /// Starts a chain: the whitened first block. `link` continues it.
    fn cbc_link(self, chain: Self::Block, plain: Self::Block) -> Self::Block {
        self.encrypt(self.xor(chain, plain))
    }
}
