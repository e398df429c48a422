//! File names on their way to a reader: as they are, but never able to move a cursor or turn text around.

use std::borrow::Cow;
use std::path::{Component, Path};

/// Whether a character can change how the text around it is shown: controls, line and paragraph separators, everything
/// invisible or bidirectional.
#[must_use]
pub fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{e0000}'..='\u{e0fff}' | '\u{fffe}' | '\u{ffff}')
}

/// `name` with every hostile character written as Rust writes it: `\n`, `\u{1b}`.
#[must_use]
pub fn escaped(name: &str) -> Cow<'_, str> {
    if !name.contains(is_hostile) {
        return Cow::Borrowed(name);
    }
    let mut out = String::with_capacity(name.len() + 8);
    for c in name.chars() {
        if is_hostile(c) { out.extend(c.escape_default()) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// The name of `path` in reports: relative to `root` with `/`, whatever the system. A path that is not below `root` is
/// given whole, the root itself is `.`; bytes that are no Unicode become U+FFFD. Not escaped: that is each format's own business.
#[must_use]
pub fn relative(path: &Path, root: &Path) -> String {
    let Ok(below) = path.strip_prefix(root) else {
        return path.to_string_lossy().into_owned();
    };
    let parts = below.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    let parts: Vec<_> = parts.collect();
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

/// As [`relative`], also for a path beside or above `root`: with a `..` for each step up.
#[must_use]
pub fn relative_above(path: &Path, root: &Path) -> String {
    let shared = root.ancestors().enumerate().find(|(_, folder)| path.starts_with(folder));
    match shared {
        Some((up, folder)) if folder.parent().is_some() => {
            format!("{}{}", "../".repeat(up), relative(path, folder))
        }
        _ => relative(path, root),
    }
}
