//! What a name may stand for, so that it makes a command where it is used.

use crate::catalogue::Catalogue;

/// Whether a name that stands for `value` may make a command: it names a program that matters, options, or a piece of a
/// name.
pub(super) fn matters(value: &str) -> bool {
    let first = value.split_whitespace().next().unwrap_or_default();
    let name = first.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
    let piece = || name == value && name.len() <= 3 && name.bytes().all(|byte| byte.is_ascii_lowercase());
    let shells = [
        "sh", "bash", "zsh", "dash", "ksh", "python", "python3", "perl", "ruby", "node", "sudo", "eval",
        "command", "exec", "env",
    ];
    !first.is_empty()
        && (downloads(value)
            || first.starts_with('-') && first.len() > 1
            || piece()
            || shells.contains(&name.as_str())
            || Catalogue::get().has_program(name.trim_end_matches(".exe")))
}

/// Whether a line of PowerShell loads a text.
pub(super) fn downloads(line: &str) -> bool {
    ["DownloadString", "irm ", "iwr ", "Invoke-RestMethod", "Invoke-WebRequest"]
        .iter()
        .any(|word| line.contains(word))
}

/// A line of a session without the prompt before its command.
pub(super) fn without_prompt(line: &str) -> &str {
    let line = line.trim();
    ["$ ", "# ", "> ", "% ", "PS> "]
        .iter()
        .find_map(|prompt| line.strip_prefix(prompt))
        .unwrap_or(line)
        .trim_start()
}
