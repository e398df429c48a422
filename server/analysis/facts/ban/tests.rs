use proptest::prelude::*;

use super::*;

/// A text whose commands are marked by `⟦` and `⟧`, and which of them it forbids, with the text of each ban.
fn read(marked: &str) -> (Vec<bool>, Vec<String>) {
    let mut unit = String::new();
    let mut hits = Vec::new();
    for c in marked.chars() {
        match c {
            '⟦' => hits.push(unit.len()..unit.len()),
            '⟧' => hits.last_mut().expect("a mark opens first").end = unit.len(),
            c => unit.push(c),
        }
    }
    let bans = bans(&unit, &hits);
    let forbidden = (0..hits.len()).map(|hit| bans.iter().any(|ban| ban.hits.contains(&hit)));
    (forbidden.collect(), bans.iter().map(|ban| unit[ban.range.clone()].to_owned()).collect())
}

fn check(forbidden: bool, texts: &[&str]) {
    for text in texts {
        let (is, bans) = read(text);
        assert!(!is.is_empty(), "no command is marked: {text}");
        assert!(is.iter().all(|is| *is == forbidden), "{text}: {bans:?}");
    }
}

#[test]
fn every_head_verb_and_end_of_the_grammar() {
    for head in ["Never", "Do not", "DON'T", "Don\u{2019}t", "Must not", "Forbidden:", "**Prohibited:**"] {
        for verb in ["", "run ", "execute ", "use ", "follow ", "call ", "type ", "invoke ", "issue "] {
            check(
                true,
                &[&format!("{head} {verb}`⟦rm -rf a⟧`."), &format!("{head} {verb}the command ⟦rm -rf a⟧!")],
            );
        }
    }
    check(
        true,
        &[
            "Avoid `⟦rm -rf a⟧`.",
            "avoid running `⟦rm -rf a⟧`",
            "*Avoid* using the commands `⟦dd⟧` and `⟦rm⟧`.",
        ],
    );
    for end in [
        "",
        ".",
        "!",
        "!!",
        ";",
        " here.",
        " ever.",
        " ever again.",
        " again",
        " at all.",
        " here, because it is slow.",
        " under any circumstances.",
        " because it deletes the work tree.",
        " since nothing brings the data back.",
        ": it deletes files in the work tree.",
        " - it is slow.",
        " -- it is slow.",
        " — it is for admins.",
        " \u{2013} only use `trash`.",
    ] {
        check(true, &[&format!("Never run `⟦rm -rf a⟧`{end}"), &format!("Never run **`⟦rm -rf a⟧`**{end}")]);
    }
}

#[test]
fn lists_quotes_and_code_that_holds_more_than_the_command() {
    check(
        true,
        &[
            "Never run `⟦rm -rf a⟧`, `ls` or `⟦git clean -f⟧`.",
            "Never run `⟦rm -rf a⟧`, nor `⟦git clean -f⟧`; both delete.",
            "Do not use \"⟦rm -rf a⟧\" or \u{201c}`⟦rm -rf b⟧`\u{201d}.",
            "Never run `cd x && ⟦rm -rf a⟧ && ⟦rm -rf b⟧`.",
            "Never run\n`⟦rm -rf a⟧`\nhere.",
            "Never `ls`, `⟦rm -rf a⟧`.",
            "Never run ``⟦rm -rf `pwd`⟧ ``.",
        ],
    );
}

#[test]
fn the_head_begins_its_sentence_or_follows_a_closed_set_of_openers() {
    check(
        true,
        &[
            "Read this first. Never run `⟦rm -rf a⟧`.",
            "**Read this.** Never run `⟦rm -rf a⟧`.",
            "Important: never run `⟦rm -rf a⟧`.",
            "**Note:** please do not run `⟦rm -rf a⟧`.",
            "\u{26a0}\u{fe0f} You must not run `⟦rm -rf a⟧`.",
            "The agent must never run `⟦rm -rf a⟧`.",
            "Agents do not run `⟦rm -rf a⟧`.",
        ],
    );
    check(
        false,
        &[
            "On Fridays never run `⟦rm -rf a⟧`.",
            "If unsure, do not run `⟦rm -rf a⟧`.",
            "Fridays: never run `⟦rm -rf a⟧`.",
            "On production: never run `⟦rm -rf a⟧`.",
            "Nobody said never run `⟦rm -rf a⟧`.",
            "It is wrong to say, e.g. never run `⟦rm -rf a⟧`.",
            "Why never run `⟦rm -rf a⟧`?",
            "Never run `⟦rm -rf a⟧`?",
            "Do not never run `⟦rm -rf a⟧`.",
            "Never do not run `⟦rm -rf a⟧`.",
            "Interns must not run `⟦rm -rf a⟧`.",
            "\u{2705} Never run `⟦rm -rf a⟧`.",
            "~~Never run~~ `⟦rm -rf a⟧`.",
            "Never ~~run `⟦rm -rf a⟧`~~.",
            "N\u{200b}ever run `⟦rm -rf a⟧`.",
            "Nev\u{435}r run `⟦rm -rf a⟧`.",
        ],
    );
}

#[test]
fn what_stands_between_head_and_command_leaves_it() {
    check(
        false,
        &[
            "Do not hesitate to run `⟦rm -rf a⟧`.",
            "Never forget to run `⟦rm -rf a⟧`.",
            "Do not skip the backup and then run `⟦rm -rf a⟧`.",
            "Do not be afraid: `⟦rm -rf a⟧`",
            "Never: `⟦rm -rf a⟧`",
            "Never skip `make`, run `⟦rm -rf a⟧`.",
            "Never run tests without `⟦rm -rf a⟧`.",
            "Never run, use `⟦rm -rf a⟧`.",
            "Never run use `⟦rm -rf a⟧`.",
            "Never run anything other than `⟦rm -rf a⟧`.",
            "Avoid run `⟦rm -rf a⟧`.",
            "Avoid not running `⟦rm -rf a⟧`.",
            "Never. Run `⟦rm -rf a⟧`.",
            "Forbidden! `⟦rm -rf a⟧`",
            "Forbidden: nothing. `⟦rm -rf a⟧`",
        ],
    );
}

#[test]
fn what_narrows_leaves_it() {
    for word in [
        "on", "in", "from", "as", "before", "until", "without", "if", "when", "yet", "during", "for",
        "while", "after", "unless", "except", "but", "however", "only", "at", "outside", "once",
    ] {
        check(
            false,
            &[
                &format!("Never run `⟦rm -rf a⟧` {word} main."),
                &format!("Never run `⟦rm -rf a⟧`\n{word} main."),
                &format!("Never run `⟦rm -rf a⟧`, {word} main."),
                &format!("Never run `⟦rm -rf a⟧` here {word} main."),
                &format!("Never run `⟦rm -rf a⟧` - {word} main."),
                &format!("Never run `⟦rm -rf a⟧`: {word} main."),
                &format!("Never run ⟦rm -rf a⟧ {word} main."),
                &format!("Never run ⟦rm -rf a {word} main⟧."),
            ],
        );
    }
    for word in
        ["with", "to", "and", "first", "twice", "manually", "carelessly", "\u{41e}n", "~~here~~", "(here)"]
    {
        check(
            false,
            &[
                &format!("Never run `⟦rm -rf a⟧` {word} main."),
                &format!("Never run `⟦rm -rf a⟧`, {word}."),
                &format!("Never run `⟦rm -rf a⟧` {word}."),
            ],
        );
    }
    check(
        false,
        &[
            "Never run ⟦rm -rf a with root⟧.",
            "Never run ⟦rm -rf a. Then go⟧ on.",
            "Never run `⟦rm -rf a⟧`:",
            "Never run `⟦rm -rf a⟧` -",
            "Never run `⟦rm -rf a⟧`-less.",
            "Never run `⟦rm -rf a⟧`, `ls` and stay calm.",
            "Never run `⟦rm -rf a⟧` | on main |",
        ],
    );
}

#[test]
fn a_reason_that_bounds_or_takes_back_leaves_it() {
    check(
        false,
        &[
            "Never run `⟦rm -rf a⟧` because it deletes all, unless you are on CI.",
            "Never run `⟦rm -rf a⟧` - if you are on main.",
            "Never run `⟦rm -rf a⟧` because it is slow when cold.",
            "Never run `⟦rm -rf a⟧`: ask first, otherwise it is fine.",
            "Never run `⟦rm -rf a⟧` - just kidding, run it.",
            "Never run `⟦rm -rf a⟧` — only on CI.",
            "Never run `⟦rm -rf a⟧` because it is bad unl\u{435}ss tired.",
            "Never run `⟦rm -rf a⟧` because it is bad unl\u{200b}ess tired.",
            "Never run `⟦rm -rf a⟧`: it deletes, does it not?",
            "Never run `⟦rm -rf a⟧`. Except on Fridays.",
            "Never run `⟦rm -rf a⟧`. However, CI may.",
            "Never run `⟦rm -rf a⟧`. If you are on CI, run it.",
        ],
    );
    check(
        true,
        &["Never run `⟦rm -rf a⟧`. If you need room, ask.", "Never run `⟦rm -rf a⟧`. Never run it at night."],
    );
}

#[test]
fn what_stands_around_the_sentence_may_undo_it() {
    check(
        false,
        &[
            "~~Read this. Never run `⟦rm -rf a⟧`.~~",
            "<del>Read this. Never run `⟦rm -rf a⟧`.</del>",
            "\"Read this. Never run `⟦rm -rf a⟧`.\" is what it used to say.",
            "\u{201c}Stop! Never run `⟦rm -rf a⟧`\u{201d}",
            "(The old text: read this. Never run `⟦rm -rf a⟧`.)",
            "On Mon. never run `⟦rm -rf a⟧`.",
            "Never run `⟦rm -rf a⟧`; at least on main.",
            "Never run `⟦rm -rf a⟧`. At least on main.",
            "Never run `⟦rm -rf a⟧`. Not on main.",
            "Never run `⟦rm -rf a⟧`. That is wrong now.",
            "Never run `⟦rm -rf a⟧`. This no longer holds.",
            "Never run `⟦rm -rf a⟧` - un*less* it rains.",
            "Never run `⟦rm -rf a⟧` - un-less it rains.",
            "Never run `⟦rm -rf a⟧` - un<b></b>less it rains.",
            "Never run `⟦rm -rf a⟧` - `unless` it rains.",
            "Never run `⟦rm -rf a⟧` - &#117;nless it rains.",
        ],
    );
    check(
        true,
        &[
            "Say \"hello\". Never run `⟦rm -rf a⟧`.",
            "Mind the disk (it is old). Never run `⟦rm -rf a⟧`.",
            "Never run `⟦rm -rf a⟧` - no exceptions.",
            "Never run `⟦rm -rf a⟧`. Use this tool instead: `trash`.",
            "Casts are slow; never run `⟦rm -rf a⟧`.",
            "Never run `⟦rm -rf a⟧`. In production, the files of all users stand there.",
        ],
    );
}

#[test]
fn a_ban_covers_its_own_commands_only() {
    for (text, forbidden) in [
        ("Never run `⟦rm -rf a⟧` - instead run `⟦rm -rf b⟧`.", [true, false]),
        ("Never run `⟦rm -rf a⟧`: `⟦rm -rf b⟧` is quicker.", [true, false]),
        ("Never run `⟦rm -rf a⟧`. Run `⟦rm -rf b⟧`.", [true, false]),
        ("Run `⟦rm -rf a⟧`. Never run `⟦rm -rf b⟧`.", [false, true]),
        ("Never run `⟦rm -rf a⟧`, run `⟦rm -rf b⟧`.", [false, false]),
        ("Never run `⟦rm -rf a⟧` `⟦rm -rf b⟧`.", [false, false]),
        ("Never run ⟦rm -rf a and run⟧ `⟦rm -rf b⟧`.", [false, false]),
    ] {
        assert_eq!(read(text).0, forbidden, "{text}");
    }
}

#[test]
fn a_ban_reaches_from_its_head_to_its_last_command() {
    for (text, ban) in [
        ("Stop. **Never run `⟦rm -rf a⟧`** here.", "Never run `rm -rf a"),
        ("Note: do not use `⟦rm⟧`, `ls`.", "do not use `rm`, `ls"),
        ("Never run ⟦rm -rf a⟧ ever.", "Never run rm -rf a"),
    ] {
        assert_eq!(read(text).1, [ban], "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_and_ranges_are_its_own(
        pieces in proptest::collection::vec(proptest::sample::select(&[
            "Never ", "run ", "`", "``", "rm -rf a", ". ", ", ", " and ", " because ", "\u{2014}", "\n", "*", "?", "é", "|", "\"",
        ][..]), 0..24),
        cuts in proptest::collection::vec((0usize..80, 0usize..20), 0..4),
    ) {
        let unit = pieces.concat();
        let mut hits: Vec<_> = cuts.iter().map(|(start, len)| *start..start + len)
            .filter(|hit| unit.get(hit.clone()).is_some()).collect();
        hits.sort_by_key(|hit| (hit.start, hit.end));
        for nearly in nearly(&unit, &hits).into_iter().flatten() {
            prop_assert!(unit.get(nearly.range).is_some());
            prop_assert!(nearly.edits.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start));
            prop_assert!(nearly.edits.iter().all(|(range, _)| unit.get(range.clone()).is_some()));
        }
        for ban in bans(&unit, &hits) {
            prop_assert!(unit.get(ban.range.clone()).is_some());
            prop_assert!(!ban.hits.is_empty());
            for hit in ban.hits {
                prop_assert!(ban.range.start <= hits[hit].start && hits[hit].end <= ban.range.end);
            }
        }
    }

    #[test]
    fn any_characters_are_read(unit in "\\PC{0,60}", start in 0usize..60, len in 0usize..20) {
        let hit = start..start + len;
        let hits: Vec<_> = unit.get(hit.clone()).map(|_| hit).into_iter().collect();
        for ban in bans(&unit, &hits) {
            prop_assert!(unit.get(ban.range).is_some());
        }
        for nearly in nearly(&unit, &hits).into_iter().flatten() {
            prop_assert!(unit.get(nearly.range).is_some());
            prop_assert!(nearly.edits.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start));
            prop_assert!(nearly.edits.iter().all(|(range, _)| unit.get(range.clone()).is_some()));
        }
    }
}

/// The reason why the first marked command of `marked` is not forbidden, and the text that the edits make of it.
fn mended(marked: &str) -> Option<(Miss, String)> {
    let start = marked.find('⟦').expect("a mark opens");
    let mut unit = marked.replacen('⟦', "", 1);
    let end = unit.find('⟧').expect("and ends");
    unit.remove(end);
    let nearly = nearly(&unit, std::slice::from_ref(&(start..end))).pop().flatten()?;
    for (range, put) in nearly.edits.iter().rev() {
        unit.replace_range(range.clone(), put);
    }
    Some((nearly.miss, unit))
}

#[test]
fn what_nearly_forbids_says_why_and_is_written_so_that_it_does() {
    for (marked, miss, expected) in [
        ("Do not try `⟦rm -rf a⟧`.", Miss::Verb, "Do not run `rm -rf a`."),
        ("**Never** attempt to run `⟦rm -rf a⟧`!", Miss::Verb, "**Never** run `rm -rf a`!"),
        ("Avoid doing `⟦rm -rf a⟧`.", Miss::Verb, "Avoid running `rm -rf a`."),
        ("never ever run `⟦rm -rf a⟧`", Miss::Between, "never run `rm -rf a`"),
        ("Never, ever run `⟦rm -rf a⟧`.", Miss::Head, "Never run `rm -rf a`."),
        ("You should never run `⟦rm -rf a⟧`.", Miss::Head, "Never run `rm -rf a`."),
        ("Agents can't use `⟦rm -rf a⟧`.", Miss::Head, "Never use `rm -rf a`."),
        ("we never run `⟦rm -rf a⟧` here.", Miss::Head, "never run `rm -rf a` here."),
        ("Refrain from using `⟦rm -rf a⟧`.", Miss::Head, "Never run `rm -rf a`."),
        ("`⟦rm -rf a⟧` must not be run.", Miss::Passive, "Never run `rm -rf a`."),
        (
            "The command `⟦rm -rf a⟧` is strictly forbidden because it deletes.",
            Miss::Passive,
            "Never run `rm -rf a` because it deletes.",
        ),
        ("`⟦rm -rf a⟧` must never be used on main.", Miss::Condition, "Never run `rm -rf a`."),
        (
            "Instead of `⟦rm -rf a⟧`, use `trash a`.",
            Miss::Alternative,
            "Never run `rm -rf a`: use `trash a`.",
        ),
        ("Use `trash a` instead of `⟦rm -rf a⟧`.", Miss::Alternative, "Never run `rm -rf a`: use `trash a`."),
        ("Never run `⟦rm -rf a⟧`, it deletes.", Miss::Behind, "Never run `rm -rf a`: it deletes."),
        ("Never run `⟦rm -rf a⟧` carelessly.", Miss::Behind, "Never run `rm -rf a`."),
        ("Never use `⟦rm -rf a⟧` to clean.", Miss::Behind, "Never use `rm -rf a`."),
        ("Never run `⟦rm -rf a⟧`, ever.", Miss::Behind, "Never run `rm -rf a` ever."),
        (
            "Never run `⟦rm -rf a⟧`, under any circumstances!",
            Miss::Behind,
            "Never run `rm -rf a` under any circumstances!",
        ),
        ("NEVER EVER run `⟦rm -rf a⟧`!", Miss::Between, "NEVER run `rm -rf a`!"),
        ("You should not run `⟦rm -rf a⟧`.", Miss::Head, "Never run `rm -rf a`."),
        ("No `⟦rm -rf a⟧`.", Miss::Head, "Never run `rm -rf a`."),
        ("no more `⟦rm -rf a⟧`, it deletes.", Miss::Head, "never run `rm -rf a`: it deletes."),
        ("No `ls` or `⟦rm -rf a⟧` in CI.", Miss::Condition, "Never run `ls` or `rm -rf a`."),
        ("`⟦rm -rf a⟧`: never run this.", Miss::Backwards, "Never run `rm -rf a`."),
        ("`⟦rm -rf a⟧` -- do not use it here!", Miss::Backwards, "Never run `rm -rf a` here!"),
        ("Note: `⟦rm -rf a⟧` - forbidden.", Miss::Backwards, "Note: Never run `rm -rf a`."),
        ("Never force-remove: `⟦rm -rf a⟧`.", Miss::Between, "Never run `rm -rf a`."),
        ("Do not rm (`⟦rm -rf a⟧`).", Miss::Between, "Do not run `rm -rf a`."),
        ("Never run `⟦rm -rf a⟧` on production!", Miss::Condition, "Never run `rm -rf a`!"),
        ("Do not run `⟦rm -rf a⟧` unless told to.", Miss::Exception, "Do not run `rm -rf a`."),
    ] {
        assert_eq!(mended(marked), Some((miss, expected.to_owned())), "{marked}");
        let hit = expected.find("rm -rf a").map(|at| at..at + 8).expect("the command stays");
        assert!(!bans(expected, std::slice::from_ref(&hit)).is_empty(), "{expected}");
    }
}

#[test]
fn what_only_its_author_can_mend_is_left_as_it_is() {
    for (marked, miss) in [
        ("Ask before running `⟦rm -rf a⟧`.", Miss::AsksFirst),
        ("Get approval prior to `⟦rm -rf a⟧`.", Miss::AsksFirst),
        ("`⟦rm -rf a⟧` needs the owner's approval.", Miss::AsksFirst),
        ("If unsure, do not run `⟦rm -rf a⟧`.", Miss::Condition),
        ("Interns must not run `⟦rm -rf a⟧`.", Miss::Before),
        ("Never run `⟦rm -rf a⟧`. Except on Fridays.", Miss::TakenBack),
        ("Never **even try** `⟦rm -rf a⟧`.", Miss::Verb),
        ("Never run ⟦rm -rf a on main⟧.", Miss::Condition),
        ("Never delete the volume with `⟦rm -rf a⟧`.", Miss::Between),
        ("`⟦rm -rf a⟧`: never run this on main.", Miss::Condition),
        ("**`⟦rm -rf a⟧`**: never run this.", Miss::Backwards),
        ("`⟦rm -rf a⟧`: never. Run it.", Miss::TakenBack),
    ] {
        let unit = marked.replace(['⟦', '⟧'], "");
        assert_eq!(mended(marked), Some((miss, unit)), "{marked}");
    }
}

#[test]
fn what_gives_or_forbids_is_no_near_miss() {
    for marked in [
        "Never run `⟦rm -rf a⟧`.",
        "Run `⟦rm -rf a⟧`.",
        "Do not hesitate to run `⟦rm -rf a⟧`.",
        "Never forget to run `⟦rm -rf a⟧`.",
        "Never run, use `⟦rm -rf a⟧`.",
        "Never: `⟦rm -rf a⟧`",
        "Never do anything but `⟦rm -rf a⟧`.",
        "Never run anything other than `⟦rm -rf a⟧`.",
        "Never run tests without `⟦rm -rf a⟧`.",
        "Why never try `⟦rm -rf a⟧`?",
        "~~Do not try `⟦rm -rf a⟧`.~~",
        "Check the disk before running `⟦rm -rf a⟧`.",
        "No `⟦rm -rf a⟧` needed.",
        "No need for `⟦rm -rf a⟧`.",
        "`⟦rm -rf a⟧`: never skip this.",
        "Never panic: `⟦rm -rf a⟧`.",
        "Do not be afraid: `⟦rm -rf a⟧`.",
        "Never remove backups before `⟦rm -rf a⟧`.",
        "Never push and then `⟦rm -rf a⟧`.",
    ] {
        assert_eq!(mended(marked), None, "{marked}");
    }
}
