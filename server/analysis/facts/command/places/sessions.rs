//! Prompts of sessions beyond the plain `$ `: of database clients, of shells that show a host or a directory, and of
//! themes that end them in a sign of their own. What stands before a unit's setting file (`ExecStart=`) is cut likewise.

use super::names::name_of;

/// Signs with which themes of shells end their prompts.
const SIGNS: [char; 6] = ['\u{276F}', '\u{279C}', '\u{03BB}', '\u{BB}', '\u{25B6}', '\u{203A}'];

/// Clients of databases that show their name.
const CLIENTS: [&str; 8] = ["mysql", "mariadb", "sqlite", "sql", "psql", "cqlsh", "duckdb", "clickhouse"];

/// The most bytes of a prompt.
const LONGEST: usize = 80;

/// The length of the prompt with which a line begins.
pub(super) fn prompt(line: &str) -> Option<usize> {
    client(line).or_else(|| theme(line)).or_else(|| host(line)).or_else(|| setting(line))
}

fn head(line: &str) -> &str {
    let mut end = line.len().min(LONGEST);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    &line[..end]
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
}

/// `mysql> `, `MariaDB [shop]> `, `shop=# `, `shop-> `.
fn client(line: &str) -> Option<usize> {
    let head = head(line);
    if !head.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let end = head.find("> ").into_iter().chain(head.find("# ")).min()?;
    let before = &head[..end];
    let (name, rest) = before.split_once([' ', '=', '-', '(']).unwrap_or((before, ""));
    let known = CLIENTS.iter().any(|client| name.eq_ignore_ascii_case(client));
    let database = is_plain(name) && before.len() == name.len() + 1 && before.ends_with(['=', '-', '(']);
    let bracketed = rest.is_empty() || (rest.starts_with('[') && rest.ends_with(']'));
    ((known && bracketed && head[end..].starts_with('>')) || database).then_some(end + 2)
}

/// A line that a theme's sign begins, or ends the directory of: `❯ `, `~/app ❯ `, `➜  app git:(main) ✗ `.
fn theme(line: &str) -> Option<usize> {
    let head = head(line);
    let (sign, c) = head.char_indices().find(|(_, c)| SIGNS.contains(c))?;
    let before = head[..sign].trim_end();
    if !(before.is_empty() || before.starts_with(['~', '/'])) || before.contains(['|', ';', '"', '\'', '=']) {
        return None;
    }
    let mut at = sign + c.len_utf8();
    let blanks = |at: usize| line[at..].len() - line[at..].trim_start_matches([' ', '\t']).len();
    if blanks(at) == 0 {
        return None;
    }
    at += blanks(at);
    // the directory, the branch and the state that some themes show behind it
    if c == '\u{279C}' {
        let word = |at: usize| line[at..].split([' ', '\t']).next().unwrap_or_default();
        let mut shown = 0;
        while shown < 3 && at < line.len() {
            let next = word(at);
            let is_state = next.starts_with("git:(") || matches!(next, "\u{2717}" | "\u{2714}" | "\u{26A1}");
            let is_directory =
                shown == 0 && name_of(next).is_none() && (is_plain(next) || next.starts_with('~'));
            if !(is_state || is_directory) {
                break;
            }
            shown += 1;
            at += next.len();
            at += blanks(at);
        }
    }
    Some(at)
}

/// `host% `, `bash-5.1$ `, `/app # `, `~/app $ `.
fn host(line: &str) -> Option<usize> {
    let head = head(line);
    let end = ["$ ", "# ", "% "].iter().filter_map(|sign| head.find(sign)).min()?;
    let before = &head[..end];
    let named = before.starts_with(|c: char| c.is_ascii_alphabetic()) && is_plain(before);
    let directory = before.strip_suffix(' ').filter(|path| path.starts_with(['~', '/']));
    let directory = directory.is_some_and(|path| !path.contains([' ', '*', ';', '|', '"', '\'']));
    (named || directory).then_some(end + 2)
}

/// `ExecStart=` and its like of a unit of systemd, with the signs that may stand before the program (systemd.service(5)).
fn setting(line: &str) -> Option<usize> {
    let (name, _) = line.strip_prefix("Exec")?.split_once('=')?;
    let known = ["", "Start", "StartPre", "StartPost", "Stop", "StopPost", "Reload", "Condition"];
    let start = "Exec".len() + name.len() + 1;
    let behind = line[start..].trim_start_matches(['@', '-', ':', '+', '!', ' ']);
    known.contains(&name.trim_end()).then_some(line.len() - behind.len())
}

#[cfg(test)]
mod tests {
    use super::prompt;

    #[test]
    fn what_a_session_shows_before_a_command() {
        for (line, before) in [
            ("mysql> DROP TABLE a;", "mysql> "),
            ("MariaDB [shop]> DROP TABLE a;", "MariaDB [shop]> "),
            ("shop=# DROP TABLE a;", "shop=# "),
            ("shop=> DROP TABLE a;", "shop=> "),
            ("shop-# DROP TABLE a;", "shop-# "),
            ("host% ls", "host% "),
            ("bash-5.1$ ls", "bash-5.1$ "),
            ("/app # ls", "/app # "),
            ("~/app $ ls", "~/app $ "),
            ("\u{276F} ls", "\u{276F} "),
            ("~ \u{276F} ls", "~ \u{276F} "),
            ("\u{279C} rm a", "\u{279C} "),
            ("\u{279C}  ~ rm a", "\u{279C}  ~ "),
            ("\u{279C}  app git:(main) \u{2717} rm a", "\u{279C}  app git:(main) \u{2717} "),
            ("ExecStart=/bin/ls", "ExecStart="),
            ("ExecStartPre=-/bin/ls", "ExecStartPre=-"),
        ] {
            assert_eq!(prompt(line).map(|len| &line[..len]), Some(before), "{line}");
        }
        for line in [
            "100% done",
            "a => b",
            "echo a > b",
            "cat a # b",
            "Executes=ls",
            "ls",
            "x = 1 % 2",
            "say \u{BB}hi\u{AB}",
            "the host % is",
            "cd /app # there",
        ] {
            assert_eq!(prompt(line), None, "{line}");
        }
    }
}
