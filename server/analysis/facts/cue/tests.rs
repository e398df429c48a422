use proptest::prelude::*;

use super::*;

/// None of the texts shows what stands under it; whether it gives that does not matter.
fn live(read: impl Fn(&str) -> Option<Turn>, texts: &[&str]) {
    let wrong: Vec<_> = texts.iter().filter(|text| read(text) == Some(Turn::Bad)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

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
    live(
        heading,
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
            "Commands that are never blocked",
            "Commands that are not blocked",
            "What the hook never blocks",
            "Error: disk full",
            "Never skip these commands",
            "Anti-patterns (only on Fridays)",
            "Anti-pattern: on Fridays",
            "Mistakes were made",
            "Wrong turn: what to run",
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
            "These remain blocked even in linked worktrees because they reach beyond\nthe tree:",
            "Read this first. Blocked commands:",
            "Anti-pattern (loses work):",
            "Detects commands hidden in scripts:",
            "The agent must never:",
            "You **should not**:",
            "Agents may not do any of the following:",
            "They can\u{2019}t ever:",
        ],
    );
    turns(lead_in, Some(Turn::Good), &["Correct:", "\u{2705} Right:", "Do this instead:"]);
    live(
        lead_in,
        &[
            "Bad",
            "Run these commands:",
            "The hook blocks nothing, run these:",
            "The hook blocks nothing:",
            "The hook never blocks:",
            "These commands are blocked until you approve:",
            "These commands are blocked on Fridays:",
            "These commands are still blocked, so:",
            "Test that the hook blocks bypass flags:",
            "Take the\nblocked commands:",
            "Set the cookie flags:",
            "Blocked. Commands to clean up:",
            "These commands are blocked, run them by hand:",
            "These commands are blocked by default, so they are needed:",
            "Never run these commands unless told:",
            "Never run these commands on main:",
            "Bad weather? Run:",
            "The agent must never, on Fridays:",
            "The agent must never hesitate to:",
            "You should not forget to:",
            "The agent must never do less than:",
            "On production you must not:",
            "You must never run these alone:",
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
    live(
        |unit| opener(unit).map(|(_, turn)| turn),
        &[
            "\u{274c} is not shown, run `rm -rf /`",
            "\u{274c} `rm -rf a` \u{2705} `rm -rf b`",
            "\u{274c} `ls`, run `rm -rf /`",
            "Bad: nothing. Run `rm -rf /`",
            "Bad: `ls`. You can `rm -rf /`",
            "Bad? No. Run `rm -rf /`",
            "Bad: `rm -rf a` \u{2192} `rm -rf b`",
            "Bad: slow disks. Mend them by `rm -rf /`",
            "Bad: slow disks. rm -rf /",
            "Bad: `ls` and then please `rm -rf /`",
            "Blocked: waiting for the owner of `rm -rf /`",
            "\u{274c} Don't skip `rm -rf /`",
            "\u{274c} Never forget `rm -rf /`",
            "\u{274c} The build fails: `rm -rf /`",
            "Bad: not at all, `rm -rf /`",
            "Wrong: `rm -rf /` \u{435}xcept now",
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
        assert_ne!(bad(line).map(|(turn, _)| turn), Some(Turn::Bad), "{line}");
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
fn lines_of_permission_lists() {
    assert_eq!(comment("deny rm -rf \"Use the bin\"", Lang::Unknown), Some((0..4, Turn::Bad, true)));
    assert_eq!(comment("  block git push --force", Lang::Other), Some((2..7, Turn::Bad, true)));
    for line in [
        "deny",
        "deny x; rm -rf a",
        "deny x && rm -rf a",
        "deny $(rm -rf a)",
        "allow rm -rf a",
        "denying rm -rf a",
    ] {
        assert_eq!(comment(line, Lang::Unknown), None, "{line}");
    }
    assert_eq!(comment("deny rm -rf a", Lang::Shell), None);
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
    live(column, &["Command", "Purpose", "Never on Fridays", "Why", "Not blocked", ""]);
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
    live(
        verdict_cell,
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
fn of_several_verdicts_in_a_row_the_one_that_stops_counts() {
    let read = |row: &str| verdict(row).map(|(cell, turn)| (row[cell].to_owned(), turn));
    assert_eq!(
        read("| `rm -rf /` | Allowed (by order) | **Blocked** |"),
        Some(("**Blocked**".to_owned(), Turn::Bad))
    );
    assert_eq!(read("| `ls` | \u{2705} | fast |"), Some(("\u{2705}".to_owned(), Turn::Good)));
    assert_eq!(read("| `rm -rf /` | Removes all | Blocked unless asked |"), None);
}

/// A text whose command is marked by `[` and `]`: the text and the command's bytes.
fn marked(text: &str) -> (String, Range<usize>) {
    let (before, rest) = text.split_once('[').expect("a mark");
    let (hit, after) = rest.split_once(']').expect("a mark");
    (format!("{before}{hit}{after}"), before.len()..before.len() + hit.len())
}

#[test]
fn sentences_that_give_in_spite_of_what_stands_above() {
    for (given, texts) in [
        (
            true,
            [
                "Never forget to run `[rm -rf a]`.",
                "**Don't skip `[rm -rf a]`.**",
                "Do not hesitate: `[rm -rf a]`.",
                "Never run `[rm -rf a]` on main.",
                "Never run `[rm -rf a]` outside of fixtures.",
                "Never run `[rm -rf a]` unless asked.",
                "Avoid `[rm -rf a]` when tired.",
                "Use `[rm -rf a]` instead.",
                "Always run `[rm -rf a]`.",
                "It is slow, but `[rm -rf a]` works.",
            ],
        ),
        (
            false,
            [
                "Never run `[rm -rf a]`.",
                "Run `[rm -rf a]`.",
                "Running `[rm -rf a]` in a hurry.",
                "Never run `[rm -rf a]` - it is slow on disks.",
                "Never run `[rm -rf a]` because it is slow in CI.",
                "`[rm -rf a]` instead of `mv`",
                "Unless asked, wait. `[rm -rf a]` is slow.",
                "Never commit with `[rm -rf a]`.",
                "Don't push with `[rm -rf a]`: reviews get lost.",
                "`[rm -rf a]`",
            ],
        ),
    ] {
        for text in texts {
            let (unit, hit) = marked(text);
            assert_eq!(gives(&unit, hit), given, "{text}");
        }
    }
}

#[test]
fn sentences_that_describe() {
    let read = |text: &str| {
        let (unit, hit) = marked(text);
        describes(&unit, hit).map(|range| unit[range].to_owned())
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
        ("`[rm -rf /]` must be rejected.", "be rejected"),
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
        "Set the flags (`[rm -rf /]`).",
        "To clear the blocks, `[rm -rf /]`.",
        "Flags: `[rm -rf /]`",
        "Flags `[rm -rf /]` and `x` go together.",
        "Unblock what it blocks: `[rm -rf /]`",
        "Take what the hook blocks: `[rm -rf /]`",
        "The hook blocks you: `[rm -rf /]`",
        "The hook blocks `ls` - now `[rm -rf /]`, please.",
        "It never flags `[rm -rf /]`.",
        "`[rm -rf /]` removes the lock if it hangs.",
        "The hook bl\u{43e}cks `[rm -rf /]`.",
        "What does it do? It is `[rm -rf /]`?",
        "`[rm -rf /]` is not blocked.",
        "`[rm -rf /]` should be run.",
        "`[rm -rf /]` should be blocked until it must be run.",
        "`[rm -rf /]` must run, it is not blocked.",
        "`[rm -rf /]` will not destroy anything.",
        "Before it deletes, `[rm -rf /]` must run.",
        "`[rm -rf /]`",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}

#[test]
fn commands_of_one_unit_are_told_apart() {
    let unit = "Never forget `rm -rf a`. The hook blocks `rm -rf b`, rm -rf c. Run `rm -rf d`.";
    let hits: Vec<_> = unit.match_indices("rm -rf").map(|(at, _)| at..at + 8).collect();
    let turns: Vec<_> = own(unit, &hits).into_iter().map(|own| own.map(|(_, turn)| turn)).collect();
    assert_eq!(turns, [Some(Turn::Good), Some(Turn::Bad), Some(Turn::Bad), None]);
    let long = format!("The hook blocks `rm -rf a` {}", "and so forth ".repeat(80));
    assert_eq!(describes(&long, 17..25), None);
    assert!(gives(&long, 17..25));
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
        let _ = (gives(&text, start..start + len), verdict(&text));
        if let Some(range) = describes(&text, start..start + len) {
            prop_assert!(text.get(range).is_some());
        }
    }
}
