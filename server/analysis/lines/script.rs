//! A line of a document that is a program: a script of a shell, a Makefile, a file in Python.
//!
//! It is read as a fence in its language would be, with two differences. Nothing closes it, and nothing in it is markup: `# BAD`
//! is a comment and no heading. And its comments are told apart, because they are for whoever reads the file: a sentence
//! in them goes on from line to line.

use super::state::{Leaf, LexState};
use super::sub::{Names, SPAN, Sub, advance};
use super::{Flags, Lang, Lexed, LineKind};

/// Reads `line` of a program in `lang`, in the state `sub` of the command before it. A comment is a line of kind
/// [`LineKind::Data`] whose content is its words; every other line is code.
pub(super) fn line(line: &str, lang: Lang, sub: Sub, names: &mut Names) -> Lexed {
    let mark = if line.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let text = &line[mark..];
    let comment = if sub == Sub::Fresh { words_of_comment(text, lang) } else { None };
    let after = match lang {
        Lang::Python | Lang::JavaScript | Lang::Other => in_brackets(sub, text),
        _ if comment.is_none() && lang.continues() => advance(sub, lang, text, names),
        _ => Sub::Fresh,
    };
    let exit = LexState { leaf: Leaf::Script { lang, sub: after }, ..LexState::default() };
    match comment {
        Some(at) => {
            let exit = LexState { leaf: Leaf::Script { lang, sub: Sub::Fresh }, ..exit };
            Lexed::plain(exit, LineKind::Data, Flags::default(), mark + at)
        }
        None => {
            let flags = if sub.goes_on() { Flags::JOIN } else { Flags::default() };
            Lexed::plain(exit, LineKind::Code, flags, mark)
        }
    }
}

/// The byte at which the words of a comment begin, where `line` is nothing but one.
fn words_of_comment(line: &str, lang: Lang) -> Option<usize> {
    let openers: &[&str] = match lang {
        Lang::JavaScript => &["//", "/*"],
        Lang::Other => &["//", "/*", "--", "#", ";"],
        Lang::Sql => &["--"],
        Lang::Cmd => &["::", "rem ", "@rem "],
        Lang::PowerShell => &["#", "<#"],
        _ => &["#"],
    };
    let start = line.len() - line.trim_start().len();
    let opens = |opener: &&str| {
        line.as_bytes()
            .get(start..start + opener.len())
            .is_some_and(|b| b.eq_ignore_ascii_case(opener.as_bytes()))
    };
    let opener = openers.iter().copied().find(opens)?;
    let rest = &line[start + opener.len()..];
    let words = rest.trim_start_matches(|c: char| c.is_whitespace() || opener.contains(c));
    // What closes a comment on its line has code behind it.
    let closer = match opener {
        "/*" => "*/",
        "<#" => "#>",
        _ => return Some(line.len() - words.len()),
    };
    rest.trim_end()
        .strip_suffix(closer)
        .unwrap_or(rest)
        .find(closer)
        .is_none()
        .then_some(line.len() - words.len())
}

/// The state behind a line of a program in which a call may go on over lines: inside its brackets, as long as each line
/// but the last ends where another one has to follow.
fn in_brackets(sub: Sub, line: &str) -> Sub {
    let left = match sub {
        Sub::Continued { left } => left,
        _ => u16::from(SPAN) - 1,
    };
    let text = line.trim_end();
    let count = |marks: [u8; 2]| text.bytes().filter(|byte| marks.contains(byte)).count();
    let open = count([b'(', b'[']) > count([b')', b']']);
    let goes_on = text.ends_with(['(', '[']) || (text.ends_with(',') && (open || sub.goes_on()));
    if goes_on && left > 0 { Sub::Continued { left: left - 1 } } else { Sub::Fresh }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the lines of `text` are, a letter each: `c`ode, code that goes `o`n with the line above, `w`ords of a comment.
    fn kinds(text: &str, lang: Lang) -> String {
        let (mut names, mut state) = (Names::default(), Sub::Fresh);
        let kind = |text: &str| {
            let lexed = line(text, lang, state, &mut names);
            if let Leaf::Script { sub, .. } = lexed.exit.leaf {
                state = sub;
            }
            match lexed.kind {
                LineKind::Data => 'w',
                _ if lexed.flags.has(Flags::JOIN) => 'o',
                _ => 'c',
            }
        };
        text.lines().map(kind).collect()
    }

    #[test]
    fn comments_are_told_from_code() {
        for (lang, text, expected) in [
            (Lang::Shell, "#!/bin/sh\n# BAD\nls # x\n\n  ## y", "wwccw"),
            (Lang::Shell, "cat <<EOF\n# no comment\nEOF\n# one", "cccw"),
            (Lang::Shell, "echo \"a\n# b\n\"", "coo"),
            (Lang::Shell, "ls \\\n  -l\n# x", "cow"),
            (
                Lang::Python,
                "run(\n  [\"a\",\n   \"b\"],\n  check=True,\n)\nx = 1",
                "coooocc".get(..6).unwrap_or_default(),
            ),
            (Lang::Python, "f(a, b)\ng(a,\n  b)\nh = 1,", "ccoc"),
            (Lang::JavaScript, "// a\nexec(\n  'b',\n  () => {\n  c()", "wcooc"),
            (Lang::JavaScript, "/* a */\n/* a */ exec('b')", "wc"),
            (Lang::Cmd, "REM a\n:: b\ndel c", "wwc"),
            (Lang::Sql, "-- a\nselect 1;", "wc"),
            (Lang::Makefile, "# a\nb:\n\tc \\\n\t  d", "wcco"),
        ] {
            assert_eq!(kinds(text, lang), expected, "{text}");
        }
    }
}
