//! What can be done about a suppression that does not hold: renew it, correct it, take it out.

use std::ops::Range;

use jiff::civil::Date;

use super::{Fix, FixKind, Fixer, REASON, TextEdit, place};
use crate::catalogue::Catalogue;
use crate::facts::allow::{self, Allow, Fault, FaultKind, is_allowed_inline};
use crate::lines::LineKind;
use crate::nearest::nearest;
use crate::scope;
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
                fixes.extend(self.correct(finding, one, fault));
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

    fn correct(&self, finding: &Finding, one: &Suppression, fault: &Fault) -> Option<Fix> {
        let text = self.snapshot.text();
        let start = text.line_start(finding.span.line);
        let line = text.line(finding.span.line);
        let written = line.get(fault.range.clone())?;
        if fault.kind == FaultKind::TextBefore {
            return self.apart(finding, one);
        }
        let (title, range, with) = match fault.kind {
            FaultKind::Dashes => {
                let with = written.replace(allow::is_dash, "-");
                // Of a comment's mark, two stand for one long dash.
                let with = match with.strip_prefix("<!-") {
                    Some(rest) => format!(
                        "<!-- {} -->",
                        rest.trim_start_matches('-').trim_end_matches(['>', '-']).trim()
                    ),
                    None => with,
                };
                ("Write its dashes as hyphens", fault.range.clone(), with)
            }
            kind => mended(kind, written, &line, fault.range.clone(), self.last_day())?,
        };
        let edits = vec![TextEdit { range: start + range.start..start + range.end, text: with }];
        self.tried(FixKind::Correct, Message::from(title), finding, edits)
    }

    /// Puts the comment of a suppression on a line of its own, right before the block that it stands in.
    fn apart(&self, finding: &Finding, one: &Suppression) -> Option<Fix> {
        let text = self.snapshot.text();
        let line = one.at.line;
        let own = text.line(line);
        let title = Message::from("Put this suppression on a line of its own");
        let comment = own.get(one.at.start..one.at.end)?;
        let before = own[..one.at.start].trim_end_matches([' ', '\t']).len();
        let start = text.line_start(line);
        let out = TextEdit { range: start + before..start + one.at.end, text: String::new() };
        let (_, lines) = scope::at(self.snapshot.blocks(), line)?;
        let record =
            matches!(self.snapshot.records().get(line)?.line.kind, LineKind::FrontMatter | LineKind::Data);
        // A record is one block; there the comment stands above its own line.
        let above = if record { line } else { lines.start };
        let first = text.line(above);
        let first = first.trim_start_matches('\u{feff}');
        let indent = &first[..first.len() - first.trim_start_matches([' ', '\t']).len()];
        let prefixes = if record { vec![indent] } else { place::prefixes(first) };
        prefixes.into_iter().find_map(|prefix| {
            let put = format!("{prefix}{comment}{}", self.line_end(above));
            let edits = vec![TextEdit::insert(self.line_start(above), put), out.clone()];
            self.tried(FixKind::Correct, title.clone(), finding, edits)
        })
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

/// What mends the fault of `line` at `at`, which is `written`: its title, the bytes of the line, and what comes there.
fn mended(
    kind: FaultKind,
    written: &str,
    line: &str,
    at: Range<usize>,
    last_day: Date,
) -> Option<(&'static str, Range<usize>, String)> {
    Some(match kind {
        FaultKind::UnknownRule => {
            let ids = Catalogue::get().rules().filter(|(rule, _)| is_allowed_inline(*rule));
            let meant = nearest(written, ids.map(|(_, rule)| rule.id.as_str()))?;
            ("Write the rule's name as it is spelled", at, meant.to_owned())
        }
        FaultKind::BadDate | FaultKind::NoSuchDay
            if written.starts_with(|c: char| c.is_ascii_digit() || allow::is_quote(c)) =>
        {
            ("Let it hold for 90 days", at, last_day.to_string())
        }
        FaultKind::QuotedDay => {
            ("Take the quotes away", at, written.trim_matches(allow::is_quote).to_owned())
        }
        FaultKind::Word | FaultKind::Reach => {
            let word = allow::plain(written);
            let whole = ["file", "document", "global", "all"];
            let file = word.split(['-', ' ', ':']).any(|part| whole.contains(&part) || part == "files");
            let count = if file { allow::WORDS[1] } else { allow::WORDS[0] };
            // The reach stands by itself behind the word that counts: "caveat-allow file".
            let first = line[..at.start].rfind(allow::WORDS[0]).filter(|_| allow::is_reach(&word));
            match first {
                Some(first) => ("Say how far it reaches in its first word", first..at.end, count.to_owned()),
                None => ("Begin it with the word that counts", at, count.to_owned()),
            }
        }
        FaultKind::TrailingComma => ("Take the comma away", at, String::new()),
        FaultKind::NoComma => {
            let before = line[..at.start].trim_end_matches([' ', '\t']).len();
            ("Put a comma between the rules", before..before, ",".to_owned())
        }
        FaultKind::Key => {
            let reason = ["reason", "because", "why", "justification"];
            let name = allow::plain(written);
            let is_reason = reason.iter().any(|reason| name.starts_with(reason));
            let key = if is_reason { "reason=" } else { "expires=" };
            ("Write it as it has to be", at, key.to_owned())
        }
        FaultKind::Order => {
            let rest = &line[at.end..];
            let rest = rest.split("-->").next().unwrap_or(rest);
            let day = rest.trim_start_matches([' ', '\t']);
            let end = day.find([' ', '\t']).unwrap_or(day.len());
            let day = &day[..end];
            let end = at.end + (rest.len() - rest.trim_start_matches([' ', '\t']).len()) + end;
            ("Put the day before the reason", at.start..end, format!("{day} {written}"))
        }
        FaultKind::Doubled => {
            let before = line[..at.start].trim_end_matches([' ', '\t']).len();
            ("Take the second one away", before..at.end, String::new())
        }
        FaultKind::Quotes => {
            let inside = written.trim().trim_matches(allow::is_quote).replace('"', "\\\"");
            ("Write the reason in straight double quotes", at, format!("\"{inside}\""))
        }
        FaultKind::LongReason | FaultKind::ReasonCharacters | FaultKind::NoReason => {
            let from = line.find("reason=\"")? + "reason=\"".len();
            ("Put a reason to fill in", from..from + line[from..].find('"')?, REASON.to_owned())
        }
        FaultKind::NoExpiry if !line.contains("expires=") => {
            let before = line.find(" reason=")?;
            ("Let it hold for 90 days", before..before, format!(" expires={last_day}"))
        }
        _ => return None,
    })
}
