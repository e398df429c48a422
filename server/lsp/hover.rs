//! What hover says: the proof on every line of a scope, and the rule's page on a finding. Never text of the document.

use caveat_analysis::facts::hidden::hidden_characters;
use caveat_analysis::fix::REASON;
use caveat_analysis::text::{Position, Source, byte_of};
use caveat_analysis::verdict::{Status, Suppression};
use caveat_analysis::{Encoding, Finding, Snapshot};
use jiff::civil::Date;
use tower_lsp::lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Range};

use crate::project::Reading;
use crate::publish::range;

/// Sentences under a heading, in Markdown or plain.
struct Page {
    markdown: bool,
    text: String,
}

/// The hover at `position` of a document that was read; `None`: there is nothing to say.
pub(crate) fn at(
    snapshot: &Snapshot,
    reading: &Reading,
    position: Position,
    encoding: Encoding,
    markdown: bool,
) -> Option<Hover> {
    let line = position.line as usize;
    if line >= snapshot.text().line_count() {
        return None;
    }
    let byte = byte_of(&snapshot.text().line(line), position.column as usize, encoding);
    let findings = reading.findings(snapshot);
    let here: Vec<&Finding> = findings
        .iter()
        .filter(|finding| finding.status != Status::Exempt && covers(finding, line, byte))
        .collect();
    let mut page = Page { markdown, text: String::new() };
    let own = snapshot.text().line(line);
    let touches = |start: usize, end: usize| (start..=end).contains(&byte);
    let hidden: Vec<String> = hidden_characters(&own, line == 0)
        .into_iter()
        .filter(|hidden| touches(hidden.start, hidden.end))
        .map(|hidden| format!("{} \u{d7} {}", hidden.count, hidden.name))
        .collect();
    if !hidden.is_empty() {
        page.paragraph(&format!("Hidden here: {}.", hidden.join(", ")));
    }
    for finding in &here {
        page.finding(finding, reading.env.today);
    }
    for proof in snapshot.proofs_at(line, &findings) {
        page.separate();
        for message in proof.describe() {
            page.paragraph(&message.to_string());
        }
    }
    if reading.env.suppressions {
        let here = |suppression: &&Suppression| suppression.at.line == line;
        for suppression in snapshot.suppressions().iter().filter(here) {
            page.separate();
            for message in suppression.describe(reading.env.today) {
                page.paragraph(&message.to_string());
            }
            let reason = suppression.says.as_ref().map(|allow| allow.reason.clone());
            if reason.is_ok_and(|reason| snapshot.text().line(line).get(reason) == Some(REASON)) {
                page.paragraph("Its reason is still to be filled in.");
            }
        }
    }
    if page.text.is_empty() {
        return None;
    }
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: if markdown { MarkupKind::Markdown } else { MarkupKind::PlainText },
            value: page.text.trim_end().to_owned(),
        }),
        range: here.first().map(|finding| -> Range { range(snapshot.text(), &finding.span, encoding) }),
    })
}

/// Whether the byte `byte` of line `line` is within the finding, its end included: that is where a caret stands after
/// typing it.
fn covers(finding: &Finding, line: usize, byte: usize) -> bool {
    let span = &finding.span;
    (span.line, span.column) <= (line, byte) && (line, byte) <= (span.end_line, span.end_column)
}

impl Page {
    fn finding(&mut self, finding: &Finding, today: Date) {
        self.separate();
        self.paragraph(&finding.message.to_string());
        if let Some(by) = &finding.suppression {
            for sentence in by.describe(today) {
                self.paragraph(&sentence.to_string());
            }
        }
        let rule = finding.rule.rule();
        let page = finding.pattern.map_or_else(|| rule.page(false), |pattern| rule.page_of(pattern));
        match self.markdown {
            true => self.paragraph(&page),
            false => self.paragraph(&plain(&page)),
        }
    }

    fn paragraph(&mut self, text: &str) {
        self.text.push_str(text.trim_end());
        self.text.push_str("\n\n");
    }

    fn separate(&mut self) {
        if !self.text.is_empty() && self.markdown {
            self.text.push_str("---\n\n");
        }
    }
}

/// A page of the catalogue without its marks. What is Markdown in it is known: headings, code spans and list items.
fn plain(page: &str) -> String {
    let lines = page.lines().map(|line| line.trim_start_matches('#').replace('`', ""));
    lines.map(|line| line.trim_start().to_owned()).collect::<Vec<_>>().join("\n")
}
