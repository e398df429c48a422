//! The words of those who forbid, and do so in other forms than those that hold.

/// Verbs of those who mean "run" and write something else.
pub(super) const TRY: [&str; 24] = [
    "try",
    "trying",
    "attempt",
    "attempting",
    "do",
    "doing",
    "perform",
    "performing",
    "launch",
    "launching",
    "start",
    "starting",
    "apply",
    "applying",
    "enter",
    "entering",
    "paste",
    "pasting",
    "trigger",
    "triggering",
    "suggest",
    "recommend",
    "propose",
    "generate",
];

/// What is lost by a command, as a verb or as what is done.
pub(super) const DESTROYS: [&str; 20] = [
    "delete",
    "remove",
    "wipe",
    "drop",
    "destroy",
    "reset",
    "hard",
    "push",
    "force",
    "rewrite",
    "discard",
    "publish",
    "overwrite",
    "erase",
    "truncate",
    "clean",
    "purge",
    "kill",
    "prune",
    "format",
];

/// Words that may stand between head and command and change nothing of what is meant.
pub(super) const FILLERS: [&str; 34] = [
    "ever",
    "even",
    "just",
    "simply",
    "manually",
    "blindly",
    "directly",
    "accidentally",
    "automatically",
    "casually",
    "again",
    "to",
    "the",
    "a",
    "an",
    "any",
    "of",
    "command",
    "commands",
    "form",
    "forms",
    "variant",
    "variants",
    "things",
    "anything",
    "something",
    "like",
    "such",
    "as",
    "these",
    "this",
    "following",
    "e.g",
    "destructive",
];

/// Words among those of which something is lost with them.
pub(super) const NARROWER: [&str; 16] = [
    "like",
    "such",
    "any",
    "form",
    "forms",
    "just",
    "simply",
    "manually",
    "blindly",
    "directly",
    "accidentally",
    "automatically",
    "casually",
    "suggest",
    "recommend",
    "propose",
];

/// Verbs with which "never" and "do not" ask for what follows.
pub(in crate::facts) const HEDGES: [&str; 11] = [
    "forget",
    "skip",
    "hesitate",
    "omit",
    "neglect",
    "fail",
    "worry",
    "forgetting",
    "skipping",
    "omitting",
    "miss",
];

/// What is done to a command, as a participle.
pub(super) const DONE: [&str; 11] = [
    "run",
    "executed",
    "used",
    "called",
    "typed",
    "invoked",
    "issued",
    "followed",
    "performed",
    "tried",
    "applied",
];

/// What becomes of a command that is forbidden.
pub(super) const STOPPED: [&str; 5] = ["forbidden", "prohibited", "banned", "disallowed", "verboten"];

pub(super) const MODALS: [&str; 8] = ["should", "shall", "may", "can", "will", "would", "could", "must"];
