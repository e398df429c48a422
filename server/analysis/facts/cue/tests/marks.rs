//! Comments in a fence, permission lists and tables.

use super::{live, turns};
use crate::facts::cue::*;

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
