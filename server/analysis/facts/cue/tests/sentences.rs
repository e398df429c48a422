//! What the sentence around a command says of it.

use proptest::prelude::*;

use crate::facts::cue::*;

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
fn a_verb_that_governs_something_else_describes_nothing() {
    for (text, shown) in [
        ("This hook blocks `ls` and then does `[rm -rf a]`.", false),
        ("The script blocks writes, runs `[rm -rf a]`, and unblocks them.", false),
        ("The policy rejects `trash`, accepts `[rm -rf a]`.", false),
        ("This hook prevents leaks by `[rm -rf a]`.", false),
        ("The hook denies all commands other than `[rm -rf a]`.", false),
        ("The guard stops sessions that skip `[rm -rf a]`.", false),
        ("This hook blocks `ls` and `[rm -rf a]`.", true),
        ("The guard stops sessions that run `[rm -rf a]`.", true),
        ("The policy rejects `trash`, `[rm -rf a]`.", true),
    ] {
        let (unit, hit) = marked(text);
        assert_eq!(describes(&unit, hit).is_some(), shown, "{text}");
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
