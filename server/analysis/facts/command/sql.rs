//! SQL read into the same shape as commands, so that the catalogue needs no second kind of entry.

use super::dialect::Dialect;
use super::origin::Origin;
use super::read::Reader;
use super::script::{Parent, Pipeline, Simple, Via, Word};

/// Reads statements up to the end in force: each is a command with the program `sql`, whose first word is empty and
/// stands where the statement begins; the other words are its tokens, identifiers without their quotes.
pub(super) fn statements(reader: &mut Reader<'_>, parent: Option<Parent>) {
    let mut words: Vec<Word> = Vec::new();
    while reader.at < reader.end {
        match token(reader) {
            Token::Word(word) => words.push(word),
            Token::Blank => {}
            Token::End => statement(reader, &mut words, parent),
        }
    }
    statement(reader, &mut words, parent);
}

enum Token {
    Word(Word),
    Blank,
    End,
}

fn statement(reader: &mut Reader<'_>, words: &mut Vec<Word>, parent: Option<Parent>) {
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
    let mut span = first.span.start..last.span.end;
    let at = first.span.start;
    let name = Word { value: "sql".into(), span: at..at, origin: Origin::verbatim(at, 0), ..Word::default() };
    words.insert(0, name);
    let script = &mut reader.out.script;
    if let Some(parent) = parent.filter(|parent| parent.via == Via::Inline) {
        span.start = span.start.min(script.commands[parent.command].span.start);
    }
    let index = script.commands.len();
    script.commands.push(Simple {
        span: span.clone(),
        program: "sql".into(),
        words: std::mem::take(words),
        parent,
        dialect: Dialect::Sql,
        ..Simple::default()
    });
    script.pipelines.push(Pipeline { span, stages: vec![index] });
}

/// The next token: a name, number, string, or one sign.
fn token(reader: &mut Reader<'_>) -> Token {
    let begin = reader.at;
    let text = &reader.text.text[begin..reader.end];
    let bytes = text.as_bytes();
    let name = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'@' | b'#') || *byte >= 0x80
    };
    let len = match bytes[0] {
        b' ' | b'\t' | b'\r' | b'\n' => {
            reader.at += 1;
            return Token::Blank;
        }
        b';' => {
            reader.at += 1;
            return Token::End;
        }
        b'-' if text.starts_with("--") => {
            reader.at += text.find('\n').unwrap_or(text.len());
            return Token::Blank;
        }
        b'/' if text.starts_with("/*") => {
            reader.at += text.find("*/").map_or(2, |end| end + 2);
            return Token::Blank;
        }
        quote @ (b'\'' | b'"' | b'`') => match text[1..].find(char::from(quote)) {
            Some(len) => len + 2,
            None => 1,
        },
        byte if name(&byte) => bytes.iter().take_while(|byte| name(byte)).count(),
        _ => 1,
    };
    reader.at += len;
    let quoted = len > 1 && matches!(bytes[0], b'\'' | b'"' | b'`');
    let inner = if quoted { 1..len - 1 } else { 0..len };
    let mut origin = Origin::default();
    match reader.text.origin {
        Some(outer) => outer.copy(begin + inner.start, begin + inner.end, 0, &mut origin),
        None => origin = Origin::verbatim(begin + inner.start, inner.len()),
    }
    let placeholder = !quoted && matches!(bytes[0], b'<' | b'{' | b'?' | b':');
    let span = reader.text.start(begin)..reader.text.end(begin + len);
    Token::Word(Word { value: text[inner].to_owned(), span, quoted, placeholder, origin, ..Word::default() })
}
