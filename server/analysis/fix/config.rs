//! The entry of `caveat.toml` that accepts one finding.

use std::fmt::Write as _;

use jiff::civil::Date;

use super::{REASON, last_day};
use crate::verdict::Finding;

/// An entry of `[[suppressions]]`, in lines that end with LF, that accepts `finding` from `today` on. `path` is the file's
/// path from the configuration's folder, with `/`; `None` where the configuration is about that file alone.
#[must_use]
pub fn acceptance(finding: &Finding, path: Option<&str>, today: Date) -> String {
    let mut entry = format!("[[suppressions]]\nrule = \"{}\"\n", finding.rule.name());
    if let Some(path) = path {
        let _ = writeln!(entry, "paths = [{}]", quoted(&glob_of(path)));
    }
    let _ = writeln!(entry, "fingerprint = \"{:032x}\"", finding.fingerprint);
    let _ = writeln!(entry, "expires = \"{}\"", last_day(today));
    let _ = writeln!(entry, "reason = \"{REASON}\"");
    entry
}

/// The glob that matches `path` and nothing else; one that begins with a slash begins at its folder.
#[must_use]
pub fn glob_of(path: &str) -> String {
    let mut glob = String::from("/");
    for c in path.chars() {
        match c {
            '*' | '?' | '[' | ']' | '{' | '}' | '\\' => {
                let _ = write!(glob, "[{c}]");
            }
            _ => glob.push(c),
        }
    }
    glob
}

/// A basic string of TOML 1.0.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control()
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}') =>
            {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
