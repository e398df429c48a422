//! Comments of templates and of notes, and formulas without ink.
//!
//! What turns a source into a page takes these out: MDX and JSX, Jinja, Liquid, Handlebars, ERB and JSP, PHP, Obsidian,
//! and whatever HTML takes for a comment that is none. As with those of HTML, only what speaks to an agent is told.

use std::ops::Range;

use memchr::memmem;

use super::{Form, speaks_to_agent};

/// What opens and closes such a comment; and whether it may stay open to the end.
const COMMENTS: [(&str, &str, bool); 13] = [
    ("{/*", "*/}", true),
    ("{#", "#}", true),
    ("{{!--", "--}}", true),
    ("{{!", "}}", true),
    ("{{/*", "*/}}", true),
    ("{% comment", "endcomment", true),
    ("{%- comment", "endcomment", true),
    ("<%--", "--%>", true),
    ("<%#", "%>", true),
    ("<![CDATA[", "]]>", true),
    ("<?", "?>", false),
    ("%%", "%%", false),
    ("%{", "}%", false),
];

/// Looks through `text` for them.
pub(super) fn scan(text: &str, found: &mut Vec<(Range<usize>, Form)>) {
    let bytes = text.as_bytes();
    if memchr::memchr3(b'{', b'%', b'<', bytes).is_none() {
        return;
    }
    let first = found.len();
    for (open, close, may_stay_open) in COMMENTS {
        let mut at = 0;
        while let Some(start) = memmem::find(&bytes[at..], open.as_bytes()).map(|start| at + start) {
            let words = start + open.len();
            let end = memmem::find(&bytes[words..], close.as_bytes()).map(|length| words + length);
            let alone = may_stay_open && text[..start].trim_end_matches([' ', '\t']).ends_with(['\n'])
                || text[..start].trim().is_empty();
            at = end.map_or(text.len(), |end| end + close.len());
            if (end.is_some() || alone) && speaks_to_agent(&text[words..end.unwrap_or(text.len())]) {
                found.push((start..at, Form::Comment));
            }
        }
    }
    bogus(text, found);
    // `{{!--` is `{{!` too.
    let mut kept: Vec<(Range<usize>, Form)> = Vec::new();
    for (range, form) in found.drain(first..) {
        if kept.iter().all(|(known, _)| range.end <= known.start || known.end <= range.start) {
            kept.push((range, form));
        }
    }
    found.append(&mut kept);
    if memchr::memchr(b'\\', bytes).is_some() {
        formulas(text, found);
    }
}

/// The last comment in `text`, or folded element, that begins a line and does not end there: where it begins, what ends
/// it, and what it is.
pub(super) fn left_open(text: &str) -> Option<(usize, &'static str, Form)> {
    memchr::memchr3(b'{', b'%', b'<', text.as_bytes())?;
    let begins_line =
        |at: usize| text[..at].trim_end_matches([' ', '\t']).ends_with('\n') || text[..at].trim().is_empty();
    let comments =
        COMMENTS.iter().filter(|(_, _, may)| *may).map(|(open, close, _)| (*open, *close, Form::Comment));
    let folded = [("%%\n", "%%", Form::Comment), ("<details", "</details", Form::Element)];
    comments.chain(folded).find_map(|(open, close, form)| {
        let start = text.rfind(open).or_else(|| text.strip_suffix(open.trim_end()).map(str::len))?;
        let rest = &text[start + open.trim_end().len()..];
        let shown = form == Form::Element
            && rest
                .split('>')
                .next()
                .is_some_and(|tag| tag.split_whitespace().any(|word| word.starts_with("open")));
        (begins_line(start) && !rest.contains(close) && !shown).then_some((start, close, form))
    })
}

/// What HTML reads as a comment although it is written otherwise: `<!x …>`, `</ …>`.
fn bogus(text: &str, found: &mut Vec<(Range<usize>, Form)>) {
    let bytes = text.as_bytes();
    for start in memchr::memchr_iter(b'<', bytes) {
        let is = match bytes.get(start + 1..start + 3) {
            Some([b'!', b'-' | b'[']) => false,
            Some([b'!', _]) => true,
            Some([b'/', other]) => !other.is_ascii_alphabetic(),
            _ => false,
        };
        if !is {
            continue;
        }
        let Some(end) = memchr::memchr(b'>', &bytes[start..]).map(|length| start + length) else { return };
        if speaks_to_agent(&text[start + 2..end]) {
            found.push((start..end + 1, Form::Comment));
        }
    }
}

/// Commands of TeX that set without ink, or in the colour of the page.
const INKLESS: [&str; 7] = [
    "\\phantom{",
    "\\hphantom{",
    "\\vphantom{",
    "\\color{white}",
    "\\textcolor{white}{",
    "\\color{#fff}",
    "\\textcolor{#ffffff}{",
];

fn formulas(text: &str, found: &mut Vec<(Range<usize>, Form)>) {
    for command in INKLESS {
        let mut at = 0;
        while let Some(start) =
            memmem::find(&text.as_bytes()[at..], command.as_bytes()).map(|start| at + start)
        {
            let words = start + command.len();
            let end = group_end(text, words);
            at = end;
            // Space of a symbol's width is what these are for; nobody needs that of a sentence.
            let long = |word: &&str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
            let inner = text[words..end].split(['\\', '{', '}', '$']).flat_map(str::split_whitespace);
            if inner.filter(long).count() > 3 {
                found.push((start..end, Form::Style));
            }
        }
    }
}

/// Where the group that is open at `from` closes, or the formula ends.
fn group_end(text: &str, from: usize) -> usize {
    let mut depth = 0_u32;
    for (at, byte) in text.bytes().enumerate().skip(from) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 0 => return at,
            b'}' => depth -= 1,
            b'$' => return at,
            _ => {}
        }
    }
    text.len()
}
