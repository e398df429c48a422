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
    if let Some((pattern, _)) = inner.strip_prefix('/').and_then(|inner| inner.rsplit_once('/')) {
        return matches!(pattern.trim_start_matches('^').trim_end_matches('$'), "" | ".*" | ".+");
    }
    let bare = inner.trim_end_matches([':', '*', ' ']);
    if bare.is_empty() {
        return inner.contains('*');
    }
    let open = prefix || bare.len() < inner.trim_end().len();
    open && PROGRAMS.iter().any(|program| program.eq_ignore_ascii_case(bare))
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
        ] {
            assert!(!is_any(rule, false), "{rule}");
        }
        for (rule, expected) in [("rm", true), ("git status", false), ("python3", true)] {
            assert_eq!(is_any(rule, true), expected, "{rule}");
        }
        assert!(RULE.is_some());
    }
}
