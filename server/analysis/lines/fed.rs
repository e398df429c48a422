//! Who runs the text of a here-document, or of a file that a command writes.

use super::Lang;

/// Who runs the text of a here-document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fed {
    /// Nobody: it is data.
    Nobody,
    /// A shell, or somebody who hands it to one: a cron table, a script that is written to be run.
    Shell,
    /// An interpreter of this language: commands live in its strings.
    Program(Lang),
}

impl Fed {
    /// Who runs the here-document that begins on `line`: told by any word on it. An error to this side reports too much,
    /// an error to the other hides a command.
    pub(super) fn of(line: &str) -> Fed {
        let words = || line.split(|c: char| c.is_whitespace() || "|&;()<>/\\\"'".contains(c));
        if words().any(|word| RUNNERS.contains(&word) || is_script(word)) {
            return Fed::Shell;
        }
        let by = words().find_map(program).map_or(Fed::Nobody, Fed::Program);
        if by == Fed::Nobody { written(line).map_or_else(|| kept(line), of_file) } else { by }
    }
}

/// Who runs what `read -d` keeps in a variable: whoever is given that, unless its name says that it is a text.
fn kept(line: &str) -> Fed {
    const TEXTS: [&str; 11] =
        ["USAGE", "HELP", "TEXT", "MESSAGE", "MSG", "DOC", "SQL", "JSON", "YAML", "BODY", "BANNER"];
    let Some((_, rest)) = line.split_once("read ") else { return Fed::Nobody };
    let name = rest.split("<<").next().and_then(|words| words.split_whitespace().last()).unwrap_or_default();
    let upper = name.to_ascii_uppercase();
    match rest.contains("-d") && !TEXTS.iter().any(|text| upper.contains(text)) {
        true => Fed::Shell,
        false => Fed::Nobody,
    }
}

/// The file that a line of a script writes: behind `>`, or the one of `tee`.
fn written(line: &str) -> Option<&str> {
    let behind = match line.split_once("tee ") {
        Some((_, behind)) => behind,
        None => line.rsplit_once('>')?.1,
    };
    let mut words = behind.split(|c: char| c.is_whitespace() || "|&;()<>\\\"'".contains(c));
    words.find(|word| !word.is_empty() && !word.starts_with('-'))
}

/// Who runs a file of this name, as far as it says: what has no ending is as often a command as not, where it is no
/// well-known file.
fn of_file(path: &str) -> Fed {
    const KNOWN: [&str; 16] = [
        "hosts",
        "fstab",
        "passwd",
        "group",
        "resolv.conf",
        "motd",
        "issue",
        "exports",
        "hostname",
        "config",
        "credentials",
        "known_hosts",
        "authorized_keys",
        "environment",
        "sudoers",
        "null",
    ];
    let name = path.rsplit('/').next().unwrap_or_default();
    let plain = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_' | b'0'..=b'9'));
    match name {
        "Makefile" | "makefile" | "GNUmakefile" | "justfile" => Fed::Program(Lang::Makefile),
        _ if plain && !KNOWN.contains(&name) && !path.contains("/etc/") => Fed::Shell,
        _ => Fed::Nobody,
    }
}

/// Who runs a text by its first line: `#!/bin/sh`, `#!/usr/bin/env python3`.
#[must_use]
pub fn shebang(line: &str) -> Option<Fed> {
    let mut words = line.strip_prefix("#!")?.split(|c: char| c.is_whitespace() || c == '/');
    words.find_map(|word| match RUNNERS.contains(&word) {
        true => Some(Fed::Shell),
        false => program(word).map(Fed::Program),
    })
}

/// Whether a file or folder of this name holds commands: a script, a cron table, a shell's start file.
#[must_use]
pub fn is_script(name: &str) -> bool {
    const ENDINGS: [&str; 7] = [".sh", ".bash", ".zsh", ".ksh", ".fish", ".command", ".cron"];
    const NAMES: [&str; 13] = [
        "crontab",
        "cron.d",
        "cron.hourly",
        "cron.daily",
        "cron.weekly",
        "cron.monthly",
        ".bashrc",
        ".bash_profile",
        ".bash_aliases",
        ".profile",
        ".zshrc",
        ".zprofile",
        "rc.local",
    ];
    NAMES.contains(&name) || ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// The language of an interpreter, or of a file that holds its programs.
fn program(word: &str) -> Option<Lang> {
    let (stem, ending) = word.rsplit_once('.').unwrap_or((word, ""));
    let is_number = !ending.is_empty() && ending.bytes().all(|byte| byte.is_ascii_digit());
    let name = if is_number { stem } else { word };
    match (name.trim_end_matches(|c: char| c.is_ascii_digit()), ending) {
        ("python" | "pypy" | "ipython" | "uv", _) | (_, "py") => Some(Lang::Python),
        ("node" | "nodejs" | "deno" | "bun" | "tsx", _) | (_, "js" | "mjs" | "cjs" | "ts") => {
            Some(Lang::JavaScript)
        }
        ("ruby" | "perl" | "php" | "lua", _) | (_, "rb" | "pl" | "php" | "lua") => Some(Lang::Other),
        _ => None,
    }
}

/// Words that name a program which runs what a here-document feeds it.
const RUNNERS: &[&str] = &[
    "source",
    "eval",
    "at",
    "batch",
    "sh",
    "bash",
    "zsh",
    "dash",
    "ksh",
    "ash",
    "fish",
    "su",
    "ssh",
    "psql",
    "mysql",
    "mariadb",
    "sqlite3",
    "pwsh",
    "powershell",
    "RUN",
];
