//! Programs that run another one and that the table of wrappers does not name: known by their form.
//!
//! Every month brings a new tool that sets up an environment and then runs what follows. Their names cannot be listed,
//! but they are written in few ways: `tool … -- command`, `tool exec command`, `tool --run "command"`. The outer command
//! stays as it was read; the inner one is read besides, so that a wrong guess can hide nothing.

use super::dialect::Dialect;
use super::places::name_of;
use super::script::{Simple, Word};
use super::wrappers::{is_wrapper, plain_name};
use crate::catalogue::Catalogue;

/// Programs whose words stay data, also behind `--`, `run` and `exec`: they name files, patterns, scripts or tests.
const DATA: &[&str] = &[
    "[", "[[", "alias", "apropos", "awk", "bun", "cargo", "case", "cat", "cd", "cmp", "compgen", "complete",
    "cp", "declare", "deno", "diff", "echo", "egrep", "export", "fgrep", "for", "function", "gh", "git",
    "go", "grep", "hash", "head", "help", "history", "jq", "less", "let", "ln", "local", "logger", "ls",
    "make", "man", "mkdir", "more", "mv", "npm", "pnpm", "print", "printf", "read", "readonly", "rg", "rm",
    "sed", "select", "set", "sort", "tail", "tar", "test", "tldr", "touch", "type", "typeset", "unset",
    "whatis", "whereis", "which", "yarn", "yes",
];

/// Subcommands behind which a command of another program stands, whatever the tool.
const EXEC: &[&str] = &["exec", "x", "dlx"];

/// Programs that are nothing but such a subcommand.
const RUNNERS: &[&str] = &[
    "npx",
    "bunx",
    "pnpx",
    "uvx",
    "cross-env",
    "sshpass",
    "rlwrap",
    "valgrind",
    "proot",
    "bwrap",
    "chpst",
    "s6-setuidgid",
    "setarch",
    "with-contenv",
    "aws-okta",
    "pdsh",
    "clush",
    "dsh",
    "mussh",
    "pssh",
];

/// Programs whose quoted words are commands.
const STRINGS: &[&str] = &[
    "concurrently",
    "hyperfine",
    "salt",
    "salt-call",
    "salt-ssh",
    "pssh",
    "parallel-ssh",
    "pdsh",
    "clush",
    "dsh",
    "mussh",
    "knife",
    "watchexec",
    "onchange",
    "chokidar",
];

/// Subcommands whose quoted words are commands: `git submodule foreach '…'`, `sops exec-env secrets.yaml '…'`.
const STRING_SUBS: &[&str] = &["foreach", "exec-env", "exec-file"];

/// Options whose value is a command, whatever the tool.
const OPTIONS: &[&str] = &[
    "--run",
    "--command",
    "--exec",
    "--cmd",
    "--shell-command",
    "--tree-filter",
    "--index-filter",
    "--msg-filter",
    "--env-filter",
    "--scripts",
    "--checkpoint-action=exec",
    "--to-command",
];

/// Whether a program of this name is one that matters, or one that runs others.
fn is_known(word: &Word, dialect: Dialect) -> bool {
    let name = plain_name(&word.value, dialect);
    let lower = name.to_ascii_lowercase();
    name_of(&word.value).is_some() || is_wrapper(&name) || Catalogue::get().has_program(&lower)
}

/// The index of the word at which a command begins that `simple` runs, if its form says so.
pub(super) fn command_behind(simple: &Simple) -> Option<usize> {
    let (program, words) = (simple.program.as_str(), simple.words.as_slice());
    if simple.dialect == Dialect::Sql || words.len() < 2 {
        return None;
    }
    let known = |at: &usize| words.get(*at).is_some_and(|word| is_known(word, simple.dialect));
    // `$host sudo reboot`: a name that stands for a prompt, or for a wrapper
    if is_variable(&words[0]) && simple.dialect == Dialect::Posix {
        return Some(1).filter(known);
    }
    let sub =
        |names: &[&str]| words.iter().take(4).skip(1).position(|word| names.contains(&word.value.as_str()));
    let data = || DATA.contains(&program) || is_wrapper(program);
    let from = if RUNNERS.contains(&program) || program.ends_with("-run") || program.ends_with("-exec") {
        Some(1)
    } else {
        sub(EXEC).or_else(|| sub(&["run"]).filter(|_| !data())).map(|at| at + 2)
    };
    // each of them, for one such program may run another
    let dashes = || {
        let mut ends = (1..words.len()).filter(|at| words[at - 1].value == "--" && !words[at - 1].quoted);
        ends.find(known).filter(|_| !data())
    };
    from.and_then(|from| (from..words.len()).find(known)).or_else(dashes)
}

/// Whether a word is nothing but a variable or a placeholder.
fn is_variable(word: &Word) -> bool {
    let name = word.value.strip_prefix('$').map(|name| name.trim_matches(['{', '}'])).unwrap_or_default();
    !word.quoted
        && ((word.expands
            && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
            || (word.placeholder && word.value.starts_with(['<', '{', '['])))
}

/// The strings among a command's words that it runs: the word's index, and the byte of its value where the string
/// begins.
pub(super) fn strings(simple: &Simple) -> Vec<(usize, usize)> {
    let words = &simple.words;
    let phrase = |text: &str| text.trim().contains(char::is_whitespace);
    let all = STRINGS.contains(&simple.program.as_str())
        || words.iter().take(4).any(|word| STRING_SUBS.contains(&word.value.as_str()));
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate().skip(1) {
        let value = word.value.as_str();
        let option = value.split_once('=').filter(|(name, _)| OPTIONS.contains(name));
        if let Some((name, text)) = option {
            if phrase(text) {
                found.push((at, name.len() + 1));
            }
        } else if let Some(from) = handed(simple, at) {
            found.push((at, from));
        } else if word.quoted && phrase(value) && (all || OPTIONS.contains(&words[at - 1].value.as_str())) {
            found.push((at, 0));
        }
    }
    found
}

/// Where in the word `at` a command begins that a program is handed behind an option of its own: `npx -c '…'`,
/// `git rebase -x '…'`, `vim -c '!…'`.
fn handed(simple: &Simple, at: usize) -> Option<usize> {
    let (words, value) = (&simple.words, simple.words[at].value.as_str());
    let behind = |names: &[&str]| names.contains(&words[at - 1].value.as_str());
    match simple.program.as_str() {
        "npx" | "npm" if behind(&["-c", "--call"]) => Some(0),
        "man" if behind(&["-P", "--pager"]) => Some(0),
        "rsync" if behind(&["-e", "--rsh"]) => Some(0),
        "rsync" if value.starts_with("--rsh=") => Some("--rsh=".len()),
        "ssh" | "scp" | "sftp" | "autossh" | "sshfs" => ssh_option(value),
        "split" | "gsplit" => value.strip_prefix("--filter=").map(|_| "--filter=".len()),
        "sort" | "gsort" => value.strip_prefix("--compress-program=").map(|_| "--compress-program=".len()),
        "zip" if behind(&["-TT", "--unzip-command"]) => Some(0),
        "gdb" if behind(&["-ex", "--ex", "-iex", "--eval-command"]) => {
            ["shell ", "!"].iter().find(|word| value.starts_with(**word)).map(|word| word.len())
        }
        "socat" => ["EXEC:", "SYSTEM:", "exec:", "system:"]
            .iter()
            .find(|word| value.starts_with(**word))
            .map(|word| word.len()),
        "gh" if at > 3 && words[1].value == "alias" && words[2].value == "set" && value.contains(' ') => {
            Some(usize::from(value.starts_with('!')))
        }
        "git"
            if value.contains(' ')
                && behind(&["-u", "--upload-pack", "--receive-pack", "--exec", "-x", "--extcmd"]) =>
        {
            Some(0)
        }
        "git" if value.starts_with("--upload-pack=") || value.starts_with("--receive-pack=") => {
            value.find('=').map(|sign| sign + 1)
        }
        "tar" | "gtar" | "bsdtar" if behind(&["-I", "--use-compress-program"]) => Some(0),
        "tar" | "gtar" | "bsdtar" if value.starts_with("--checkpoint-action=exec=") => {
            Some("--checkpoint-action=exec=".len())
        }
        "sed" | "gsed" => value
            .strip_prefix(|c: char| c.is_ascii_digit() || c == '$')
            .and_then(|rest| rest.strip_prefix("e "))
            .map(|_| 3),
        "make" | "gmake" if value.starts_with("SHELL=") && value.contains(' ') => Some("SHELL=".len()),
        "aws" => {
            let list = value.strip_prefix("commands=")?;
            Some("commands=".len() + (list.len() - list.trim_start_matches(['[', '"', ' ', '\'']).len()))
        }
        "less" | "more" if value.starts_with("+!") => Some(2),
        "git" if behind(&["-x"]) && words.get(1).is_some_and(|sub| sub.value == "rebase") => Some(0),
        "vi" | "vim" | "nvim" | "view" | "ex" => {
            let sign = value.trim_start_matches(['+', ':']).len();
            let from = value.len() - sign;
            let run = value[from..].starts_with('!') && (behind(&["-c", "--cmd"]) || value.starts_with('+'));
            run.then_some(from + 1)
        }
        _ => None,
    }
}

/// Where in an option of ssh a command begins that it runs here: `-o ProxyCommand=…` (ssh_config(5)).
pub(super) fn ssh_option(value: &str) -> Option<usize> {
    const NAMES: [&str; 4] = ["ProxyCommand", "LocalCommand", "KnownHostsCommand", "RemoteCommand"];
    let from = usize::from(value.starts_with("-o")) * 2;
    let rest = value.get(from..)?;
    let name = NAMES.iter().find(|name| rest.starts_with(**name))?;
    matches!(rest.as_bytes().get(name.len()), Some(b'=' | b' ')).then_some(from + name.len() + 1)
}
