//! `caveat check --records`: a stream of texts, one report a line, in the order of the stream and in constant memory.
//!
//! What comes in is cut into portions of lines that are there already: a reader that waits for each answer gets it, and
//! one that sends a million lines has all processors. A line that is no record is answered with its number; none is
//! passed over, so that the n-th line that comes out is about the n-th that went in.

use std::borrow::Cow;
use std::io::{self, BufReader};

use caveat_workspace::config;
use caveat_workspace::records::{Line, Records, next_line};
use caveat_workspace::scan;
use caveat_workspace::walk::PlanError;
use jiff::civil::Date;
use serde::Deserialize;

use crate::arguments::{Check, ReportFormat};
use crate::check::{gather, row};
use crate::output::{self, Failure};
use crate::report::{RecordError, Report, Summary, write_json};

/// The longest line: a text of the largest size (2 MiB) in which every byte is written as `\u00xx`, and its path.
const MAX_LINE: usize = 13 * 1024 * 1024;
/// How many bytes of lines are judged at once.
const PORTION: usize = 4 * 1024 * 1024;
/// How much is asked of the system at once.
const BUFFER: usize = 256 * 1024;

#[derive(Deserialize)]
struct Record<'a> {
    #[serde(borrow)]
    path: Option<Cow<'a, str>>,
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
}

/// What a line came to.
struct Answer {
    bytes: Vec<u8>,
    fails: bool,
    incomplete: bool,
    exempt: usize,
}

/// What all lines came to.
#[derive(Default)]
pub(crate) struct Totals {
    pub(crate) fails: bool,
    pub(crate) incomplete: bool,
    pub(crate) exempt: usize,
}

/// Answers standard input line by line.
pub(crate) fn run(options: &Check, today: Date) -> Result<Totals, Failure> {
    if !matches!(options.format, None | Some(ReportFormat::Json | ReportFormat::Jsonl)) {
        return Err(Failure::usage("`--records` writes lines of JSON; leave `--format` out"));
    }
    let config = options.config.as_ref().map(|file| config::load(file)).transpose();
    let config = config.map_err(|error| Failure::from(PlanError::Config(vec![error.into()])))?;
    let records = Records::new(config, options.role.role(), options.untrusted);
    let mut totals = Totals::default();
    let mut unreadable = false;
    output::write_plain(options.output.as_deref(), |out| {
        let mut input = BufReader::with_capacity(BUFFER, io::stdin().lock());
        let mut number = 0;
        loop {
            let lines = match portion(&mut input, &mut number) {
                Ok(lines) => lines,
                Err(_) => {
                    unreadable = true;
                    return Ok(());
                }
            };
            if lines.is_empty() {
                return Ok(());
            }
            for answer in scan::each(&lines, |(number, line)| answer(&records, options, today, *number, line))
            {
                let answer = answer?;
                totals.fails |= answer.fails;
                totals.incomplete |= answer.incomplete;
                totals.exempt += answer.exempt;
                out.write_all(&answer.bytes)?;
            }
            out.flush()?;
        }
    })?;
    match unreadable {
        true => Err(Failure::usage("standard input cannot be read")),
        false => Ok(totals),
    }
}

/// The next line, and those behind it that need not be waited for.
fn portion<R: io::Read>(input: &mut BufReader<R>, number: &mut u64) -> io::Result<Vec<(u64, Line)>> {
    let (mut lines, mut size) = (Vec::new(), 0);
    while lines.is_empty() || size < PORTION && input.buffer().contains(&b'\n') {
        let Some(line) = next_line(input, MAX_LINE)? else { break };
        *number += 1;
        size += match &line {
            Line::Whole(bytes) => bytes.len(),
            Line::TooLong => 0,
        };
        lines.push((*number, line));
    }
    Ok(lines)
}

fn answer(records: &Records, options: &Check, today: Date, number: u64, line: &Line) -> io::Result<Answer> {
    let mut bytes = Vec::new();
    let (path, text) = match read(line, number == 1) {
        Ok(record) => record,
        Err(reason) => {
            let error = Some(RecordError { line: number, reason });
            let (findings, skipped, summary) = (Vec::new(), Vec::new(), Summary::default());
            write_json(
                &Report { version: 1, files: 0, findings, skipped, summary, baseline: None, error },
                &mut bytes,
            )?;
            return Ok(Answer { bytes, fails: false, incomplete: true, exempt: 0 });
        }
    };
    let target = records.target(&path);
    let row = scan::run_on(&target, today, text.as_bytes(), |target, outcome| {
        row(target, outcome, options.fail_on)
    });
    let checked = gather(vec![row], Vec::new());
    checked.report.write(&mut bytes)?;
    let exempt = checked.report.summary.exempt;
    Ok(Answer { bytes, fails: checked.fails, incomplete: checked.incomplete, exempt })
}

/// The path and the text of a record, or the name of what is wrong with the line.
fn read(line: &Line, first: bool) -> Result<(Cow<'_, str>, Cow<'_, str>), &'static str> {
    let Line::Whole(bytes) = line else { return Err("too-long") };
    let text = std::str::from_utf8(bytes).map_err(|_| "not-utf-8")?;
    let text = if first { text.trim_start_matches('\u{feff}') } else { text };
    let record: Record<'_> = serde_json::from_str(text)
        .map_err(|error| if error.is_data() { "not-a-record" } else { "not-json" })?;
    Ok((record.path.ok_or("no-path")?, record.text.ok_or("no-text")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_record_or_says_why_not() {
        type Case = (&'static [u8], Result<(&'static str, &'static str), &'static str>);
        let cases: &[Case] = &[
            (br#"{"path":"a.md","text":"x\ny"}"#, Ok(("a.md", "x\ny"))),
            (b"{\"text\":\"x\",\"more\":[1],\"path\":\"\"}\r", Ok(("", "x"))),
            ("\u{feff}{\"path\":\"a\",\"text\":\"\"}".as_bytes(), Ok(("a", ""))),
            (b"", Err("not-json")),
            (b"{", Err("not-json")),
            (br#"{"path":"a","text":"\ud800"}"#, Err("not-json")),
            (br#"{"path":"a","text":"x"} {}"#, Err("not-json")),
            (b"[]", Err("not-a-record")),
            (b"3", Err("not-a-record")),
            (br#"{"path":"a","text":3}"#, Err("not-a-record")),
            (br#"{"path":"a","path":"b","text":""}"#, Err("not-a-record")),
            (br#"{"text":"x"}"#, Err("no-path")),
            (br#"{"path":"a","text":null}"#, Err("no-text")),
            (b"{\"path\":\"a\",\"text\":\"\xff\"}", Err("not-utf-8")),
        ];
        for (line, expected) in cases {
            let line = Line::Whole(line.to_vec());
            let read = read(&line, true);
            let read = read.as_ref().map(|(path, text)| (&**path, &**text)).map_err(|reason| *reason);
            assert_eq!(read, *expected, "{line:?}");
        }
        assert_eq!(read(&Line::TooLong, false), Err("too-long"));
    }
}
