//! Who brought a line in, by git: the last commit is asked, never the work tree, which would run its filters. A line of the
//! work tree is the one of the last commit that says the same; one that says something new has no commit yet.

use std::collections::HashMap;
use std::path::Path;

use caveat_analysis::text::{Source as _, Str};

use crate::git::Repository;

/// A line, as git is asked for it.
pub(super) struct Line {
    text: String,
    /// How many lines before it say the same.
    equals: usize,
}

impl Line {
    /// The zero-based line `line` of `source`.
    pub(super) fn of(source: &Str<'_>, line: usize) -> Line {
        let text = match line < source.line_count() {
            true => source.line_str(line).trim_end_matches('\r').to_owned(),
            false => String::new(),
        };
        let equals = (0..line.min(source.line_count())).filter(|at| source.line_str(*at) == text).count();
        Line { text, equals }
    }
}

/// For each of `lines` of the file at `path` the commit that brought it and its day in UTC, where git knows.
pub(super) fn introduced(root: &Path, path: &Path, lines: &[&Line]) -> Vec<Option<(String, Option<String>)>> {
    let repository = Repository::at(root.to_path_buf());
    let blamed = path.strip_prefix(root).ok().and_then(|path| repository.blame(path).ok().flatten());
    let Some(blamed) = blamed else { return lines.iter().map(|_| None).collect() };
    let mut by_text: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, (text, _)) in blamed.iter().enumerate() {
        by_text.entry(text).or_default().push(at);
    }
    let of = |line: &&Line| {
        let equal = by_text.get(line.text.as_str())?;
        let (_, origin) = &blamed[*equal.get(line.equals).or(equal.last())?];
        let day = jiff::Timestamp::from_second(origin.seconds).ok();
        let day = day.map(|time| time.to_zoned(jiff::tz::TimeZone::UTC).date().to_string());
        Some((origin.commit.clone(), day))
    };
    lines.iter().map(of).collect()
}
