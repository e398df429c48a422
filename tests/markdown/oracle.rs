//! A second opinion on what each line is: pulldown-cmark's events, brought to one class a line.

use caveat_analysis::scope::{self, BlockKind};
use caveat_analysis::text::{Source, Str};
use caveat_analysis::{Document, Language};
use pulldown_cmark::{Event, Options, Parser, Tag};

/// What a line is, as far as both readers can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Nothing,
    Text,
    Heading,
    Fenced,
    Indented,
    Html,
    Table,
    Rule,
    FrontMatter,
}

/// A line's class, and whether a list item begins on it.
pub(super) type Reading = (Class, bool);

/// What caveat reads.
pub(super) fn ours(text: &str) -> Vec<Reading> {
    let snapshot = Document::new(text, Language::Markdown, std::sync::Arc::default()).snapshot();
    let mut readings = Vec::new();
    for (line, record) in snapshot.records().iter_from(0).enumerate() {
        let (index, lines) = scope::at(snapshot.blocks(), line).expect("blocks tile the document");
        let block = snapshot.blocks().get(index).expect("it was just found");
        let class = match block.kind {
            BlockKind::Blank | BlockKind::Data => Class::Nothing,
            BlockKind::Paragraph => Class::Text,
            // What an entry is beyond text (a heading, a table) is not told of the list as a whole.
            BlockKind::List if !block.closed => Class::Nothing,
            // A line at the margin ends a direct list for seed 1, and belongs to its last entry for CommonMark.
            BlockKind::List if is_lazy(&snapshot, lines.end) => Class::Nothing,
            BlockKind::List => Class::Text,
            BlockKind::Heading => Class::Heading,
            BlockKind::Fence => Class::Fenced,
            BlockKind::Code => Class::Indented,
            BlockKind::Table => Class::Table,
            BlockKind::Html => Class::Html,
            BlockKind::Rule => Class::Rule,
            BlockKind::FrontMatter => Class::FrontMatter,
        };
        let item = record.line.kind == caveat_analysis::lines::LineKind::Item;
        readings.push((class, item));
    }
    readings
}

fn is_lazy(snapshot: &caveat_analysis::Snapshot, line: usize) -> bool {
    snapshot
        .records()
        .get(line)
        .is_some_and(|record| record.line.flags.has(caveat_analysis::lines::Flags::LAZY))
}

/// What pulldown-cmark reads.
pub(super) fn theirs(text: &str) -> Vec<Reading> {
    let lines = Str::new(text);
    let mut readings = vec![(Class::Nothing, false); lines.line_count()];
    // pulldown-cmark takes front matter for one wherever it stands, so it is asked only where caveat sees it.
    let mut options = Options::ENABLE_TABLES;
    options.set(Options::ENABLE_YAML_STYLE_METADATA_BLOCKS, text.starts_with("---"));
    options.set(Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS, text.starts_with("+++"));
    let mut leaf = 0;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        let first = lines.line_at(range.start);
        let fenced = matches!(event, Event::Start(Tag::CodeBlock(pulldown_cmark::CodeBlockKind::Fenced(_))));
        let trimmed = if fenced {
            range.len()
        } else {
            text[range.clone()].trim_end_matches(['\n', '\r', ' ', '\t']).len()
        };
        let last = lines.line_at(range.start + trimmed.saturating_sub(1));
        let mut mark = |class| {
            for reading in &mut readings[first..=last] {
                reading.0 = class;
            }
        };
        let class = match &event {
            Event::Start(Tag::Heading { .. }) => Some(Class::Heading),
            Event::Start(Tag::CodeBlock(pulldown_cmark::CodeBlockKind::Fenced(_))) => Some(Class::Fenced),
            Event::Start(Tag::CodeBlock(pulldown_cmark::CodeBlockKind::Indented)) => Some(Class::Indented),
            Event::Start(Tag::HtmlBlock) => Some(Class::Html),
            Event::Start(Tag::Table(_)) => Some(Class::Table),
            Event::Start(Tag::MetadataBlock(_)) => Some(Class::FrontMatter),
            _ => None,
        };
        match event {
            Event::Start(_) if leaf > 0 => leaf += 1,
            Event::End(_) if leaf > 0 => leaf -= 1,
            Event::Start(Tag::Item) => readings[first].1 = true,
            Event::Start(_) if class.is_some() => {
                leaf = 1;
                mark(class.unwrap_or(Class::Nothing));
            }
            Event::Rule => mark(Class::Rule),
            Event::Text(_) | Event::Code(_) | Event::InlineHtml(_) | Event::SoftBreak | Event::HardBreak
                if leaf == 0 =>
            {
                mark(Class::Text);
            }
            _ => {}
        }
    }
    readings
}

/// The first line that the two read differently: zero-based, with both readings.
pub(super) fn difference(text: &str) -> Option<(usize, Reading, Reading)> {
    let first = pairs(text).enumerate().find(|(_, (a, b))| differ(*a, *b)).map(|(line, (a, b))| (line, a, b));
    // Code or a complete tag right below a table ends it for GFM and for us; for pulldown-cmark it is one more row.
    first.filter(|(_, a, b)| !(matches!(a.0, Class::Indented | Class::Html) && b.0 == Class::Table))
}

/// How many lines there are, and how many of them the two read differently.
pub(super) fn share(text: &str) -> (usize, usize) {
    let pairs: Vec<_> = pairs(text).collect();
    (pairs.len(), pairs.iter().filter(|(a, b)| differ(*a, *b)).count())
}

fn pairs(text: &str) -> impl Iterator<Item = (Reading, Reading)> {
    let (mut ours, theirs) = (ours(text), theirs(text));
    if text.ends_with('\n') {
        // Behind the last line end there is an empty line for caveat, and nothing for pulldown-cmark.
        ours.pop();
    }
    ours.into_iter().zip(theirs)
}

/// A line that holds no text for one of them (a marker alone, a blank line in indented code, a link definition) is not
/// compared by class.
fn differ(a: Reading, b: Reading) -> bool {
    let silent = |class| class == Class::Nothing;
    let fenced = a.0 == Class::Fenced || b.0 == Class::Fenced;
    let class = a.0 != b.0 && (fenced || !(silent(a.0) || silent(b.0)));
    // Where an item begins with something else than text, a quote say, that is what caveat says of the line.
    let text = a.0 == Class::Text && b.0 == Class::Text;
    class || (text && a.1 && !b.1)
}
