//! Reads one page of the specification: its pairs of a document and the list of what is found in it.

use caveat_analysis::Language;
use caveat_analysis::lines::Lang;
use caveat_analysis::verdict::Role;
use jiff::civil::{Date, date};

/// One example: a document, how it is read, and what is to be found in it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    /// The page's line, from 1, where the document's fence opens.
    pub(crate) line: usize,
    /// The document.
    pub(crate) text: String,
    /// How it is read.
    pub(crate) language: Language,
    /// Who may be addressed in it.
    pub(crate) role: Role,
    /// The project's own labels.
    pub(crate) labels: Vec<String>,
    /// The day on which it is read.
    pub(crate) today: Date,
    /// The findings, one a line, with single spaces; `none` alone where there is none.
    pub(crate) findings: Vec<String>,
}

/// The day of a document that names none.
const TODAY: Date = date(2026, 6, 1);

/// One fence of a page.
struct Fence<'a> {
    line: usize,
    info: &'a str,
    lines: Vec<&'a str>,
}

/// Reads a page. An error gives the line, from 1, and what is wrong there: nothing that looks like a part of the
/// specification is passed over.
pub(crate) fn read(page: &str) -> Result<Vec<Pair>, (usize, String)> {
    let mut pairs = Vec::new();
    let mut fences = fences(page)?.into_iter();
    while let Some(document) = fences.next() {
        let mut words = document.info.split(' ');
        let tag = words.next().unwrap_or_default();
        let bad =
            || (document.line, format!("a document's fence is tagged `markdown` or the like, not `{tag}`"));
        let language = language(tag).ok_or_else(bad)?;
        let mut pair = Pair {
            line: document.line,
            text: text(&document)?,
            language,
            role: Role::Instructions,
            labels: Vec::new(),
            today: TODAY,
            findings: Vec::new(),
        };
        let mut options = document.info[tag.len()..].trim();
        while !options.is_empty() {
            options =
                option(&mut pair, options).ok_or((document.line, format!("unknown option `{options}`")))?;
        }
        let list = fences.next().filter(|fence| fence.info == "findings");
        let list = list.ok_or((document.line, "a fence tagged `findings` must follow".to_owned()))?;
        pair.findings =
            list.lines.iter().map(|line| words_of(line)).filter(|line| !line.is_empty()).collect();
        if pair.findings.is_empty() {
            return Err((list.line, "an empty list: write `none`".to_owned()));
        }
        pairs.push(pair);
    }
    Ok(pairs)
}

/// The language of a document whose fence has this tag.
fn language(tag: &str) -> Option<Language> {
    Some(match tag {
        "markdown" => Language::Markdown,
        "json" => Language::Json,
        "jsonl" => Language::JsonLines,
        "yaml" => Language::Yaml,
        "toml" => Language::Toml,
        "html" => Language::Markup,
        "csv" => Language::Text,
        "sh" => Language::Script(Lang::Shell),
        "python" => Language::Script(Lang::Python),
        "javascript" => Language::Script(Lang::JavaScript),
        "makefile" => Language::Script(Lang::Makefile),
        "dockerfile" => Language::Script(Lang::Dockerfile),
        "powershell" => Language::Script(Lang::PowerShell),
        _ => return None,
    })
}

fn words_of(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The fences of a page: they begin and end at the margin.
fn fences(page: &str) -> Result<Vec<Fence<'_>>, (usize, String)> {
    let mut fences = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((at, opener)) = lines.next() {
        let Some(mark) = opener.chars().next().filter(|mark| matches!(mark, '`' | '~')) else { continue };
        let info = opener.trim_start_matches(mark);
        let length = opener.len() - info.len();
        if length < 3 || info.contains('`') {
            continue;
        }
        let mut fence = Fence { line: at + 1, info: info.trim(), lines: Vec::new() };
        loop {
            let (_, line) = lines.next().ok_or((at + 1, "this fence never closes".to_owned()))?;
            if line.len() >= length && line.chars().all(|c| c == mark) {
                break;
            }
            fence.lines.push(line);
        }
        fences.push(fence);
    }
    Ok(fences)
}

/// The document's text: `¦` is taken out, `<U+0000>` decoded, and each line ended by LF.
fn text(fence: &Fence<'_>) -> Result<String, (usize, String)> {
    let mut text = String::new();
    for (below, line) in fence.lines.iter().enumerate() {
        let mut rest = line.replace('¦', "");
        while let Some((before, after)) = rest.split_once("<U+") {
            let bad = || (fence.line + below + 1, "`<U+` without a character's number and `>`".to_owned());
            let (number, after) = after.split_once('>').ok_or_else(bad)?;
            let character = u32::from_str_radix(number, 16).ok().and_then(char::from_u32).ok_or_else(bad)?;
            text.push_str(before);
            text.push(character);
            rest = after.to_owned();
        }
        text.push_str(&rest);
        text.push('\n');
    }
    Ok(text)
}

/// Carries out the first of `options` and gives the rest; `None` if it is unknown.
fn option<'a>(pair: &mut Pair, options: &'a str) -> Option<&'a str> {
    if let Some(rest) = options.strip_prefix("label=\"") {
        let (label, rest) = rest.split_once('"')?;
        pair.labels.push(label.to_owned());
        return Some(rest.trim_start());
    }
    let (word, rest) = options.split_once(' ').unwrap_or((options, ""));
    if let Some(day) = word.strip_prefix("today=") {
        pair.today = day.parse().ok()?;
        return Some(rest.trim_start());
    }
    match word {
        "role=instructions" => pair.role = Role::Instructions,
        "role=runbook" => pair.role = Role::Runbook,
        "role=reference" => pair.role = Role::Reference { declared: true },
        "role=undeclared" => pair.role = Role::Reference { declared: false },
        "line-ends=crlf" => pair.text = pair.text.replace('\n', "\r\n"),
        "line-ends=cr" => pair.text = pair.text.replace('\n', "\r"),
        "no-last-line-end" => pair.text.truncate(pair.text.trim_end_matches(['\r', '\n']).len()),
        _ => return None,
    }
    Some(rest.trim_start())
}

#[test]
fn a_page_is_read() {
    let page = "# T\n\n~~~markdown role=runbook today=2027-01-31 label=\"Not these:\" line-ends=crlf\n```sh\nx¦y<U+00E9>\n```\n~~~\n\ntext\n\n```findings\nerror  x  1:1-1:2   reported\n\n```\n";
    let pairs = read(page).expect("a page");
    let expected = Pair {
        line: 3,
        text: "```sh\r\nxyé\r\n```\r\n".to_owned(),
        language: Language::Markdown,
        role: Role::Runbook,
        labels: vec!["Not these:".to_owned()],
        today: date(2027, 1, 31),
        findings: vec!["error x 1:1-1:2 reported".to_owned()],
    };
    assert_eq!(pairs, [expected]);
}

#[test]
fn what_is_not_a_pair_is_an_error() {
    let cases = [
        ("```markdown\nx\n```\n", 1, "must follow"),
        ("```markdown\nx\n```\n```markdown\nx\n```\n", 1, "must follow"),
        ("```rust\nx\n```\n", 1, "tagged `markdown`"),
        ("text\n```findings\nnone\n```\n", 2, "tagged `markdown`"),
        ("```markdown\nx\n", 1, "never closes"),
        ("```markdown\nx\n```\n```findings\n\n```\n", 4, "write `none`"),
        ("```markdown colour=red\nx\n```\n```findings\nnone\n```\n", 1, "unknown option"),
        ("```markdown\n\n<U+ZZ>\n```\n```findings\nnone\n```\n", 3, "<U+"),
    ];
    for (page, line, what) in cases {
        let (at, message) = read(page).expect_err(page);
        assert_eq!(at, line, "{page}");
        assert!(message.contains(what), "{page}: {message}");
    }
}
