//! Fences and indented code: prompts, leading words of prose, and the languages that hold commands in their own way.

use std::ops::Range;

use super::{guess, names, prose, recipes, records, sessions, strings};
use crate::facts::command::Dialect;
use crate::facts::command::origin::Origin;
use crate::facts::command::read::{read, read_expansions, read_part};
use crate::facts::command::script::{Candidate, Script};
use crate::lines::Lang;

/// Words that make what follows an instruction (seed 1, "Safety boundaries").
pub(super) const AFFIRMATIVE: &[&str] = &["always", "must", "run", "execute", "use", "follow"];

/// Words that may stand before or between them.
const COURTESY: &[&str] =
    &["please", "you", "then", "now", "just", "should", "also", "first", "next", "instead", "and"];

/// The commands of one unit of a fence in `lang`.
pub(super) fn code(unit: &str, lang: Lang, found: &mut Vec<Candidate>) {
    let first = found.len();
    match lang {
        Lang::Dockerfile => records::dockerfile(unit, found),
        Lang::Makefile => recipes::line(unit, found),
        Lang::Yaml => records::yaml(unit, found),
        Lang::Json | Lang::Toml => records::pairs(unit, found),
        Lang::Sql => match without_prompts(unit, lang, true) {
            Some((text, origin)) => push(found, read(&text, Some(&origin), Dialect::Sql, false), false),
            None => push(found, read(unit, None, Dialect::Sql, false), false),
        },
        Lang::Python | Lang::JavaScript | Lang::Other => return strings::calls(unit, lang, found),
        _ => return script(unit, lang, found),
    }
    // fences carry the wrong tag often enough
    let prompted = lang == Lang::Yaml && unit.trim_start().starts_with("$ ");
    if found.len() == first || lang == Lang::Sql || prompted {
        prose::line(unit, found);
    }
}

/// The commands of one unit of a script, a session, or a fence without a tag that says what it is.
fn script(unit: &str, lang: Lang, found: &mut Vec<Candidate>) {
    let lax = matches!(lang, Lang::Unknown | Lang::Console);
    let place = Dialect::of(lang);
    let mut prompted = |text: &str, origin: &Origin| {
        let (from, affirmed) = after_affirmative(text);
        let mut part = Origin::default();
        origin.copy(from, text.len(), 0, &mut part);
        let dialect = guess::dialect(&text[from..], place);
        push(found, read(&text[from..], Some(&part), dialect, lax), affirmed);
    };
    match without_prompts(unit, lang, true) {
        Some((text, origin)) => {
            prompted(&text, &origin);
            // the sign of a root prompt on a line that goes on may as well begin a comment
            if lax && unit.contains("\n#") {
                match without_prompts(unit, lang, false) {
                    Some((text, origin)) => prompted(&text, &origin),
                    None => push(found, read_part(unit, 0..unit.len(), place, lax), false),
                }
            }
        }
        None => {
            let (from, affirmed) = after_affirmative(unit);
            let dialect = guess::dialect(&unit[from..], place);
            push(found, read_part(unit, from..unit.len(), dialect, lax), affirmed);
        }
    }
    if lang == Lang::Unknown && !names::is_script(unit.trim_start_matches(['$', '#', '>', ' ', '\t'])) {
        prose::prose(unit, 0..unit.len(), false, found);
    }
}

/// The substitutions of a here-document's line.
pub(super) fn expansions(unit: &str) -> Option<Candidate> {
    let script = read_expansions(unit);
    (script.commands.len() > 1).then_some(Candidate { script, leads: false, affirmed: false, bare: false })
}

pub(super) fn push(found: &mut Vec<Candidate>, script: Script, affirmed: bool) {
    if !script.commands.is_empty() {
        found.push(Candidate { script, leads: false, affirmed, bare: false });
    }
}

/// Where the command begins after leading words such as "always run", and whether there are such.
pub(super) fn after_affirmative(text: &str) -> (usize, bool) {
    let mut at = text.len() - text.trim_start().len();
    let mut affirmed = None;
    loop {
        let rest = &text[at..];
        let len = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let word = rest[..len].trim_matches(['*', '_', ':', ',']).to_ascii_lowercase();
        let known = AFFIRMATIVE.contains(&word.as_str());
        if !known && !COURTESY.contains(&word.as_str()) {
            break;
        }
        at += len;
        at += text[at..].len() - text[at..].trim_start().len();
        if known {
            affirmed = Some(at);
        }
        if at >= text.len() {
            break;
        }
    }
    match affirmed {
        Some(at) if at < text.len() => (at, true),
        _ => (0, false),
    }
}

/// The unit without its prompts, if it has any. `root`: also without those of root (`# `) on later lines.
fn without_prompts(unit: &str, lang: Lang, root: bool) -> Option<(String, Origin)> {
    let mut text = String::new();
    let mut origin = Origin::default();
    let mut any = false;
    let mut at = 0;
    for (index, line) in unit.split_inclusive('\n').enumerate() {
        let prompt =
            if index > 0 && !root && line.starts_with('#') { 0 } else { prompt(line, lang, index > 0) };
        any |= prompt > 0;
        if prompt < line.len() {
            origin.push(text.len(), at + prompt, at + line.len());
            text.push_str(&line[prompt..]);
        }
        at += line.len();
    }
    (any && !text.is_empty()).then_some((text, origin))
}

/// The length of the prompt with which a line of a fence in `lang` begins, 0 if there is none.
pub(super) fn prompt(line: &str, lang: Lang, continued: bool) -> usize {
    let indent = line.len() - line.trim_start().len();
    let rest = &line[indent..];
    let len = prompt_of(rest, lang, continued);
    if len == 0 {
        return 0;
    }
    let after = &rest[len..];
    indent + len + (after.len() - after.trim_start_matches([' ', '\t']).len())
}

/// The length of the schedule with which a line of a cron table begins (crontab(5)): five fields or a name of one, and
/// in a system's table the account.
pub(in crate::facts::command) fn schedule(rest: &str) -> Option<usize> {
    const NAMED: [&str; 8] =
        ["@reboot", "@hourly", "@daily", "@midnight", "@weekly", "@monthly", "@yearly", "@annually"];
    let first = rest.bytes().next().filter(|byte| byte.is_ascii_digit() || matches!(byte, b'*' | b'@'))?;
    let is_field = |word: &str| {
        word.bytes().all(|byte| byte.is_ascii_digit() || b"*/,-".contains(&byte))
            || (word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_alphabetic()))
    };
    let line = rest.split('\n').next().unwrap_or_default();
    let mut words = line.split([' ', '\t']).filter(|word| !word.is_empty());
    let end = |word: &str| word.as_ptr() as usize - rest.as_ptr() as usize + word.len();
    let last = if first == b'@' {
        words.next().filter(|word| NAMED.contains(word))?
    } else {
        let fields: Vec<&str> = words.by_ref().take(5).collect();
        let whole = fields.len() == 5 && fields.iter().all(|word| is_field(word)) && fields.contains(&"*");
        *fields.last().filter(|_| whole)?
    };
    Some(words.next().filter(|word| *word == "root").map_or(end(last), end))
}

fn prompt_of(rest: &str, lang: Lang, continued: bool) -> usize {
    let loose = matches!(lang, Lang::Console | Lang::Unknown);
    if let Some(len) = schedule(rest) {
        return len;
    }
    for sign in ["$ ", "PS> ", "PS>"] {
        if rest.starts_with(sign) {
            return sign.len();
        }
    }
    let line = rest.split('\n').next().unwrap_or_default();
    if let Some(len) = sessions::prompt(line) {
        return len;
    }
    if (loose && (rest.starts_with("# ") || rest.starts_with("% ") || rest.starts_with("> ")))
        || (continued && rest.starts_with("> "))
    {
        return 2;
    }
    let head: &str = rest.split('\n').next().unwrap_or_default();
    // `PS C:\dir> `, `C:\dir>`
    let windows: Option<Range<usize>> = head.find('>').map(|end| 0..end);
    if let Some(range) = windows {
        let before = &head[range.clone()];
        let path = before.strip_prefix("PS ").unwrap_or(before);
        let drive =
            path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && path[1..].starts_with(":\\");
        if (drive || (before.starts_with("PS ") && path.starts_with(['/', '~']))) && !path.contains('"') {
            return range.end + 1;
        }
    }
    // `user@host:~/dir$ `, `[user@host dir]# `, `(venv) $ `
    let sign = head
        .find("$ ")
        .into_iter()
        .chain(head.find("# ").filter(|_| head.contains('@')))
        .chain(head.find("% ").filter(|_| loose && head.contains('@')))
        .min();
    if let Some(sign) = sign.filter(|sign| *sign <= 80) {
        let before = &head[..sign];
        let account = before.trim_start_matches('[').split(['@']).next().unwrap_or_default();
        let named = before.contains('@')
            && !account.is_empty()
            && account.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
            && before.matches(' ').count() <= 2
            && !before.contains(['"', '\'', '|', ';', '=']);
        let venv =
            before.starts_with('(') && before.trim_end().ends_with(')') && !before.contains(['|', ';', '$']);
        if named || venv {
            return sign + 2;
        }
    }
    0
}
