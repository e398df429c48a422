//! What a permission rule lets an agent run unasked, where that is no command but any.

use std::sync::LazyLock;

use crate::catalogue::{Catalogue, RuleId};

/// The rule whose finding it is, and the entry of it that says so.
pub(in crate::facts) static RULE: LazyLock<Option<RuleId>> =
    LazyLock::new(|| Catalogue::get().by_name("skip-approval"));
pub(in crate::facts) const PATTERN: &str = "allow-program";

/// Programs that run whatever they are given, or remove it.
const PROGRAMS: &[&str] = &[
    "rm",
    "sudo",
    "doas",
    "sh",
    "bash",
    "zsh",
    "pwsh",
    "powershell",
    "curl",
    "wget",
    "eval",
    "python",
    "python3",
    "node",
    "perl",
    "ruby",
    "dd",
    "chmod",
    "ssh",
    "nc",
    "env",
    "xargs",
    "find",
    "docker",
    "kubectl",
];

/// Whether `rule`, a pattern of what is allowed, lets any command run, or such a program with any words. `prefix`: it is
/// the beginning of a command, whatever comes behind it.
pub(in crate::facts) fn is_any(rule: &str, prefix: bool) -> bool {
    let rule = rule.trim();
    let (tool, inner) = match rule.split_once('(') {
        Some((tool, inner)) => (tool, inner.strip_suffix(')').unwrap_or(inner)),
        None if rule.eq_ignore_ascii_case("bash") || rule.eq_ignore_ascii_case("shell") => return true,
        None => ("", rule),
    };
    if !tool.is_empty()
        && !["bash", "shell", "run_shell_command", "powershell"].iter().any(|t| tool.eq_ignore_ascii_case(t))
    {
        return false;
    }
    // A regular expression of VS Code: `/^.*$/s`.
    if let Some((pattern, flags)) = inner.strip_prefix('/').and_then(|inner| inner.rsplit_once('/'))
        && flags.bytes().all(|flag| b"dgimsuvy".contains(&flag))
    {
        return matches!(pattern.trim_start_matches('^').trim_end_matches('$'), "" | ".*" | ".+");
    }
    let bare = inner.trim_end_matches([':', '*', ' ']);
    if bare.is_empty() {
        return inner.contains('*');
    }
    let open = prefix || bare.len() < inner.trim_end().len();
    open && runs_any(bare)
}

/// Whether `command`, with whatever words behind it, is such a program: by its path, behind one that runs it (`env bash`),
/// or with the option behind which an interpreter takes a program (`sh -c`).
fn runs_any(command: &str) -> bool {
    const TAKES: [&str; 8] = ["-c", "-lc", "-ec", "-ic", "-e", "-Command", "-EncodedCommand", "--eval"];
    const RUNS: [&str; 9] = ["sudo", "doas", "env", "xargs", "nohup", "nice", "time", "exec", "command"];
    let mut words = command.split_whitespace();
    let Some(first) = words.next() else { return false };
    let name = first.rsplit(['/', '\\']).next().unwrap_or(first);
    let is = |list: &[&str], word: &str| list.iter().any(|known| known.eq_ignore_ascii_case(word));
    match words.next() {
        None => is(PROGRAMS, name),
        Some(option) if is(&TAKES, option) && words.next().is_none() => is(PROGRAMS, name),
        Some(_) => {
            let inner = command.trim_start()[first.len()..].trim_start();
            is(&RUNS, name) && runs_any(inner)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lets_anything_run_is_told_from_what_lets_one_command_run() {
        for rule in [
            "*",
            "Bash",
            "Bash(*)",
            "Bash(:*)",
            "Bash(rm:*)",
            "Bash(sudo *)",
            "/.*/",
            "/^.*$/s",
            "shell(curl:*)",
            "Bash(sh -c *)",
            "Bash(bash -c:*)",
            "Bash(/bin/sh:*)",
            "Bash(env bash:*)",
            "Bash(xargs rm:*)",
            "Bash(python3 -c:*)",
        ] {
            assert!(is_any(rule, false), "{rule}");
        }
        for rule in [
            "",
            "Read",
            "Read(*)",
            "WebFetch(domain:*)",
            "Bash(rm)",
            "Bash(git push:*)",
            "rm",
            "/^git status$/",
            "Bash(rm -i:*)",
            "Bash(sh -n:*)",
            "Bash(./scripts/build:*)",
            "Bash(env NODE_ENV=test npm test:*)",
            "Bash(xargs grep:*)",
        ] {
            assert!(!is_any(rule, false), "{rule}");
        }
        for (rule, expected) in [("rm", true), ("git status", false), ("python3", true)] {
            assert_eq!(is_any(rule, true), expected, "{rule}");
        }
        assert!(RULE.is_some());
    }
}
