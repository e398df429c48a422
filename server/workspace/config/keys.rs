//! The keys that `caveat.toml` may have, and what each takes: where suggestions and type errors get their words.

/// A key of `caveat.toml`.
#[derive(Debug)]
pub(super) struct Key {
    /// Its path from the root, dotted.
    pub(super) path: &'static str,
    /// What it takes, to follow "takes".
    pub(super) takes: &'static str,
}

const fn key(path: &'static str, takes: &'static str) -> Key {
    Key { path, takes }
}

/// Every key, tables included. A test holds it equal to the structs.
pub(super) const KEYS: &[Key] = &[
    key("labels", "a list of strings, each one whole line"),
    key("roles", "a table of lists of globs"),
    key("roles.instructions", "a list of globs"),
    key("roles.runbook", "a list of globs"),
    key("roles.reference", "a list of globs"),
    key("stance", "\"on\" or \"off\""),
    key("rules", "for each rule \"error\", \"warning\", \"info\", or { severity = \"off\", reason = \"…\" }"),
    key("suppressions", "a list of tables with rule, reason and expires"),
    key("include", "a list of globs"),
    key("exclude", "a list of globs"),
    key("limits", "a table"),
    key("limits.max-file-bytes", "a whole number of bytes from 1 to 2097152"),
];

/// The key at `path`, if there is one.
pub(super) fn find(path: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.path == path)
}

/// The last parts of the keys that may stand in the table at `parent` ("" is the root).
pub(super) fn children(parent: &str) -> impl Iterator<Item = &'static str> {
    KEYS.iter().filter_map(move |key| {
        let (table, last) = key.path.rsplit_once('.').unwrap_or(("", key.path));
        (table == parent).then_some(last)
    })
}

/// The candidate nearest to `word`, if one is near enough to have been meant. `word` may be anything; what is returned
/// is always one of the candidates.
#[must_use]
pub fn suggest(word: &str, candidates: impl Iterator<Item = &'static str>) -> Option<&'static str> {
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
