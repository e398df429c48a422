//! The closed lists of what describes: what a command does to things, what bounds or turns round a description.

/// What a command does to things, third person.
pub(super) const EFFECTS: &[&str] = &[
    "destroys",
    "deletes",
    "removes",
    "discards",
    "wipes",
    "erases",
    "overwrites",
    "drops",
    "rewrites",
    "skips",
    "bypasses",
    "resets",
    "kills",
    "loses",
    "breaks",
    "fails",
    "purges",
    "clears",
    "truncates",
    "formats",
    "undoes",
    "reverts",
    "disables",
    "terminates",
    "nukes",
    "reclaims",
];

/// The same after `will`, `would`, `can`, `could`, `may`, `might`.
pub(super) const EFFECTS_BASE: &[&str] = &[
    "destroy",
    "delete",
    "remove",
    "discard",
    "wipe",
    "erase",
    "overwrite",
    "drop",
    "rewrite",
    "skip",
    "bypass",
    "reset",
    "kill",
    "lose",
    "break",
    "fail",
    "purge",
    "clear",
    "truncate",
    "format",
    "undo",
    "revert",
    "disable",
    "terminate",
    "nuke",
    "reclaim",
];

/// What may stand between the command and what it does.
pub(super) const ADVERBS: &[&str] = &[
    "also",
    "permanently",
    "irreversibly",
    "silently",
    "immediately",
    "recursively",
    "always",
    "simply",
    "even",
    "irrevocably",
    "forcibly",
];

/// Words with which a description says the opposite.
pub(super) const NEGATIVES: &[&str] = &[
    "not", "never", "no", "nothing", "none", "neither", "nor", "cannot", "can't", "doesn't", "isn't",
    "won't", "longer", "hardly", "rarely", "nobody", "seldom", "aren't", "wasn't", "weren't", "don't",
    "didn't",
];

/// Words that bound where and when a description holds.
pub(super) const PLACES: &[&str] =
    &["on", "in", "before", "after", "during", "outside", "within", "inside", "instead"];

/// Participles after which such a word bounds nothing: "hidden in scripts".
pub(super) const FOUND: &[&str] =
    &["hidden", "wrapped", "found", "embedded", "nested", "used", "even", "contained", "buried", "smuggled"];

/// Words between a verb that stops and the command by which it is not the command that is stopped.
pub(super) const TURNS: &[&str] = &[
    "by",
    "with",
    "other",
    "than",
    "except",
    "excluding",
    "besides",
    "skip",
    "skips",
    "skipping",
    "without",
    "leaving",
    "omit",
    "omits",
    "omitting",
    "lack",
    "lacks",
    "lacking",
    "then",
    "via",
    "through",
    "but",
    "until",
    "till",
    "missing",
];

/// What something does with a command that it gives, third person.
pub(super) const DOES: &[&str] = &[
    "does",
    "runs",
    "executes",
    "accepts",
    "allows",
    "permits",
    "passes",
    "calls",
    "invokes",
    "performs",
    "starts",
    "launches",
    "triggers",
    "issues",
    "uses",
    "applies",
    "lets",
    "approves",
    "requires",
    "expects",
    "recommends",
    "suggests",
    "demands",
];
