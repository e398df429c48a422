//! Globs as `.gitignore` has them, save `!`: one without a slash matches at any depth, one with a slash from its folder
//! on, and what matches a folder matches all that is in it.

use std::path::Path;

use globset::{ErrorKind, Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// A glob that is longer is a mistake, or is meant to slow the reader.
const MAX_GLOB_BYTES: usize = 500;

/// Globs, compiled. Paths are matched relative to the folder that the globs belong to.
#[derive(Clone, Debug, Default)]
pub struct Globs {
    set: GlobSet,
}

impl Globs {
    /// Compiles `globs`.
    ///
    /// # Errors
    /// The index of the first that is no glob.
    pub fn new<'a>(globs: impl IntoIterator<Item = &'a str>) -> Result<Globs, usize> {
        compile(globs, false)
    }

    /// Whether the path, relative to the globs' folder, matches one of them.
    #[must_use]
    pub fn matches(&self, relative: &Path) -> bool {
        !self.set.is_empty() && self.set.is_match(relative)
    }
}

/// Compiles `globs`; `any_case` folds ASCII case.
pub(crate) fn compile<'a>(globs: impl IntoIterator<Item = &'a str>, any_case: bool) -> Result<Globs, usize> {
    let mut set = GlobSetBuilder::new();
    for (index, glob) in globs.into_iter().enumerate() {
        for form in forms(glob, any_case).map_err(|_| index)? {
            set.add(form);
        }
    }
    Ok(Globs { set: set.build().map_err(|_| 0_usize)? })
}

/// Whether `glob` is one; else what is wrong, as the end of a sentence.
pub(crate) fn check(glob: &str) -> Result<(), &'static str> {
    forms(glob, false)?;
    compile([glob], false).map(|_| ()).map_err(|_| "it is too long or too intricate")
}

/// The glob itself, if it may match a file, and the glob for all that is below what it matches.
fn forms(glob: &str, any_case: bool) -> Result<Vec<Glob>, &'static str> {
    let bare = glob.strip_prefix("./").unwrap_or(glob);
    let (core, folder_only) = match bare.strip_suffix('/') {
        Some(core) => (core, true),
        None => (bare, false),
    };
    if core.trim_matches('/').is_empty() {
        return Err("nothing is named in it");
    }
    if glob.len() > MAX_GLOB_BYTES {
        return Err("it has more than 500 bytes");
    }
    let anchored = match core.strip_prefix('/') {
        Some(core) => core.to_owned(),
        None if core.contains('/') => core.to_owned(),
        None => format!("**/{core}"),
    };
    let build = |text: &str| {
        GlobBuilder::new(text)
            .literal_separator(true)
            .case_insensitive(any_case)
            .build()
            .map_err(|error| why(error.kind()))
    };
    let mut forms = Vec::new();
    if !folder_only {
        forms.push(build(&anchored)?);
    }
    if !anchored.ends_with("/**") {
        forms.push(build(&format!("{anchored}/**"))?);
    }
    Ok(forms)
}

/// What is wrong with a glob, in words of ours.
fn why(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::UnclosedClass => "a bracket in it is not closed",
        ErrorKind::InvalidRange(..) => "a range in its brackets runs backwards",
        ErrorKind::UnopenedAlternates => "a brace in it closes nothing",
        ErrorKind::UnclosedAlternates => "a brace in it is not closed",
        ErrorKind::DanglingEscape => "a backslash stands at its end",
        _ => "it cannot be read as one",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_match(glob: &str, path: &str, expected: bool) {
        let globs = Globs::new([glob]).expect("a glob");
        assert_eq!(globs.matches(Path::new(path)), expected, "{glob} on {path}");
    }

    #[test]
    fn globs_match_as_gitignore_does() {
        check_match("*.md", "a/b/c.md", true);
        check_match("docs", "docs/a.md", true);
        check_match("docs/", "docs/a.md", true);
        check_match("docs/", "a/docs", false);
        check_match("/docs", "a/docs/b.md", false);
        check_match("docs/*.md", "docs/a.md", true);
        check_match("docs/*.md", "docs/a/b.md", false);
        check_match("docs/**", "docs/a/b.md", true);
        check_match("docs/**/x.md", "docs/x.md", true);
        check_match("./docs/{a,b}.md", "docs/b.md", true);
        check_match("docs/*.md", "other/docs/a.md", false);
    }

    #[test]
    fn what_is_no_glob_is_refused() {
        let long = "a".repeat(MAX_GLOB_BYTES + 1);
        for glob in ["", "/", "[a", "{a,b", long.as_str()] {
            assert_eq!(Globs::new(["ok", glob]).map(|_| ()), Err(1), "{glob}");
        }
        for (glob, why) in [
            ("/", "nothing is named in it"),
            ("[a", "a bracket in it is not closed"),
            ("[z-a]", "a range in its brackets runs backwards"),
            ("{a,b", "a brace in it is not closed"),
            ("a}", "a brace in it closes nothing"),
            ("a\\", "a backslash stands at its end"),
        ] {
            assert_eq!(check(glob), Err(why), "{glob}");
        }
    }
}
