//! Lines that fetch a file, and what ends the doubt about it: a program, or a sentence, that looks into it.

use super::value::{matters, without_prompt};

/// Whether a fetcher's name stands in `text`, so that what it fetches may be run on a later line.
#[must_use]
pub fn may_fetch(text: &str) -> bool {
    ["curl", "wget", "aria2c", "fetch", "gsutil", "xh ", "http "].iter().any(|name| text.contains(name))
}

/// The name under which a line keeps what it fetches: a file's, without its folders, or a variable's.
pub(super) fn fetched(line: &str) -> Option<Box<str>> {
    if !line.contains("://") || !may_fetch(line) {
        return None;
    }
    if let Some((name, value)) = line.split_once('=')
        && (value.starts_with("$(") || value.starts_with("\"$(") || value.starts_with('`'))
        && let Some(name) = name.rsplit(' ').next().filter(|name| !name.is_empty())
    {
        return Some(name.into());
    }
    let last = |path: &str| {
        let path = path.trim_matches(|c: char| "\"'`;)".contains(c));
        let path = path.split(['?', '#']).next().unwrap_or_default();
        path.rsplit('/').next().filter(|name| !name.is_empty()).map(Box::from)
    };
    let mut words = line.split_whitespace();
    let (mut address, mut remote) = (None, line.contains("wget") || line.contains("aria2c"));
    while let Some(word) = words.next() {
        let short = word.starts_with('-') && !word.starts_with("--");
        match word {
            "--output" | "--output-document" | ">" | ">>" | "tee" | "-O" | "-o" => {
                let next =
                    words.clone().next().filter(|next| !next.contains("://") && !next.starts_with('-'));
                match next {
                    Some(file) => return last(file),
                    None => remote = true,
                }
            }
            _ if short && word.ends_with('o') => return last(words.next()?),
            _ if short && word.ends_with('O') => remote = true,
            "--remote-name" => remote = true,
            _ if word.starts_with("--output") && word.contains('=') => return last(word.split_once('=')?.1),
            _ if word.len() > 1 && word.starts_with('>') => return last(word.trim_start_matches('>')),
            _ if word.contains("://") => address = Some(word),
            _ => {}
        }
    }
    address.filter(|_| remote).and_then(last)
}

/// Programs that look into a file, or hold it against a digest or a signature.
pub const CHECKS: &[&str] = &[
    "sha1sum",
    "sha224sum",
    "sha256sum",
    "sha384sum",
    "sha512sum",
    "shasum",
    "md5sum",
    "md5",
    "b2sum",
    "b3sum",
    "cksum",
    "gpg",
    "gpgv",
    "gpg2",
    "cosign",
    "minisign",
    "signify",
    "codesign",
    "slsa-verifier",
    "openssl",
    "less",
    "more",
    "cat",
    "bat",
    "view",
    "vi",
    "vim",
    "nvim",
    "nano",
    "emacs",
    "code",
    "shellcheck",
    "diff",
    "$EDITOR",
    "$PAGER",
];

/// Whether a command of the line is one of [`CHECKS`] that prints to nobody but a reader.
pub(super) fn checks(line: &str) -> bool {
    let line = without_prompt(line);
    let stages: Vec<&str> = line.split([';', '&', '|']).map(str::trim_start).collect();
    stages.iter().any(|stage| {
        let mut words = stage.split_whitespace().skip_while(|word| *word == "sudo" || *word == "if");
        words.next().is_some_and(|word| CHECKS.contains(&word))
    }) && !stages
        .last()
        .is_some_and(|last| matters(last) && last.starts_with(['s', 'b', 'p', 'z', 'd']) && stages.len() > 1)
}

/// Whether a sentence tells to look into what was fetched.
pub(super) fn looks_into(line: &str) -> bool {
    const LOOKS: [&str; 12] = [
        "read", "review", "inspect", "check", "verify", "audit", "examine", "look", "compare", "validate",
        "vet", "confirm",
    ];
    const WHAT: [&str; 12] = [
        "it",
        "script",
        "file",
        "installer",
        "checksum",
        "digest",
        "signature",
        "content",
        "contents",
        "hash",
        "sha256",
        "download",
    ];
    let mut words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let among = |word: &str, list: &[&str]| list.iter().any(|known| word.eq_ignore_ascii_case(known));
    words.any(|word| among(word, &LOOKS)) && (line.contains('`') || words.any(|word| among(word, &WHAT)))
}
