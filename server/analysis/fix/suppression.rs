//! What can be done about a suppression that does not hold: renew it, correct it, take it out.

use std::ops::Range;

use super::{Fix, FixKind, Fixer, REASON, TextEdit, nearest};
use crate::catalogue::Catalogue;
use crate::facts::allow::{Allow, Fault, FaultKind, is_allowed_inline};
use crate::lines::LineKind;
use crate::text::Source;
use crate::verdict::{Finding, Message, Suppression};

impl Fixer<'_> {
    /// What can be done about `finding`, which a suppression raised.
    pub(super) fn suppression(&self, finding: &Finding) -> Vec<Fix> {
        let all = self.snapshot.suppressions();
        let Some(one) = all.iter().find(|one| {
            one.at.line == finding.span.line && (one.at.start..=one.at.end).contains(&finding.span.column)
        }) else {
            return Vec::new();
        };
        let mut fixes = Vec::new();
        match &one.says {
            Err(fault) => {
                fixes.extend(self.correct(finding, fault));
                fixes.extend(self.remove(finding, one, "Remove this suppression, which suppresses nothing"));
            }
            Ok(allow) if finding.rule.name() == "suppression-expired" => {
                let edits = vec![self.replace(one, allow.expires_at.clone(), self.last_day().to_string())];
                let title = Message::from("Renew this suppression for 90 days");
                fixes.extend(self.tried(FixKind::Renew, title, finding, edits));
                fixes.extend(self.remove(finding, one, "Remove this suppression, which is past its day"));
            }
            Ok(allow) => fixes.extend(self.remove_unused(finding, one, allow)),
        }
        fixes
    }

    fn replace(&self, one: &Suppression, range: Range<usize>, text: String) -> TextEdit {
        let start = self.snapshot.text().line_start(one.at.line);
        TextEdit { range: start + range.start..start + range.end, text }
    }

    fn correct(&self, finding: &Finding, fault: &Fault) -> Option<Fix> {
        let text = self.snapshot.text();
        let start = text.line_start(finding.span.line);
        let line = text.line(finding.span.line);
        let written = line.get(fault.range.clone())?;
        let (title, range, with) = match fault.kind {
            FaultKind::UnknownRule => {
                let ids = Catalogue::get().rules().filter(|(rule, _)| is_allowed_inline(*rule));
                let meant = nearest(written, ids.map(|(_, rule)| rule.id.as_str()))?;
                ("Write the rule's name as it is spelled", fault.range.clone(), meant.to_owned())
            }
            FaultKind::BadDate | FaultKind::NoSuchDay
                if written.starts_with(|c: char| c.is_ascii_digit() || c == '"') =>
            {
                ("Let it hold for 90 days", fault.range.clone(), self.last_day().to_string())
            }
            FaultKind::Word => {
                let file = written.to_ascii_lowercase().contains("file");
                let word = if file { "caveat-allow-file" } else { "caveat-allow" };
                ("Begin it with the word that counts", fault.range.clone(), word.to_owned())
            }
            FaultKind::LongReason | FaultKind::ReasonCharacters | FaultKind::NoReason => {
                let from = line.find("reason=\"")? + "reason=\"".len();
                ("Put a reason to fill in", from..from + line[from..].find('"')?, REASON.to_owned())
            }
            FaultKind::NoExpiry if !line.contains("expires=") => {
                let before = line.find(" reason=")?;
                let day = format!(" expires={}", self.last_day());
                ("Let it hold for 90 days", before..before, day)
            }
            _ => return None,
        };
        let edits = vec![TextEdit { range: start + range.start..start + range.end, text: with }];
        self.tried(FixKind::Correct, Message::from(title), finding, edits)
    }

    /// Takes out what answers for nothing: the whole comment, or the one rule of several that `finding` is about.
    fn remove_unused(&self, finding: &Finding, one: &Suppression, allow: &Allow) -> Option<Fix> {
        let whole = (finding.span.column, finding.span.end_column) == (one.at.start, one.at.end);
        let fix = if whole {
            self.remove(finding, one, "Remove this suppression, which answers for nothing")?
        } else {
            let rules = &allow.rules;
            let at = rules.iter().position(|(_, range)| range.start == finding.span.column)?;
            let range = match at.checked_sub(1) {
                Some(before) => rules[before].1.end..rules[at].1.end,
                None => rules[0].1.start..rules.get(1)?.1.start,
            };
            let title = Message::from("Take this rule out of the suppression: it answers for nothing");
            self.tried(FixKind::Remove, title, finding, vec![self.replace(one, range, String::new())])?
        };
        let alone = self.attempt(finding, &fix.edits).is_some_and(|outcome| outcome.alone);
        Some(Fix { safe: alone, ..fix })
    }

    /// Takes out the comment, with its line where nothing else is on it.
    fn remove(&self, finding: &Finding, one: &Suppression, title: &'static str) -> Option<Fix> {
        let text = self.snapshot.text();
        let line = one.at.line;
        let own = text.line(line);
        let before = own.get(..one.at.start)?.trim_start_matches('\u{feff}');
        let bare = before.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'>'));
        let attempt = |range: Range<usize>| {
            let edits = vec![TextEdit { range, text: String::new() }];
            self.tried(FixKind::Remove, Message::from(title), finding, edits)
        };
        let comment = || {
            let start = text.line_start(line);
            attempt(start + one.at.start..start + one.at.end)
        };
        if !bare || self.parts(line) {
            return comment();
        }
        let start = self.line_start(line);
        let whole = if line + 1 < text.line_count() {
            start..text.line_start(line + 1)
        } else if line > 0 {
            text.line_start(line - 1) + text.line(line - 1).len()..text.len()
        } else {
            start..text.len()
        };
        attempt(whole).or_else(comment)
    }

    /// Whether a comment on line `line` keeps two blocks apart that would be one without it.
    fn parts(&self, line: usize) -> bool {
        let kind = |line: usize| self.snapshot.records().get(line).map(|record| record.line.kind);
        let text = |kind: Option<LineKind>| {
            matches!(kind, Some(LineKind::Prose | LineKind::Item | LineKind::Table | LineKind::Html))
        };
        line > 0 && text(kind(line - 1)) && !matches!(kind(line + 1), None | Some(LineKind::Blank))
    }
}
