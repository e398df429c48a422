//! How a scan unit is read: what kind of text it is, by its first line and the state before it.

use crate::facts::allow::Comment;
use crate::facts::command::Place;
use crate::lines::{Fed, Flags, Format, HtmlEnd, Lang, Leaf, LexState, Lexed, LineKind, Sub, may_fetch};

/// How a scan unit is read.
#[derive(Clone, Copy, Debug)]
pub(in crate::facts) struct Reading {
    pub(in crate::facts) place: Place,
    /// It is a heading, or a paragraph's only line above a setext underline.
    pub(in crate::facts) heading: bool,
    /// It is a table's header.
    pub(in crate::facts) header: bool,
    /// It stands in a here-document that no shell runs.
    pub(in crate::facts) inert: bool,
    /// Its `$(...)` is expanded although no shell runs it.
    pub(in crate::facts) expands: bool,
    /// The state of the fence before it.
    pub(in crate::facts) sub: Sub,
    /// The kind of comment that it may be.
    pub(in crate::facts) comment: Option<Comment>,
    /// It is a line of an HTML block.
    pub(in crate::facts) html: bool,
    /// It begins inside an HTML comment.
    pub(in crate::facts) in_comment: bool,
    /// It begins inside a style sheet.
    pub(in crate::facts) in_style: bool,
    /// It is the document's first line.
    pub(in crate::facts) at_start: bool,
    /// Commands are looked for.
    pub(in crate::facts) commands: bool,
    /// It is a record, whose values are read one by one.
    pub(in crate::facts) record: Option<Format>,
    /// It is a part of a record's value, or a line of one that is broken, or of plain text: nothing in it governs what
    /// stands below.
    pub(in crate::facts) inside: bool,
    /// It is code of a document that is a program: its strings speak to whoever reads it as its comments do.
    pub(in crate::facts) program: bool,
    /// It is a line of a table of values, of which each may be a command.
    pub(in crate::facts) cells: bool,
}

impl Reading {
    pub(in crate::facts) fn of(line: &Lexed, entry: LexState, next: Flags) -> Option<Reading> {
        let header = next.has(Flags::DELIMITER);
        let heading =
            line.kind == LineKind::Heading || (next.has(Flags::SETEXT) && line.flags.has(Flags::START));
        let place = match line.kind {
            LineKind::Blank | LineKind::Rule => return None,
            LineKind::Table if line.flags.has(Flags::DELIMITER) => return None,
            LineKind::Heading if line.flags.has(Flags::SETEXT) => return None,
            LineKind::Fence if line.flags.has(Flags::CLOSE) => return None,
            LineKind::Prose | LineKind::Item if header => Place::Row,
            LineKind::Heading | LineKind::Prose | LineKind::Fence | LineKind::Html => Place::Prose,
            LineKind::Item => Place::Item,
            LineKind::Table => Place::Row,
            LineKind::FrontMatter => Place::FrontMatter,
            LineKind::Code => {
                let (lang, sub) = match entry.leaf {
                    Leaf::Fence { lang, sub, .. } | Leaf::Script { lang, sub } => (lang, sub),
                    _ => (Lang::Unknown, Sub::Fresh),
                };
                let (lang, inert, expands) = match sub {
                    Sub::HereDoc { by: Fed::Program(lang), expands, .. } => (lang, false, expands),
                    Sub::HereDoc { by, expands, .. } => {
                        (lang, by == Fed::Nobody, expands && by == Fed::Nobody)
                    }
                    _ => (lang, false, false),
                };
                let in_fence = matches!(entry.leaf, Leaf::Fence { .. });
                let by_lines = matches!(sub, Sub::Record { left: 0, .. });
                let record = Format::of(lang).filter(|_| in_fence && !by_lines);
                let sub = match sub {
                    Sub::Record { rules: Some(denied), .. } => Sub::Rules { denied },
                    Sub::Record { .. } => Sub::Fresh,
                    sub => sub,
                };
                let plain = Reading::plain(Place::Code(lang));
                let program = matches!(entry.leaf, Leaf::Script { .. });
                return Some(Reading { inert, expands, sub, record, inside: program, program, ..plain });
            }
            // A comment of a program is for its reader; a command in it is none that runs.
            LineKind::Data if matches!(entry.leaf, Leaf::Script { .. }) => {
                return Some(Reading { inside: true, commands: false, ..Reading::plain(Place::Prose) });
            }
            LineKind::Data => {
                let Leaf::Data(format) = entry.leaf else { return None };
                if matches!(format, Format::Text | Format::Markup) {
                    let cells = format == Format::Text;
                    return Some(Reading { inside: true, cells, ..Reading::plain(Place::Prose) });
                }
                let comment = matches!(format, Format::Yaml | Format::Toml).then_some(Comment::Hash);
                let plain = Reading::plain(Place::Code(format.lang()));
                return Some(Reading { comment, record: Some(format), inside: true, ..plain });
            }
        };
        let comment = match line.kind {
            LineKind::Html if line.flags.has(Flags::START) => Some(Comment::Html),
            LineKind::FrontMatter if !matches!(line.exit.leaf, Leaf::FrontMatter(b'{' | b'j' | b';')) => {
                Some(Comment::Hash)
            }
            _ => None,
        };
        let html = line.kind == LineKind::Html;
        let record = match line.exit.leaf {
            Leaf::FrontMatter(b'+') => Some(Format::Toml),
            Leaf::FrontMatter(b'{' | b'j' | b';') => Some(Format::Json),
            Leaf::FrontMatter(_) => Some(Format::Yaml),
            _ => None,
        };
        let in_comment = entry.leaf == Leaf::Html(HtmlEnd::Comment);
        let at_start = matches!(entry.leaf, Leaf::Begin { .. });
        let in_style = entry.leaf == Leaf::Html(HtmlEnd::Style);
        let known = Reading { heading, header, comment, html, at_start, ..Reading::plain(place) };
        Some(Reading { in_comment, in_style, record, ..known })
    }

    /// Whether what `text` fetches may be run on a later line.
    pub(in crate::facts) fn may_fetch(&self, text: &str) -> bool {
        let script = matches!(self.place, Place::Code(Lang::Shell | Lang::Unknown | Lang::Console));
        script && !self.inert && self.record.is_none() && may_fetch(text)
    }

    /// A unit of which nothing but its place is known.
    pub(in crate::facts) fn plain(place: Place) -> Reading {
        Reading {
            place,
            heading: false,
            header: false,
            inert: false,
            expands: false,
            sub: Sub::Fresh,
            comment: None,
            html: false,
            in_comment: false,
            in_style: false,
            at_start: false,
            commands: true,
            record: None,
            inside: false,
            program: false,
            cells: false,
        }
    }
}
