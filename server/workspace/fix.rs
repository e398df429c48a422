//! Safe fixes, made in the files themselves (`check --fix`).
//!
//! A file is written whole beside itself and put in its own place, so that nobody ever reads half of it, and only if it
//! still is what was read. What is not changed stays byte for byte: line ends, the byte order mark, the file's mode.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use caveat_analysis::catalogue::RuleId;
use caveat_analysis::fix::Fixer;
use caveat_analysis::verdict::{Finding, Status};
use caveat_analysis::{Document, Snapshot};
use jiff::civil::Date;

use crate::kind::language_of_text;
use crate::scan;
use crate::walk::Target;

/// How often what is safe is looked for: one that was taken out may leave another with nothing to answer for.
const PASSES: usize = 16;

/// Why a file was not mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixError {
    /// It was changed by somebody else meanwhile.
    Changed,
    /// It, or a file beside it, cannot be written.
    Unwritable,
}

impl FixError {
    /// A sentence for a person.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            FixError::Changed => "not fixed: it was changed meanwhile",
            FixError::Unwritable => "not fixed: it cannot be written",
        }
    }
}

/// What was done to a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fixed {
    /// The rule of each finding that was removed, in no order.
    pub rules: Vec<RuleId>,
    /// How many fences stay open, because to close them would change what is reported of something else.
    pub open: usize,
}

/// Makes every safe fix in the file of `target`, as of the day `today` in UTC, and gives what it
/// did. A file that is not read is left alone, and so is one in UTF-16.
///
/// # Errors
/// It cannot be written, or was changed meanwhile. Then it is as it was.
pub fn apply(target: &Target, today: Date) -> Result<Fixed, FixError> {
    let Ok(before) = target.read() else { return Ok(Fixed::default()) };
    let Some((after, fixed)) = scan::guarded(|| mended(target, today, &before)) else {
        return Ok(Fixed::default());
    };
    if fixed.rules.is_empty() {
        return Ok(fixed);
    }
    let bytes = fs::read(&target.path).map_err(|_| FixError::Changed)?;
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Ok(Fixed::default());
    }
    if bytes != before.as_bytes() {
        return Err(FixError::Changed);
    }
    replace(&target.path, &bytes, after.as_bytes())?;
    Ok(fixed)
}

/// `text` with every safe fix made, and what they did.
fn mended(target: &Target, today: Date, text: &str) -> (String, Fixed) {
    let env = target.settings.env(target.role, Some(&target.path), today);
    let judge = |snapshot: &Snapshot| {
        let mut findings = snapshot.findings(&env);
        scan::keep_relevant(target, &mut findings);
        findings
    };
    let (mut text, mut all) = (text.to_owned(), Fixed::default());
    for _ in 0..PASSES {
        let rules = target.settings.rules(target.role, Some(&target.path));
        let document = Document::new(&text, language_of_text(&target.path, &text), rules);
        let fixer = Fixer::new(document, &judge, today);
        let (edits, rules) = fixer.safe(usize::MAX);
        if edits.is_empty() {
            let is_open = |finding: &&Finding| {
                finding.status == Status::Reported && finding.rule.name() == "unclosed-fence"
            };
            all.open = fixer.findings().iter().filter(is_open).count();
            break;
        }
        for edit in edits.iter().rev() {
            text.replace_range(edit.range.clone(), &edit.text);
        }
        all.rules.extend(rules);
    }
    (text, all)
}

/// Puts a file with `after` in it in the place of `path`, provided that `path` still holds `before`.
fn replace(path: &Path, before: &[u8], after: &[u8]) -> Result<(), FixError> {
    let beside = written_beside(path, after).map_err(|_| FixError::Unwritable)?;
    let outcome = match fs::read(path) {
        Ok(now) if now == before => fs::rename(&beside, path).map_err(|_| FixError::Unwritable),
        _ => Err(FixError::Changed),
    };
    if outcome.is_err() {
        // It may be gone already; what matters is told.
        let _ = fs::remove_file(&beside);
    }
    outcome
}

fn written_beside(path: &Path, content: &[u8]) -> io::Result<PathBuf> {
    let meta = path.metadata()?;
    if meta.permissions().readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let mut number = 0_u32;
    let (beside, mut file) = loop {
        let name = format!(".caveat-fix-{}-{number}", std::process::id());
        let beside = path.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 100 => number += 1,
            opened => break (beside, opened?),
        }
    };
    let written = file
        .set_permissions(meta.permissions())
        .and_then(|()| file.write_all(content))
        .and_then(|()| file.sync_all());
    if let Err(error) = written {
        let _ = fs::remove_file(&beside);
        return Err(error);
    }
    Ok(beside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_changed_meanwhile_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.md");
        fs::write(&path, "theirs").expect("a file");
        assert_eq!(replace(&path, b"ours", b"new"), Err(FixError::Changed));
        assert_eq!(fs::read(&path).expect("a file"), b"theirs");
        assert_eq!(replace(&path, b"theirs", b"new"), Ok(()));
        assert_eq!(fs::read(&path).expect("a file"), b"new");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left beside it");
        fs::remove_file(&path).expect("a file");
        assert_eq!(replace(&path, b"new", b"newer"), Err(FixError::Unwritable));
    }
}
