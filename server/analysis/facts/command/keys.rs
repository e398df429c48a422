//! Which keys of a record hold commands.
//!
//! Nobody declares it, so names tell: `run:` in a workflow, `"command"` in a server's settings. One table for records
//! that are read as a whole and for single lines of one that is broken.

use crate::lines::Lang;

/// Keys whose value is a command, whatever holds them. Of a dotted name the last part counts, of a longer name its last
/// word: `ansible.builtin.shell`, `postCreateCommand`.
const COMMANDS: &[&str] = &[
    "run",
    "script",
    "before_script",
    "after_script",
    "command",
    "cmd",
    "shell",
    "exec",
    "entrypoint",
    "cmds",
    "commands",
    "raw",
    "sql",
    "win_shell",
    "win_command",
    "preinstall",
    "postinstall",
    "prestart",
    "poststart",
    "execstart",
    "argv",
    "program",
];

/// Keys whose value may as well be a sentence, a path or a name.
const PERHAPS: &[&str] = &[
    "install",
    "build",
    "test",
    "deploy",
    "clean",
    "entry",
    "start",
    "stop",
    "args",
    "arguments",
    "query",
    "hook",
    "precommand",
    "steps",
];

/// What a key says of its string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Nothing: it is prose.
    Nothing,
    /// A command.
    Command,
    /// A command, or the name of a shell.
    Shell,
    /// A command if it looks like one.
    Perhaps,
    /// A statement of SQL.
    Sql,
    /// A command of a shell of Windows.
    Windows(Lang),
}

impl Holds {
    /// What `key` says of its string.
    #[must_use]
    pub fn of(key: &str) -> Holds {
        let lower = last_part(key).to_ascii_lowercase();
        match lower.as_str() {
            "shell" => Holds::Shell,
            "sql" => Holds::Sql,
            "win_shell" => Holds::Windows(Lang::PowerShell),
            "win_command" => Holds::Windows(Lang::Cmd),
            _ if is_command(key) => Holds::Command,
            lower if PERHAPS.contains(&lower) => Holds::Perhaps,
            _ => Holds::Nothing,
        }
    }
}

/// Whether the value of `key` is a command, whatever it looks like.
#[must_use]
pub fn is_command(key: &str) -> bool {
    let part = last_part(key);
    let lower = part.to_ascii_lowercase();
    COMMANDS.contains(&lower.as_str())
        || ["command", "script", "cmd"].iter().any(|name| {
            let Some(before) = lower.strip_suffix(name).filter(|before| !before.is_empty()) else {
                return false;
            };
            // A word of its own: after a sign, or with a capital.
            before.ends_with(['_', '-', ':', ' '])
                || part[before.len()..].starts_with(|c: char| c.is_ascii_uppercase())
        })
}

/// The last part of a dotted name.
#[must_use]
pub fn last_part(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}
