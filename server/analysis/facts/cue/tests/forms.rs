//! Headings, lead-ins and openers: forms from end to end.

use super::{live, turns};
use crate::facts::cue::*;

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
            "Commands that are always blocked",
            "What not to do",
            "Off limits",
            "Red lines",
            "Common pitfalls",
            "What the agent must not do",
            "What is not allowed",
            "Commands you must never run",
            "Patterns the hook rejects",
            "Attacks we block",
            "Forbidden operations (no exceptions)",
            "Git: forbidden",
            "Hard rules: never",
            "\u{26a0}\u{fe0f} Forbidden commands",
            "Forbidden commands \u{1f6ab}",
            "Dangerous operations",
            "3. Destructive git commands",
            "Examples of malicious commands",
            "Denied",
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
            // a status, and signs of trouble, whose section may mend them
            "403 Forbidden",
            "Red flags",
            "Never do this on Fridays",
            "Avoid unless asked",
            "Blocked commands in production",
            "Blocked commands, except on CI",
            "Never skip this",
            "Do not be afraid",
            "\u{274c} The build fails",
            "Dangerous operations in production",
            "Dangerous, and needed, operations",
            "Danger",
            "Deprecated",
            "Destroying a cluster",
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
fn headings_that_only_warn() {
    for heading in ["Dangerous operations", "\u{26a0} Destructive commands", "Denied"] {
        assert!(warns(heading), "{heading}");
    }
    for heading in ["Forbidden commands", "Dangerous commands (never run)", "Safe commands", "Cleaning up"] {
        assert!(!warns(heading), "{heading}");
    }
}

#[test]
fn headings_that_are_none() {
    for paragraph in
        ["**Don't**", "\u{274c} **Don't**", "\u{274c} Never do this", "__Forbidden commands__", "**Never**"]
    {
        assert_eq!(above_block(paragraph, paragraph, false), Some(Turn::Bad), "{paragraph}");
    }
    for paragraph in [
        "Don't",
        "**Don't.**",
        "**Do**",
        "\u{2705} **Do**",
        "**Don't** forget",
        "**Don't** do **this**, run",
        "**Never on Fridays**",
        "**Never**\n**Cleanup**",
        "\u{274c} The build fails",
    ] {
        assert_ne!(above_block(paragraph, paragraph, false), Some(Turn::Bad), "{paragraph}");
    }
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
            "IMPORTANT: Never run these commands:",
            "The agent must not run the following commands:",
            "Never, ever run these commands:",
            "Claude may not use any of these commands:",
            "It is forbidden to run these commands:",
            "Destructive commands:",
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
