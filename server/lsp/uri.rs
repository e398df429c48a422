//! One key per document, however its URI is spelled.
//!
//! Clients spell one file in many ways (`file:///C%3A/a.md`, `file:///c:/a.md`, `#` escaped or not), and some use two of
//! them for the same document. A document is known by its key; replies use the spelling with which it was opened.

use std::path::PathBuf;

use caveat_workspace::config::CONFIG_NAME;
use caveat_workspace::name::escaped;
use percent_encoding::percent_decode_str;
use tower_lsp::lsp_types::Url;

/// What a document is known by: its URI with every escape undone and its drive letter in lower case.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Key(String);

impl Key {
    /// The key of `uri`.
    pub(crate) fn new(uri: &Url) -> Key {
        if uri.scheme() != "file" {
            return Key(uri.as_str().to_owned());
        }
        let mut path = decoded(uri.path());
        // In a file's name these two are letters like others, which a client should have escaped.
        if let Some(query) = uri.query() {
            path.push('?');
            path.push_str(&decoded(query));
        }
        if let Some(fragment) = uri.fragment() {
            path.push('#');
            path.push_str(&decoded(fragment));
        }
        if let [b'/', drive, b':', ..] = path.as_bytes()
            && drive.is_ascii_uppercase()
        {
            let drive = drive.to_ascii_lowercase() as char;
            path.replace_range(1..2, drive.encode_utf8(&mut [0; 4]));
        }
        let host = uri.host_str().unwrap_or_default();
        let host = if host == "localhost" { "" } else { host };
        Key(format!("file://{host}{path}"))
    }

    /// The key as a string.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is a `caveat.toml`.
    pub(crate) fn is_configuration(&self) -> bool {
        self.0.strip_suffix(CONFIG_NAME).is_some_and(|rest| rest.ends_with('/'))
    }

    /// What the document is called where a person is told of it: its last part, in which nothing can move a cursor.
    pub(crate) fn name(&self) -> String {
        let last = self.0.rsplit('/').find(|part| !part.is_empty()).unwrap_or(&self.0);
        escaped(last).into_owned()
    }

    /// The file's absolute path; a document that is in no file has none.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        let rest = self.0.strip_prefix("file://")?;
        let path = match rest.as_bytes() {
            [b'/', _, b':', ..] if cfg!(windows) => &rest[1..],
            [b'/', ..] => rest,
            // \\server\share
            _ => return Some(PathBuf::from(format!("//{rest}"))),
        };
        Some(PathBuf::from(path))
    }

    /// The path, without its leading slash, of a document that some other scheme holds (an editor's remote or virtual file
    /// system); one that was never saved has none.
    pub(crate) fn virtual_path(&self) -> Option<&str> {
        let (scheme, rest) = self.0.split_once(':')?;
        let rest =
            rest.strip_prefix("//").map_or(rest, |rest| rest.split_once('/').map_or("", |(_, path)| path));
        let path = rest.split(['?', '#']).next()?.trim_start_matches('/');
        (scheme != "file" && scheme != "untitled" && !path.is_empty()).then_some(path)
    }

    /// Whether the document is `other` or stands in the folder `other`.
    pub(crate) fn is_at_or_below(&self, other: &Key) -> bool {
        let folder = other.0.trim_end_matches('/');
        self.0.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

fn decoded(part: &str) -> String {
    percent_decode_str(part).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(uri: &str) -> Key {
        Key::new(&Url::parse(uri).unwrap())
    }

    fn key(uri: &str) -> String {
        parse(uri).0
    }

    #[test]
    fn spellings_of_one_file() {
        let check = |spellings: &[&str], expected: &str| {
            for spelling in spellings {
                assert_eq!(key(spelling), expected, "{spelling}");
            }
        };
        check(
            &[
                "file:///C%3A/a%20b.md",
                "file:///c:/a b.md",
                "file:///C:/a%20b.md",
                "file://localhost/c%3a/a b.md",
            ],
            "file:///c:/a b.md",
        );
        check(&["file:///w/a%23b.md", "file:///w/a#b.md"], "file:///w/a#b.md");
        check(&["file:///w/a%3Fb.md", "file:///w/a?b.md"], "file:///w/a?b.md");
        check(&["file:///w/%C3%A9.md", "file:///w/é.md"], "file:///w/é.md");
        check(&["file://Server/share/a.md", "file://server/share/a.md"], "file://server/share/a.md");
        check(&["untitled:Untitled-1"], "untitled:Untitled-1");
    }

    #[test]
    fn different_files_stay_apart() {
        assert_ne!(key("file:///w/a.md"), key("file:///w/A.md"));
        assert_ne!(key("untitled:Untitled-1"), key("untitled:Untitled-2"));
        assert_ne!(key("file:///w/a%2520b.md"), key("file:///w/a%20b.md"));
    }

    #[test]
    fn folders() {
        let below = |a: &str, b: &str| parse(a).is_at_or_below(&parse(b));
        assert!(below("file:///w/a.md", "file:///w"));
        assert!(below("file:///w/a.md", "file:///w/"));
        assert!(below("file:///w/a.md", "file:///w/a.md"));
        assert!(!below("file:///w/a.md", "file:///w/a"));
        assert!(!below("file:///w/a.md", "file:///v"));
    }

    #[test]
    fn virtual_paths() {
        let check =
            |uri: &str, expected: Option<&str>| assert_eq!(parse(uri).virtual_path(), expected, "{uri}");
        check("vscode-vfs://github/owner/repo/AGENTS.md", Some("owner/repo/AGENTS.md"));
        check("git:/w/AGENTS.md?ref", Some("w/AGENTS.md"));
        check("untitled:Untitled-1", None);
        check("untitled:/w/new.md", None);
        check("file:///w/AGENTS.md", None);
        check("odd://host", None);
    }

    #[cfg(unix)]
    #[test]
    fn paths() {
        let path = |uri: &str| parse(uri).path();
        assert_eq!(path("file:///w/a%20b.md"), Some(PathBuf::from("/w/a b.md")));
        assert_eq!(path("untitled:Untitled-1"), None);
    }
}
