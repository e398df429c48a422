//! Code spans side by side, read as one: `rm` `-rf` `/srv/data`. Some people write so, and it hides nothing.

use super::Marks;
use crate::facts::view::Mapped;

/// Whether `text` may have spans side by side.
pub(super) fn has(text: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), b"` `").is_some()
}

/// `text` with spans that only a space parts read as one.
pub(super) fn read(text: &str) -> Option<(Mapped, Marks)> {
    let (mut out, mut plain) = (Mapped::new(), 0);
    let mut ticks = 0;
    for (at, _) in text.match_indices('`') {
        ticks += 1;
        // The second of a pair closes; the third opens the next.
        if ticks % 2 == 0 && text[at..].starts_with("` `") {
            out.push_verbatim(&text[plain..at], plain);
            out.push_replaced(" ", at..at + 3);
            plain = at + 3;
        }
    }
    if plain == 0 {
        return None;
    }
    out.push_verbatim(&text[plain..], plain);
    Some((out, Marks::default()))
}
