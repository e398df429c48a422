//! The dialect of a text whose place does not say it.

use crate::facts::command::Dialect;

/// Names of PowerShell that no other shell has, lower case.
const POWERSHELL: &[&str] = &["iex", "iwr", "irm", "ri", "gci"];

/// Verbs of cmdlets (`Get-Verb`), as far as they begin one that matters here.
const VERBS: &[&str] = &[
    "add",
    "clear",
    "disable",
    "enable",
    "export",
    "format",
    "get",
    "import",
    "install",
    "invoke",
    "move",
    "new",
    "out",
    "publish",
    "remove",
    "reset",
    "restart",
    "set",
    "start",
    "stop",
    "suspend",
    "uninstall",
    "unpublish",
    "update",
    "write",
];

/// Programs of the Windows command prompt whose options begin with `/`.
const CMD: &[&str] =
    &["rd", "rmdir", "del", "erase", "format", "reg", "robocopy", "xcopy", "takeown", "icacls", "attrib"];

/// First words of SQL statements, with the words that may follow them.
const SQL: &[(&str, &[&str])] = &[
    (
        "drop",
        &[
            "table",
            "database",
            "schema",
            "view",
            "index",
            "user",
            "role",
            "column",
            "owned",
            "materialized",
            "tablespace",
            "sequence",
            "function",
            "type",
            "extension",
        ],
    ),
    ("truncate", &["table", "only"]),
    ("delete", &["from"]),
    ("alter", &["table", "database", "user", "role", "schema"]),
    ("update", &[]),
];

/// Whether a text begins as a statement of SQL. `shouted`: only in capitals, as bare in prose.
pub(super) fn is_sql(text: &str, shouted: bool) -> bool {
    let mut words = text.split_ascii_whitespace();
    let (Some(first), Some(second)) = (words.next(), words.next()) else { return false };
    if shouted && !first.bytes().chain(second.bytes().take(1)).all(|byte| !byte.is_ascii_lowercase()) {
        return false;
    }
    let Some((verb, nouns)) = SQL.iter().find(|(verb, _)| first.eq_ignore_ascii_case(verb)) else {
        return false;
    };
    match *verb {
        "update" => words.next().is_some_and(|third| third.eq_ignore_ascii_case("set")),
        _ => nouns.iter().any(|noun| second.trim_end_matches([';', ',', '.']).eq_ignore_ascii_case(noun)),
    }
}

/// Whether a word names a cmdlet: `Verb-Noun`.
pub(super) fn is_cmdlet(word: &str) -> bool {
    let Some((verb, noun)) = word.split_once('-') else { return false };
    noun.len() > 2
        && noun.bytes().all(|byte| byte.is_ascii_alphabetic())
        && VERBS.iter().any(|known| verb.eq_ignore_ascii_case(known))
        && (word.starts_with(|c: char| c.is_ascii_uppercase())
            || noun.starts_with("item")
            || noun.contains("process"))
}

/// The dialect of `text`, given that of its place.
pub(super) fn dialect(text: &str, place: Dialect) -> Dialect {
    if place != Dialect::Posix {
        return place;
    }
    let trimmed = text.trim_start();
    let first = trimmed
        .split(|c: char| c.is_whitespace() || c == '(' || c == ';' || c == '|')
        .next()
        .unwrap_or_default();
    let lower = first.to_ascii_lowercase();
    if POWERSHELL.contains(&lower.as_str())
        || is_cmdlet(first)
        || first.starts_with("$env:")
        || trimmed.starts_with("[Net.")
        || trimmed.starts_with("(New-Object")
    {
        return Dialect::PowerShell;
    }
    if text.split('|').skip(1).any(|stage| {
        let stage = stage.trim_start();
        let name = stage.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).next().unwrap_or_default();
        POWERSHELL.contains(&name.to_ascii_lowercase().as_str()) || is_cmdlet(name)
    }) {
        return Dialect::PowerShell;
    }
    let name = lower.trim_end_matches(".exe");
    if CMD.contains(&name) {
        let second = trimmed[first.len()..].trim_start();
        let flag = second.split_ascii_whitespace().any(|word| {
            let bytes = word.as_bytes();
            bytes[0] == b'/'
                && (2..=5).contains(&bytes.len())
                && bytes[1].is_ascii_alphabetic()
                && !word[1..].contains('/')
        });
        let drive = second.as_bytes().get(1) == Some(&b':');
        if (flag && lower != "format") || drive {
            return Dialect::Cmd;
        }
    }
    if is_sql(trimmed, false) {
        return Dialect::Sql;
    }
    place
}
