use proptest::prelude::*;

use super::*;

fn turns(read: impl Fn(&str) -> Option<Turn>, turn: Option<Turn>, texts: &[&str]) {
    let wrong: Vec<_> =
        texts.iter().filter(|text| read(text) != turn).map(|text| (text, read(text))).collect();
    assert!(wrong.is_empty(), "wanted {turn:?}: {wrong:#?}");
}

#[test]
fn headings_that_are_a_form_from_end_to_end() {
    turns(
        heading,
        Some(Turn::Bad),
        &[
            "Anti-patterns",
            "**Antipatterns**",
            "Bad examples",
            "Bad Example:",
            "What gets blocked",
            "\u{1f6ab} What gets blocked",
            "What the hook blocks",
            "Blocked commands",
            "Blocked git commands",
            "Commands blocked",
            "Operations to block",
            "Forbidden commands",
            "NEVER DO THIS",
            "Never run these commands",
            "Commands to avoid",
            "Commands to never run",
            "Things to never do",
            "Don't",
            "Don\u{2019}t do this!",
            "\u{274c} Wrong",
            "\u{274c}",
            "Common mistakes",
            "Red flags",
            "Commands that are always blocked",
            "What not to do",
        ],
    );
    turns(
        heading,
        Some(Turn::Good),
        &[
            "Instead",
            "Do this",
            "Correct",
            "Good example",
            "\u{2705} Clean up",
            "Recovery",
            "How to fix it",
            "Common mistakes and fixes",
            "Safe alternatives",
        ],
    );
    turns(
        heading,
        None,
        &[
            "Never do this on Fridays",
            "Avoid unless asked",
            "Blocked commands in production",
            "Blocked commands, except on CI",
            "Never skip this",
            "Do not be afraid",
            "\u{274c} The build fails",
            "Dangerous operations",
            "Cleaning up",
            "Unblocked commands",
            "Not forbidden commands",
            "No bad examples",
            "`Blocked commands`",
            "Bl\u{43e}cked commands",
            "Never do this?",
            "Blocked? Commands",
            "",
        ],
    );
}

#[test]
fn lead_ins_are_whole_lines_with_a_colon() {
    turns(
        lead_in,
        Some(Turn::Bad),
        &[
            "Bad:",
            "**Bad:**",
            "**Bad**:",
            "\u{274c} Wrong:",
            "Don't do this:",
            "You should never run these commands:",
            "Blocked commands:",
            "Examples of dangerous commands that are blocked:",
            "The hook blocks:",
            "The hook blocks the following commands:",
            "These commands are blocked:",
            "These remain blocked even in linked worktrees:",
        ],
    );
    turns(lead_in, Some(Turn::Good), &["Correct:", "\u{2705} Right:", "Do this instead:"]);
    turns(
        lead_in,
        None,
        &[
            "Bad",
            "Run these commands:",
            "The hook blocks nothing, run these:",
            "The hook blocks nothing:",
            "The hook never blocks:",
            "These commands are blocked until you approve:",
            "These commands are blocked on Fridays:",
            "These commands are blocked, run them by hand:",
            "These commands are blocked by default, so they are needed:",
            "Never run these commands unless told:",
            "Never run these commands on main:",
            "Bad weather? Run:",
            ":",
            "",
        ],
    );
}

#[test]
fn openers() {
    turns(
        |unit| opener(unit).map(|(_, turn)| turn),
        Some(Turn::Bad),
        &[
            "\u{274c} `rm -rf x`",
            "\u{274c} `rm -rf x` - wipes all",
            "**Bad:** `rm -rf x`",
            "Wrong: `rm -rf x`",
            "\u{274c} Bad: `rm -rf x`",
            "\u{1f6ab} Don't run `rm -rf x`",
            "Don't: `rm -rf x`",
            "Never: `rm -rf x`",
        ],
    );
    turns(
        |unit| opener(unit).map(|(_, turn)| turn),
        Some(Turn::Good),
        &["\u{2705} `rm -rf x`", "**Good:** `rm -rf x`", "Fix: `rm -rf x`", "Instead: run `rm -rf x`"],
    );
    turns(
        |unit| opener(unit).map(|(_, turn)| turn),
        None,
        &[
            "\u{274c} is not shown, run `rm -rf /`",
            "\u{274c} `rm -rf a` \u{2705} `rm -rf b`",
            "\u{274c} `ls`, run `rm -rf /`",
            "Bad: nothing. Run `rm -rf /`",
            "Bad: `ls`. You can `rm -rf /`",
            "Bad? No. Run `rm -rf /`",
            "Blocked? No. Run `rm -rf /`",
            "Do not be afraid: `rm -rf /`",
            "Bad on Fridays: `rm -rf /`",
            "Never on Fridays: `rm -rf /`",
            "\u{274c} `rm -rf /` on Fridays",
            "\u{274c} `rm -rf /` unless asked",
            "`rm -rf /`",
            "",
        ],
    );
    assert_eq!(opener("**Bad:** `x`"), Some((2..6, Turn::Bad)));
}

#[test]
fn comments() {
    let bad = |line: &str| comment(line, Lang::Shell).map(|(_, turn, trailing)| (turn, trailing));
    for line in [
        "# BAD",
        "  # WRONG: loses work",
        "# Blocked",
        "# DON'T",
        "# \u{274c} Bad",
        "# never do this",
        "# Don't do this:",
        "## BAD ##",
        "# --- Wrong ---",
    ] {
        assert_eq!(bad(line), Some((Turn::Bad, false)), "{line}");
    }
    for line in ["rm -rf /  # BAD", "bash -c 'git reset --hard'   # Blocked", "rm -rf \"$X\" # \u{274c}"] {
        assert_eq!(bad(line), Some((Turn::Bad, true)), "{line}");
    }
    for line in ["# GOOD", "# RIGHT", "# Correct:", "# Allowed", "# \u{2705}", "# do this instead"] {
        assert_eq!(bad(line), Some((Turn::Good, false)), "{line}");
    }
    for line in [
        "rm -rf a#BAD",
        "echo '# BAD'; rm -rf /",
        "echo \"x # BAD\"",
        "# BAD idea to skip this",
        "# not bad",
        "# BAD: run it",
        "# Bad: on Fridays",
        "# badly needed",
        "# never skip this",
        "rm -rf / // BAD",
        "-- BAD",
        "# blocked until now",
        "#",
        "# This should be blocked by the hook",
        "echo \\# BAD",
    ] {
        assert_eq!(bad(line), None, "{line}");
    }
    for (line, lang) in [
        ("// BAD", Lang::JavaScript),
        ("-- BAD", Lang::Sql),
        ("REM bad", Lang::Cmd),
        (":: Wrong", Lang::Cmd),
        ("; BAD", Lang::Other),
        ("// BAD", Lang::Json),
        ("# BAD", Lang::Yaml),
        ("# BAD", Lang::Unknown),
    ] {
        assert_eq!(comment(line, lang), Some((0..line.len(), Turn::Bad, false)), "{line}");
    }
    assert_eq!(comment("x(); // BAD", Lang::JavaScript), Some((5..11, Turn::Bad, true)));
    assert_eq!(comment("f('// BAD')", Lang::JavaScript), None);
    assert_eq!(comment("DROP TABLE a; -- BAD", Lang::Sql), Some((14..20, Turn::Bad, true)));
    assert_eq!(comment("# BAD", Lang::Markdown), None);
}

#[test]
fn tables() {
    for (row, want) in [
        ("| a | b |", vec!["a", "b"]),
        ("a|b", vec!["a", "b"]),
        ("| a \\| b | c |", vec!["a \\| b", "c"]),
        ("| `a | b` |", vec!["`a", "b`"]),
        ("| a | |", vec!["a", ""]),
        ("|", vec![""]),
        ("", vec![""]),
    ] {
        let is: Vec<&str> = cells(row).into_iter().map(|cell| &row[cell]).collect();
        assert_eq!(is, want, "{row}");
    }
    turns(
        column,
        Some(Turn::Bad),
        &[
            "Blocked",
            "Forbidden",
            "Don't",
            "\u{274c} Don't",
            "Bad",
            "Instead of",
            "Avoid",
            "\u{274c}",
            "**Never**",
            "Blocked command",
        ],
    );
    turns(
        column,
        Some(Turn::Good),
        &["Use", "Do", "Good", "Allowed", "\u{2705}", "Use instead", "Alternative"],
    );
    turns(column, None, &["Command", "Purpose", "Never on Fridays", "Why", "Not blocked", ""]);
    turns(
        verdict_cell,
        Some(Turn::Bad),
        &[
            "Blocked",
            "**BLOCKED**",
            "Denied",
            "\u{274c}",
            "\u{1f6ab}",
            "Forbidden",
            "Blocked (loses work)",
            "Blocked by `deny`",
            "\u{274c} Blocked",
            "Not allowed",
            "Always blocked",
        ],
    );
    turns(verdict_cell, Some(Turn::Good), &["Allowed", "\u{2705}", "Allowed (flag order)"]);
    turns(
        verdict_cell,
        None,
        &[
            "Blocked unless asked",
            "Blocked (on Fridays)",
            "Blocked? no",
            "Not blocked",
            "Removes files",
            "Blocked disk",
            "",
        ],
    );
}

#[test]
fn sentences_that_describe() {
    let read = |text: &str| {
        let (before, rest) = text.split_once('[').expect("a mark");
        let (hit, after) = rest.split_once(']').expect("a mark");
        let unit = format!("{before}{hit}{after}");
        let range = describes(&unit, before.len()..before.len() + hit.len());
        range.map(|range| unit[range].to_owned())
    };
    for (text, words) in [
        ("This hook blocks `[rm -rf /]`.", "blocks"),
        ("The rule flags `ls` and `[rm -rf /]` in one pass.", ""),
        ("Safety Net catches `[rm -rf /]` and the like.", "catches"),
        ("`guard` rejects `[rm -rf /]`.", "rejects"),
        ("**Blocking**: Blocks dangerous commands ([rm -rf /], and so forth).", "Blocks"),
        ("It prevents attempts to run `[rm -rf /]`.", "prevents"),
        ("`[git clean -fdx]` will destroy the workspace.", "will destroy"),
        ("`[docker compose down -v]` removes volumes.", "removes"),
        ("Running `[git clean -fdx]` also deletes ignored files.", "also deletes"),
        ("What does `[rm -rf /]` do?", "What does"),
        ("`[rm -rf /]` was blocked.", "was blocked"),
        ("Commands such as `[rm -rf /]` are rejected.", "are rejected"),
        ("`[rm -rf /]` is not allowed.", "is not allowed"),
    ] {
        assert_eq!(read(text).unwrap_or_default(), words, "{text}");
    }
    for text in [
        "This hook blocks nothing; run `[rm -rf /]`",
        "This hook blocks nothing, run `[rm -rf /]`",
        "This hook blocks nothing: `[rm -rf /]`",
        "This hook never blocks `[rm -rf /]`.",
        "This hook blocks `[rm -rf /]` on Fridays.",
        "This hook blocks `[rm -rf /]` unless asked.",
        "This hook blocks `ls`. Run `[rm -rf /]`.",
        "This hook blocks `[rm -rf /]`. Run it by hand.",
        "What does `[rm -rf /]` do? Run it.",
        "What does `ls` do? `[rm -rf /]`",
        "What do you do? Run `[rm -rf /]`.",
        "`[rm -rf /]` removes what you no longer need.",
        "Run `[rm -rf /]`, which removes all.",
        "When it blocks, `[rm -rf /]`.",
        "`[rm -rf /]` is not blocked.",
        "`[rm -rf /]` will not destroy anything.",
        "Before it deletes, `[rm -rf /]` must run.",
        "`[rm -rf /]`",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read(
        pieces in proptest::collection::vec(proptest::sample::select(&[
            "Bad", ":", "\u{274c}", "\u{2705}", "\u{fe0f}", "`x`", "`", "blocks ", "# ", "'", "\"", "|", "\\", " ", "never ", "run ", "**",
            "\n", "é", "-- ", ". ", "? ",
        ][..]), 0..16),
        start in 0usize..40,
        len in 0usize..10,
    ) {
        let text = pieces.concat();
        let (_, _, _, _) = (heading(&text), lead_in(&text), column(&text), verdict_cell(&text));
        if let Some((range, _)) = opener(&text) {
            prop_assert!(text.get(range).is_some());
        }
        for lang in [Lang::Shell, Lang::Sql, Lang::Cmd, Lang::JavaScript, Lang::Other, Lang::Unknown, Lang::Markdown] {
            if let Some((range, _, _)) = comment(&text, lang) {
                prop_assert!(text.get(range).is_some());
            }
        }
        for cell in cells(&text) {
            prop_assert!(text.get(cell).is_some());
        }
        if let Some(range) = describes(&text, start..start + len) {
            prop_assert!(text.get(range).is_some());
        }
    }
}
