//! The cells of a line of a table of values (RFC 4180): each may be a command by itself.

use std::ops::Range;

/// The cells of `line`, without their quotes. They are parted by tabs where there are any, else by commas and semicolons.
pub(super) fn of(line: &str) -> Vec<Range<usize>> {
    let parts = |byte: u8| if line.contains('\t') { byte == b'\t' } else { matches!(byte, b',' | b';') };
    let mut cells = Vec::new();
    let (mut start, mut quoted) = (0, false);
    for (at, byte) in line.bytes().chain([b'\n']).enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if at == line.len() || (!quoted && parts(byte)) => {
                let cell = line[start..at].trim().trim_matches('"').trim();
                let from = cell.as_ptr() as usize - line.as_ptr() as usize;
                if !cell.is_empty() {
                    cells.push(from..from + cell.len());
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_parted_outside_quotes() {
        for (line, expected) in [
            ("1,ls -l, a b ", &["1", "ls -l", "a b"][..]),
            ("1;\"a, b\";c", &["1", "a, b", "c"]),
            ("a, b\tc", &["a, b", "c"]),
            ("\"a", &["a"]),
            (",,", &[]),
            ("", &[]),
        ] {
            let cells: Vec<&str> = of(line).into_iter().map(|cell| &line[cell]).collect();
            assert_eq!(cells, expected, "{line}");
        }
    }
}
