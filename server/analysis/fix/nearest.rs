//! What somebody may have meant by a word that is none of ours. It goes into edits only, never into a message.

/// The candidate nearest to `word`, if one is near enough to have been meant.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 64 {
        return None;
    }
    let word = word.to_lowercase().replace('_', "-");
    candidates
        .map(|candidate| (strsim::damerau_levenshtein(&word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.len() / 3).max(1))
        .min()
        .map(|(_, candidate)| candidate)
}
