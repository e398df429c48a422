use super::*;
use expect_test::{Expect, expect};

fn lex(text: &str) -> Vec<Lexed> {
    let mut interned = Interned::default();
    let source = crate::text::Str::new(text);
    let lines: Vec<&str> =
        (0..crate::text::Source::line_count(&source)).map(|i| source.line_str(i)).collect();
    let front = opens_front_matter(lines[0], lines[1..].iter().take(400).map(|line| (*line).into()));
    let mut state = LexState::begin(front);
    lines
        .iter()
        .map(|line| {
            let lexed = lex_line(&state, line, &mut interned);
            state = lexed.exit;
            lexed
        })
        .collect()
}

fn check(text: &str, expected: Expect) {
    let out: String = lex(text)
        .iter()
        .zip(text.split('\n'))
        .map(|(l, text)| format!("{:?}{} {:?}\n", l.kind, marks(l), &text[l.content as usize..]))
        .collect();
    expected.assert_eq(&out);
}

fn marks(l: &Lexed) -> String {
    let all = [
        (Flags::START, "s"),
        (Flags::JOIN, "j"),
        (Flags::SIBLING, "S"),
        (Flags::SETEXT, "="),
        (Flags::DELIMITER, "|"),
        (Flags::CLOSE, "c"),
        (Flags::LAZY, "l"),
        (Flags::QUOTED, ">"),
    ];
    let set: String = all.iter().filter(|(f, _)| l.flags.has(*f)).map(|(_, m)| *m).collect();
    format!("[{set}{}]", l.depth)
}

#[test]
fn shapes() {
    check(
        "# a\n\ntext\n- one\n- two\n  more\nlazy\n1. x\n\n   y\n> q\n",
        expect![[r#"
        Heading[s0] "a"
        Blank[s0] ""
        Prose[s0] "text"
        Item[s1] "one"
        Item[sS1] "two"
        Prose[j1] "more"
        Prose[jl1] "lazy"
        Item[s1] "x"
        Blank[s1] ""
        Prose[s1] "y"
        Prose[s>1] "q"
        Blank[s0] ""
    "#]],
    );
    check(
        "a\n===\na | b\n--|--\n1 | 2\n\n```sh x\n rm\n````\n~~~\n```\n",
        expect![[r#"
        Prose[s0] "a"
        Heading[=0] "==="
        Prose[s0] "a | b"
        Table[|0] "--|--"
        Table[0] "1 | 2"
        Blank[s0] ""
        Fence[s0] "```sh x"
        Code[0] " rm"
        Fence[c0] "````"
        Fence[s0] "~~~"
        Code[0] "```"
        Code[0] ""
    "#]],
    );
    check(
        "---\na: b\n---\n<!-- x\n\ny --> z\n    code\n<div>\n\n* * *\n-\n\n  x",
        expect![[r#"
        FrontMatter[s0] "---"
        FrontMatter[j0] "a: b"
        FrontMatter[c0] "---"
        Html[s0] "<!-- x"
        Html[0] ""
        Html[c0] "y --> z"
        Code[s0] "code"
        Html[s0] "<div>"
        Blank[s0] ""
        Rule[s0] "* * *"
        Item[s1] ""
        Blank[s0] ""
        Prose[s0] "x"
    "#]],
    );
}

/// What stands in more containers than are opened is seen like what stands in the deepest: a fence opens and closes, its
/// lines are code, and what follows outside is outside.
#[test]
fn containers_deeper_than_are_opened() {
    let depth = usize::from(state::DEPTH);
    for over in [0, 1, 2, 30] {
        let quotes = "> ".repeat(depth + over);
        let tight = ">".repeat(depth + over);
        let dashes = "- ".repeat(depth + over);
        let inside = "  ".repeat(depth + over);
        for (first, next) in [(&quotes, &quotes), (&tight, &tight), (&dashes, &inside)] {
            let text = format!("{first}```sh\n{next}ls\n{next}```\n\nb\n");
            let kinds: Vec<LineKind> = lex(&text).iter().map(|lexed| lexed.kind).collect();
            use LineKind::{Blank, Code, Fence, Prose};
            // the first line's containers begin on it, and what opens them names its kind
            assert_eq!(kinds[1..], [Code, Fence, Blank, Prose, Blank], "{over} over {first:?}");
        }
        let nested: String = (0..depth + over).map(|at| format!("{}- a\n", "  ".repeat(at))).collect();
        let text = format!("{nested}\n{inside}```sh\n{inside}ls\n{inside}```\n");
        let lexed = lex(&text);
        let kinds: Vec<LineKind> = lexed[lexed.len() - 4..].iter().map(|lexed| lexed.kind).collect();
        assert_eq!(kinds[..3], [LineKind::Fence, LineKind::Code, LineKind::Fence], "{over} over a list");
    }
}
