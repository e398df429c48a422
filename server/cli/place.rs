//! A file's name on its way into a report: from where its reader looks, and harmless.

use std::path::Path;

/// The name `file`, which counts from a root, as seen from the folder that calls that root `root`. Not escaped.
pub(crate) fn joined(root: &str, file: &str) -> String {
    match (root, file) {
        (".", _) => file.to_owned(),
        _ if Path::new(file).is_absolute() => file.to_owned(),
        (_, ".") => root.to_owned(),
        _ if file.starts_with("../") && !root.trim_end_matches('/').ends_with("..") => {
            let (above, _) = root.trim_end_matches('/').rsplit_once('/').unwrap_or((".", ""));
            joined(if above.is_empty() { "/" } else { above }, &file[3..])
        }
        _ => format!("{}/{file}", root.trim_end_matches('/')),
    }
}

/// `name` as a URI (RFC 3986): every byte that is not unreserved is percent-encoded, so that no name can be anything
/// but a path. A relative name gives a relative reference.
pub(crate) fn uri(name: &str) -> String {
    let mut uri = String::with_capacity(name.len() + 8);
    if Path::new(name).is_absolute() {
        uri.push_str(if name.starts_with('/') { "file://" } else { "file:///" });
    }
    for byte in name.replace('\\', if cfg!(windows) { "/" } else { "\\" }).bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_joined_to_their_root() {
        for (root, file, expected) in [
            (".", "a.md", "a.md"),
            ("docs", "a.md", "docs/a.md"),
            ("docs/", "a.md", "docs/a.md"),
            ("docs", ".", "docs"),
            (".", "../a.md", "../a.md"),
            ("docs", "../a.md", "a.md"),
            ("docs/x/", "../../b/a.md", "b/a.md"),
            ("docs", "../../a.md", "../a.md"),
            ("/srv", "../a.md", "/a.md"),
            ("../x", "../a.md", "../a.md"),
            ("..", "../a.md", "../../a.md"),
            ("docs", "/x/a.md", "/x/a.md"),
        ] {
            assert_eq!(joined(root, file), expected);
        }
    }

    #[test]
    fn a_uri_holds_nothing_but_a_path() {
        for (name, expected) in [
            ("a/b-c_d.md", "a/b-c_d.md"),
            ("a b#c?d.md", "a%20b%23c%3Fd.md"),
            ("x:y.md", "x%3Ay.md"),
            ("é\u{202e}\n%", "%C3%A9%E2%80%AE%0A%25"),
            ("/srv/a.md", "file:///srv/a.md"),
        ] {
            assert_eq!(uri(name), expected);
        }
    }
}
