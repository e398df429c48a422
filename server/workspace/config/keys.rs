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

const GLOBS: &str = "a list of globs";
const STRINGS: &str = "a list of strings";
const FLAG: &str = "true or false";
const TEXT: &str = "a string";
const NUMBER: &str = "a whole number";
const TESTS: &str = "a list of tests: kinds such as @root, or forms with `*`";
const EXAMPLES: &str = "a list of examples: strings, or tables with text, in and severity";
const LOOK: &str = "\"yes\", \"info\" or \"no\"";
const GRAVE: &str = "\"error\" or \"warning\"";

/// Every key, tables included. A test holds it equal to the structs.
pub(super) const KEYS: &[Key] = &[
    key("labels", "a list of strings, each one whole line"),
    key("roles", "a table of lists of globs"),
    key("roles.instructions", GLOBS),
    key("roles.runbook", GLOBS),
    key("roles.reference", GLOBS),
    key("stance", "\"on\" or \"off\""),
    key("rules", "for each rule \"error\", \"warning\", \"info\", or { severity = \"off\", reason = \"…\" }"),
    key("suppressions", "a list of tables with rule, reason and expires"),
    key("suppressions.rule", "a rule's id"),
    key("suppressions.reason", TEXT),
    key("suppressions.expires", "a day written YYYY-MM-DD"),
    key("suppressions.paths", GLOBS),
    key("suppressions.pointer", "a JSON Pointer"),
    key("suppressions.fingerprint", "32 digits of 0-9 and a-f"),
    key("include", GLOBS),
    key("exclude", GLOBS),
    key("untrusted", GLOBS),
    key("limits", "a table"),
    key("limits.max-file-bytes", "a whole number of bytes from 1 to 2097152"),
    key("commands", "a list of tables with id, programs, hits and honest"),
    key("commands.id", TEXT),
    key("commands.about", TEXT),
    key("commands.programs", STRINGS),
    key("commands.literals", STRINGS),
    key("commands.near", STRINGS),
    key("commands.dialects", "a list of \"posix\", \"powershell\", \"cmd\" and \"sql\""),
    key("commands.wrapped_by", STRINGS),
    key("commands.inside", STRINGS),
    key("commands.words", STRINGS),
    key("commands.yields", FLAG),
    key("commands.outer", FLAG),
    key("commands.style", "\"gnu\", \"go\", \"powershell\", \"slash\" or \"words\""),
    key("commands.abbreviated", FLAG),
    key("commands.sub", STRINGS),
    key("commands.gaps", FLAG),
    key("commands.values", STRINGS),
    key("commands.flags", "a list of lists of strings"),
    key("commands.asks", FLAG),
    key("commands.without", STRINGS),
    key("commands.defused_by", STRINGS),
    key("commands.last_wins", "a list of tables with defuses and arms"),
    key("commands.last_wins.defuses", STRINGS),
    key("commands.last_wins.arms", STRINGS),
    key("commands.operands", "a table of tests"),
    key("commands.operands.first", TESTS),
    key("commands.operands.last", TESTS),
    key("commands.operands.some", TESTS),
    key("commands.operands.all", TESTS),
    key("commands.operands.none", TESTS),
    key("commands.operands.at_least", NUMBER),
    key("commands.operands.at_most", NUMBER),
    key("commands.operands.any_case", FLAG),
    key("commands.redirects", "a table with to and overwrites"),
    key("commands.redirects.to", TESTS),
    key("commands.redirects.overwrites", FLAG),
    key("commands.pipe", "\"interpreter\", \"upload\" or \"removal\""),
    key("commands.when", "\"fork-bomb\" or \"sql-unbounded\""),
    key("commands.safer", "a list of tables with from and to"),
    key("commands.safer.from", "a word"),
    key("commands.safer.to", TEXT),
    key("commands.severity", GRAVE),
    key("commands.severity_when", "a list of tables with severity and a condition"),
    key("commands.severity_when.severity", GRAVE),
    key("commands.severity_when.flags", STRINGS),
    key("commands.severity_when.operands", "a table of tests"),
    key("commands.severity_when.operands.first", TESTS),
    key("commands.severity_when.operands.last", TESTS),
    key("commands.severity_when.operands.some", TESTS),
    key("commands.severity_when.operands.all", TESTS),
    key("commands.severity_when.operands.none", TESTS),
    key("commands.severity_when.operands.at_least", NUMBER),
    key("commands.severity_when.operands.at_most", NUMBER),
    key("commands.severity_when.operands.any_case", FLAG),
    key("commands.severity_when.words", STRINGS),
    key("commands.hits", EXAMPLES),
    key("commands.honest", EXAMPLES),
    key("phrases", "a list of tables with id, slots, hits and honest"),
    key("phrases.id", TEXT),
    key("phrases.about", TEXT),
    key("phrases.slots", STRINGS),
    key("phrases.gap", "a whole number from 0 to 8"),
    key("phrases.label", FLAG),
    key("phrases.named", FLAG),
    key("phrases.ends", FLAG),
    key("phrases.order", "\"fixed\", \"free\" or \"frame\""),
    key("phrases.unaddressed", FLAG),
    key("phrases.not_before", STRINGS),
    key("phrases.not_after", STRINGS),
    key("phrases.without", STRINGS),
    key("phrases.severity", GRAVE),
    key("phrases.roles", "a table, and only in caveat's own rules"),
    key("phrases.roles.instructions", LOOK),
    key("phrases.roles.runbook", LOOK),
    key("phrases.roles.reference", LOOK),
    key("phrases.hits", EXAMPLES),
    key("phrases.honest", EXAMPLES),
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

/// The key of the top level that is called `name`, if there is one and it is no table of tables.
pub(super) fn top(name: &str) -> Option<&'static str> {
    find(name).map(|key| key.path).filter(|path| !path.contains('.'))
}

/// How the table at `path` is called: with the brackets that it has in the file, less one pair.
pub(super) fn called(path: &'static str) -> &'static str {
    match path {
        "suppressions" => "[suppressions]",
        "commands" => "[commands]",
        "phrases" => "[phrases]",
        "commands.last_wins" => "[commands.last_wins]",
        "commands.safer" => "[commands.safer]",
        "commands.severity_when" => "[commands.severity_when]",
        path => path,
    }
}
