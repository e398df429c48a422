//! What somebody may have meant by a word that is none of ours. It goes into edits and into what a person typed is answered
//! with, never into what is said of a document.

/// The candidate nearest to `word`, if one is near enough to have been meant.
#[must_use]
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 64 {
        return None;
    }
    let word = word.to_lowercase().replace('_', "-");
    candidates
        .map(|candidate| (distance(&word, &candidate.replace('_', "-")), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.len() / 3).max(1))
        .min()
        .map(|(_, candidate)| candidate)
}

/// How many slips lie between two words: a letter more, less or wrong, or two that changed places.
#[must_use]
pub fn distance(a: &str, b: &str) -> usize {
    strsim::damerau_levenshtein(a, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggestions_are_near_and_always_ours() {
        let keys = || ["labels", "roles", "limits"].into_iter();
        assert_eq!(nearest("Lables", keys()), Some("labels"));
        assert_eq!(nearest("limit", keys()), Some("limits"));
        assert_eq!(nearest("zebra", keys()), None);
        assert_eq!(nearest(&"l".repeat(100_000), keys()), None);
    }
}
