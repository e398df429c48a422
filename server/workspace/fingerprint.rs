//! The names of findings that are about no text of a document.

use sha2::{Digest as _, Sha256};

/// A name, that outlives a renaming, for a finding that is about no text: made as the analysis makes those of its
/// findings, 128 bits of SHA-256 over the format's version and `parts`, the rule first.
pub(crate) fn fingerprint(parts: &[&[u8]]) -> u128 {
    let mut hasher = Sha256::new();
    for part in [&[1][..]].iter().chain(parts) {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().iter().take(16).fold(0, |bits, byte| bits << 8 | u128::from(*byte))
}
