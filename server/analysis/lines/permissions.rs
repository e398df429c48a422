//! Lists of permission rules: what an agent's settings allow, ask about or deny.
//!
//! A command in such a list is a pattern, not a call; what the list does with it stands in its key, often lines above. So
//! the state between two lines of a JSON fence is whether such a list is open, and of which kind.

use std::ops::Range;

use super::Sub;

const GIVEN: [&str; 5] = ["allow", "allowed", "ask", "permit", "permitted"];
const DENIED: [&str; 8] =
    ["deny", "denied", "block", "blocked", "black", "forbid", "forbidden", "disallowed"];

/// The strings of `line` that stand in a list of permission rules, without their quotes, each with whether that list
/// denies it; and the state behind the line. `sub` is the state in which the line is read.
#[must_use]
pub fn permission_rules(line: &str, sub: Sub) -> (Vec<(Range<usize>, bool)>, Sub) {
    let bytes = line.as_bytes();
    let mut open = match sub {
        Sub::Rules { denied } => Some(denied),
        _ => None,
    };
    let mut rules = Vec::new();
    let mut key = None;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let end = string_end(bytes, at + 1);
                match open {
                    Some(denied) => rules.push((at + 1..end, denied)),
                    None => key = Some(at + 1..end),
                }
                at = end;
            }
            b'[' => open = open.or(key.take().and_then(|key| permission_list(&line[key]))),
            b']' => open = None,
            b':' | b' ' | b'\t' => {}
            _ => key = None,
        }
        at += 1;
    }
    (rules, open.map_or(Sub::Fresh, |denied| Sub::Rules { denied }))
}

/// Whether a list under `key` is one of permission rules: `Some(true)` if it denies what it names.
#[must_use]
pub fn permission_list(key: &str) -> Option<bool> {
    let key = key.rsplit('.').next().unwrap_or(key);
    let key: String = key.chars().filter(|c| !matches!(c, '_' | '-')).collect();
    let key = key.to_ascii_lowercase();
    let key = ["tools", "commands", "list"].iter().find_map(|noun| key.strip_suffix(noun)).unwrap_or(&key);
    let is = |list: &[&str]| list.contains(&key);
    if is(&DENIED) { Some(true) } else { is(&GIVEN).then_some(false) }
}

/// Where the string that begins at `at` ends: its closing quote, or the line's end.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_over_lines_and_on_one() {
        let read = |line: &str, sub| {
            let (rules, sub) = permission_rules(line, sub);
            (
                rules.into_iter().map(|(range, denied)| (line[range].to_owned(), denied)).collect::<Vec<_>>(),
                sub,
            )
        };
        let rule = |text: &str, denied| (text.to_owned(), denied);
        let (open, shut) = (Sub::Rules { denied: false }, Sub::Rules { denied: true });
        assert_eq!(
            read(r#""deny": ["a", "b"]"#, Sub::Fresh),
            (vec![rule("a", true), rule("b", true)], Sub::Fresh)
        );
        assert_eq!(read(r#""ask" : ["#, Sub::Fresh), (vec![], open));
        assert_eq!(read(r#""Deny": ["a""#, Sub::Fresh), (vec![rule("a", true)], shut));
        assert_eq!(read(r#"  "x [\" ] y","#, shut), (vec![rule("x [\\\" ] y", true)], shut));
        assert_eq!(read(r#"], "allow": ["c""#, shut), (vec![rule("c", false)], open));
        assert_eq!(read(r#"], "name": ["c"]"#, shut), (vec![], Sub::Fresh));
        assert_eq!(read(r#""deny": "none", "list": ["#, Sub::Fresh), (vec![], Sub::Fresh));
        assert_eq!(read("\"open \u{e9}", shut), (vec![rule("open \u{e9}", true)], shut));
    }
}
