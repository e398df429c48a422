//! Records: texts that are in no file, each with the path that it would have. A registry's dump is read as a stream of
//! them.
//!
//! What a record's path says steers no read of a disk: no configuration is looked for beside it, and none above it. What
//! holds for all of them is what whoever runs the scan hands over.

use std::io::{self, BufRead};
use std::path::Path;
use std::sync::Arc;

use caveat_analysis::verdict::Role;

use crate::config::Config;
use crate::kind;
use crate::project::Project;
use crate::walk::{Target, instructs, lexically_normal};

/// What holds for every record.
#[derive(Debug)]
pub struct Records {
    project: Project,
}

impl Records {
    /// With the configuration and the role for all, if any. `untrusted`: nobody vouches for the texts.
    #[must_use]
    pub fn new(config: Option<Config>, role: Option<Role>, untrusted: bool) -> Records {
        let project = Project::detached(config.unwrap_or_default());
        let project = if untrusted { project.untrusted() } else { project };
        Records { project: role.into_iter().fold(project, Project::with_role) }
    }

    /// What the record called `name` is judged as.
    #[must_use]
    pub fn target(&self, name: &str) -> Target {
        let path = lexically_normal(Path::new(name.trim_start_matches('/')));
        // A detached project has one configuration, and that was read.
        let settings = self.project.settings_for(&path).unwrap_or_default();
        let role = self.project.role_of(&path);
        let generated = kind::is_generated(&path) && !instructs(role);
        Target { name: name.to_owned(), role, named: true, generated, settings: Arc::clone(&settings), path }
    }
}

/// A line of a stream.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// Its bytes, without the line end.
    Whole(Vec<u8>),
    /// It was longer than the limit, and is gone.
    TooLong,
}

/// The next line of `from`, of at most `limit` bytes; `None` at the end. What is longer is read past without being kept.
///
/// # Errors
/// `from` cannot be read.
pub fn next_line(from: &mut impl BufRead, limit: usize) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let (mut any, mut over) = (false, false);
    loop {
        let available = match from.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        if available.is_empty() {
            break;
        }
        any = true;
        let end = available.iter().position(|byte| *byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        if line.len() + part.len() > limit {
            over = true;
            line = Vec::new();
        } else if !over {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        from.consume(used);
        if end.is_some() {
            break;
        }
    }
    Ok(any.then_some(if over { Line::TooLong } else { Line::Whole(line) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bounded_and_none_is_lost() {
        for capacity in [1, 3, 100] {
            let mut from = io::BufReader::with_capacity(capacity, &b"ab\n\nabcdef\nabc\nab"[..]);
            let mut lines = Vec::new();
            while let Some(line) = next_line(&mut from, 3).expect("memory") {
                lines.push(line);
            }
            let whole = |text: &str| Line::Whole(text.as_bytes().to_vec());
            assert_eq!(lines, [whole("ab"), whole(""), Line::TooLong, whole("abc"), whole("ab")]);
        }
    }

    #[test]
    fn a_path_gives_a_role_and_reads_no_disk() {
        let records = Records::new(None, None, false);
        for (name, role) in [
            ("pkg/AGENTS.md", Role::Instructions),
            ("/AGENTS.md", Role::Instructions),
            ("./x/../runbooks/a.md", Role::Runbook),
            ("README.md", Role::Reference { declared: false }),
            ("", Role::Reference { declared: false }),
        ] {
            let target = records.target(name);
            assert_eq!((target.role, target.name.as_str()), (role, name));
        }
        let records = Records::new(None, Some(Role::Runbook), true);
        assert_eq!(records.target("README.md").role, Role::Runbook);
    }
}
