//! What stands for a credential and is none: placeholders, published examples, passwords that everybody knows.
//!
//! Documents are full of them, and a rule that cries at each is soon turned off.

/// Beginnings of values that their makers print as examples, or that are the same on every machine: a Telegram bot's, a
/// Google key's, a Discord bot's, the storage emulator's.
const PUBLISHED: [&str; 4] =
    ["AAHdqTcvCH1vGWJxf", "AIzaSyDaGmWKa4JsXZ", "MTk4NjIyNDgzNDcx", "Eby8vdM02xNOcqFlqUwJ"];

/// Whether `value` was plainly made by hand to stand for a real one: it says so in words, repeats itself, or counts.
///
/// A drawn value of 16 or more characters has none of this but by an accident of one in many thousands.
pub(super) fn is_placeholder(value: &str) -> bool {
    const WORDS: [&str; 14] = [
        "EXAMPLE",
        "PLACEHOLDER",
        "REDACTED",
        "YOURKEY",
        "YOUR_",
        "YOUR-",
        "CHANGEME",
        "INSERT",
        "SAMPLE",
        "DUMMY",
        "FAKEKEY",
        "NOTREAL",
        "XXXX",
        "....",
    ];
    if PUBLISHED.iter().any(|published| value.contains(published)) {
        return true;
    }
    let upper = value.to_ascii_uppercase();
    if WORDS.iter().any(|word| upper.contains(word)) {
        return true;
    }
    let bytes = value.as_bytes();
    let (mut same, mut up) = (1, 1);
    for pair in bytes.windows(2) {
        let known = pair[0].is_ascii_alphanumeric();
        same = if known && pair[0] == pair[1] { same + 1 } else { 1 };
        // From 9 one counts on to 0, and from z to nowhere.
        let next = pair[0].checked_add(1) == Some(pair[1]) || (pair[0] == b'9' && pair[1] == b'0');
        up = if known && next { up + 1 } else { 1 };
        if same >= 6 || up >= 8 {
            return true;
        }
    }
    let mut seen = [false; 256];
    bytes.iter().for_each(|byte| seen[usize::from(*byte)] = true);
    seen.iter().filter(|seen| **seen).count() < 10
}

/// Whether `password`, which stands beside `user` in an address of `host`, is one that people write to show where a
/// password goes, or that opens nothing but the machine at hand.
pub(super) fn is_common_password(password: &str, user: &str, host: &str) -> bool {
    // A variable, a template, an ellipsis or asterisks.
    let marks = ['$', '{', '}', '<', '>', '[', ']', '*', '\u{2026}', '('];
    if password.chars().count() < 5
        || password.contains(marks)
        || password.starts_with('%') && !password[1..].starts_with(|c: char| c.is_ascii_hexdigit())
        || password.contains("...")
        || password.eq_ignore_ascii_case(user)
    {
        return true;
    }
    // A name in capitals stands for what it names.
    let named = |c: char| c.is_ascii_uppercase() || c == '_' || c == '-';
    if password.chars().all(named) || made_of_common_words(password) {
        return true;
    }
    let upper = password.to_ascii_uppercase();
    if [
        "EXAMPLE",
        "PLACEHOLDER",
        "REDACTED",
        "CHANGEME",
        "CHANGE-ME",
        "CHANGE_ME",
        "DUMMY",
        "XXXX",
        "YOUR_",
        "YOUR-",
    ]
    .iter()
    .any(|word| upper.contains(word))
    {
        return true;
    }
    is_this_machine(host) && password.len() < 16
}

/// Whether `password` is put together from words such as `my`, `secret`, `password`, spelled with digits or not, and
/// perhaps a number behind them.
fn made_of_common_words(password: &str) -> bool {
    const WORDS: [&str; 62] = [
        "password",
        "passwort",
        "passwd",
        "passphrase",
        "pass",
        "pwd",
        "pw",
        "secret",
        "token",
        "apikey",
        "key",
        "mysql",
        "postgres",
        "postgresql",
        "mongo",
        "mongodb",
        "redis",
        "rabbitmq",
        "rabbit",
        "guest",
        "root",
        "admin",
        "administrator",
        "user",
        "username",
        "default",
        "test",
        "testing",
        "tester",
        "demo",
        "sample",
        "foo",
        "bar",
        "baz",
        "my",
        "your",
        "the",
        "a",
        "an",
        "some",
        "new",
        "old",
        "db",
        "database",
        "super",
        "app",
        "dev",
        "prod",
        "local",
        "changeme",
        "change",
        "me",
        "this",
        "here",
        "insert",
        "enter",
        "value",
        "strong",
        "secure",
        "hunter",
        "letmein",
        "service",
    ];
    let plain: String = password
        .trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '!' | '?' | '.' | '#'))
        .chars()
        .filter(|c| !matches!(c, '_' | '-' | '.'))
        .map(|c| match c {
            '0' => 'o',
            '1' => 'i',
            '3' => 'e',
            '4' => 'a',
            '5' => 's',
            c => c.to_ascii_lowercase(),
        })
        .collect();
    // Which of its beginnings are words, put together.
    let mut reached = vec![false; plain.len() + 1];
    reached[0] = true;
    for at in 0..plain.len() {
        if !reached[at] || !plain.is_char_boundary(at) {
            continue;
        }
        for word in WORDS.iter().filter(|word| plain[at..].starts_with(**word)) {
            reached[at + word.len()] = true;
        }
    }
    reached[plain.len()]
}

/// Whether `host`, which a port may follow, is the machine at hand.
fn is_this_machine(host: &str) -> bool {
    let name = host.strip_prefix("tcp:").unwrap_or(host);
    let name = name.split([':', ',']).next().unwrap_or_default();
    name.eq_ignore_ascii_case("localhost")
        || name.eq_ignore_ascii_case("host.docker.internal")
        || name == "0.0.0.0"
        || name.starts_with("127.")
        || host.starts_with("[::1]")
        || name == "."
        || name.eq_ignore_ascii_case("(localdb)")
}

/// Whether `value` is a JSON web token (RFC 7519) that somebody issued: not a tutorial's, and not one that is public by
/// its role.
pub(super) fn is_web_token(value: &str) -> bool {
    let mut parts = value.split('.').map(decoded);
    let (Some(Some(header)), Some(Some(payload))) = (parts.next(), parts.next()) else { return false };
    let is_object = |text: &str| text.starts_with('{') && text.ends_with('}');
    let compact: String = payload.chars().filter(|c| !c.is_whitespace()).collect();
    is_object(&header)
        && header.contains("\"alg\"")
        && is_object(&payload)
        && !compact.contains("\"1234567890\"")
        && !compact.contains("JohnDoe")
        && !compact.contains("\"role\":\"anon\"")
}

/// `text` read as base 64 for addresses (RFC 4648, section 5), if that gives UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut held) = (0u32, 0);
    for byte in text.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'-' => 62,
            b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_that_everybody_knows() {
        let hosts = ["db.example.com", "db:5432"];
        for password in [
            "password",
            "Passw0rd",
            "p4ssword123!",
            "my-secret-pw",
            "supersecret",
            "YOUR_PASSWORD",
            "DB_PASS",
            "changeme",
            "s3cr3t",
            "hunter2",
            "${PASS}",
            "$PASS",
            "<pass>",
            "****",
            "%s",
            "x",
            "{{ pw }}",
            "[secret]",
            "xxxxxxxx",
            "example-only-7",
            "root",
            "guest",
        ] {
            assert!(hosts.iter().all(|host| is_common_password(password, "app", host)), "{password}");
        }
        for password in ["kX9vw2TmQ8", "T7!vQz92", "correct-horse-battery", "Sommer2024x", "%41bc%2F9zQ"] {
            assert!(!hosts.iter().any(|host| is_common_password(password, "app", host)), "{password}");
        }
        assert!(is_common_password("kX9vw2TmQ8", "kX9vw2TmQ8", "db.example.com"));
        for host in ["localhost", "localhost:5432", "127.0.0.1:1", "[::1]:80", "host.docker.internal"] {
            assert!(is_common_password("kX9vw2TmQ8", "app", host), "{host}");
            assert!(!is_common_password("kX9vw2TmQ8kX9vw2TmQ8", "app", host), "{host}");
        }
    }

    #[test]
    fn published_examples_are_quiet() {
        for value in [
            concat!("AAHdqTcvCH1vGWJxf", "SeofSAs0K5PALDsaw"),
            concat!("AIzaSyDaGmWKa4JsXZ", "-HjGw7ISLn_3namBGewQe"),
            concat!("Eby8vdM02xNOcqFlqUwJ", "PLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq"),
        ] {
            assert!(is_placeholder(value));
        }
    }
}
