//! Styles that hide what they are given to, in an attribute or in a sheet.

use std::borrow::Cow;
use std::ops::Range;

use super::Form;
use crate::facts::view;

/// A colour as red, green, blue; without one it lets everything through.
type Colour = Option<[u8; 3]>;

/// The colours of a text and of what is behind it, as far as they are told.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Colours {
    text: Option<Colour>,
    ground: Option<Colour>,
}

impl Colours {
    /// The text has the colour `value`.
    pub(super) fn text(&mut self, value: &str) {
        self.text = colour(value).or(self.text);
    }

    /// What is behind it has the colour `value`, or something that is none.
    pub(super) fn ground(&mut self, value: &str) {
        let own = colour(value.split_whitespace().next().unwrap_or_default());
        // A picture or a name that is not known: anything but what the text has.
        self.ground = Some(colour(value).or(own).unwrap_or(Some([128, 128, 127])));
    }

    /// Whether nobody can tell the one from the other. A page is white where it does not say otherwise.
    pub(super) fn hide(self) -> bool {
        let Some(text) = self.text else { return false };
        let Some(text) = text else { return true };
        let ground = self.ground.flatten().unwrap_or([255; 3]);
        text.iter().zip(ground).all(|(a, b)| a.abs_diff(b) <= 12)
    }

    /// The same where what is behind it may be told elsewhere.
    fn hide_by_themselves(self) -> bool {
        self.text == Some(None) || (self.ground.is_some() && self.hide())
    }
}

/// A colour as CSS writes it: of the names those that hide on the usual grounds. `Some(None)` shows nothing.
fn colour(value: &str) -> Option<Colour> {
    let value: String = value.chars().filter(|c| !c.is_whitespace()).collect();
    match value.as_str() {
        "transparent" => return Some(None),
        "white" => return Some(Some([255; 3])),
        "black" => return Some(Some([0; 3])),
        "snow" | "ghostwhite" | "whitesmoke" | "ivory" | "floralwhite" | "mintcream" | "azure" => {
            return Some(Some([250; 3]));
        }
        _ => {}
    }
    if let Some(digits) = value.strip_prefix('#') {
        let digit = |at: usize| char::from(*digits.as_bytes().get(at)?).to_digit(16);
        let pair = |at: usize| Some((digit(at)? * 16 + digit(at + 1)?) as u8);
        let (rgb, alpha) = match digits.len() {
            3 | 4 => {
                let one = |at: usize| Some((digit(at)? * 17) as u8);
                ([one(0)?, one(1)?, one(2)?], one(3).unwrap_or(255))
            }
            6 | 8 => ([pair(0)?, pair(2)?, pair(4)?], pair(6).unwrap_or(255)),
            _ => return None,
        };
        return Some((alpha > 12).then_some(rgb));
    }
    let inner = value.strip_prefix("rgba(").or_else(|| value.strip_prefix("rgb("))?.strip_suffix(')')?;
    let mut parts = inner.split([',', '/']);
    let mut next = || parts.next()?.trim_end_matches('%').parse::<f32>().ok();
    let rgb = [next()? as u8, next()? as u8, next()? as u8];
    Some((next().unwrap_or(1.0) > 0.05).then_some(rgb))
}

/// Whether the declarations in `style`, in lower case, hide; what they say of colours is added to `colours`.
pub(super) fn hides_by_style(style: &str, colours: &mut Colours) -> bool {
    let mut is_hidden = false;
    let (mut away, mut far, mut empty, mut cut) = (false, false, false, false);
    let style = written_plainly(style);
    for declaration in style.split(';') {
        let Some((property, value)) = declaration.split_once(':') else { continue };
        let value = value.trim().trim_end_matches("!important").trim();
        let number = || {
            let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
            digits.parse::<f32>().ok().map(|number| number.abs())
        };
        let zero = || number().is_some_and(|number| number < 0.05);
        match property.trim() {
            "display" => is_hidden |= value == "none",
            "visibility" | "content-visibility" => is_hidden |= matches!(value, "hidden" | "collapse"),
            "opacity" => is_hidden |= zero(),
            "font-size" => {
                let least = if value.ends_with("px") || value.ends_with("pt") { 1.01 } else { 0.05 };
                is_hidden |= number().is_some_and(|number| number < least);
            }
            "filter" => is_hidden |= matches!(value, "opacity(0)" | "opacity(0%)"),
            "position" => away |= matches!(value, "absolute" | "fixed"),
            "left" | "right" | "top" | "bottom" | "inset" => far |= beyond(value),
            "text-indent" | "margin-left" | "margin-top" => is_hidden |= beyond(value),
            "clip" => is_hidden |= value.starts_with("rect(") && value.matches('0').count() > 3,
            "clip-path" => {
                let shape = value.split(['(', ')', ' ', ',']).nth(1).unwrap_or_default();
                is_hidden |= match value.split('(').next().unwrap_or_default() {
                    "inset" => matches!(shape, "50%" | "100%"),
                    "circle" | "ellipse" => matches!(shape, "0" | "0%" | "0px"),
                    _ => false,
                };
            }
            "width" | "height" | "max-width" | "max-height" | "line-height" => empty |= zero(),
            "overflow" | "overflow-x" | "overflow-y" => cut |= matches!(value, "hidden" | "clip"),
            "transform" | "scale" => {
                let shift = value.split_once('(').map_or("", |(_, inner)| inner);
                is_hidden |= zero()
                    || (value.starts_with("scale") && shift.trim_start().starts_with("0)"))
                    || (value.starts_with("translate")
                        && shift.split([',', ')']).any(|length| beyond(length.trim())));
            }
            "color" | "-webkit-text-fill-color" => colours.text(value),
            "background" | "background-color" => colours.ground(value),
            _ => {}
        }
    }
    is_hidden || (away && far) || (empty && cut)
}

/// Whether a length is far beyond the left or upper edge of any page.
fn beyond(length: &str) -> bool {
    let digits = length.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    let few = !length.ends_with("px") && digits.len() < length.len();
    digits.parse::<f32>().is_ok_and(|number| number <= if few { -100.0 } else { -500.0 })
}

/// A style without its comments, and with character references read.
fn written_plainly(style: &str) -> Cow<'_, str> {
    if !style.contains(['&', '/']) {
        return Cow::Borrowed(style);
    }
    let mut style = view::without_references(style);
    while let Some(open) = style.find("/*") {
        let end = style[open + 2..].find("*/").map_or(style.len(), |length| open + length + 4);
        style.replace_range(open..end, "");
    }
    Cow::Owned(style.to_ascii_lowercase())
}

/// Rules of a style sheet that hide, in `text`: in its `<style>` elements and, if it begins `inside` one, up to where
/// that ends. Whom a rule hits stands elsewhere in the document, so the rule itself is told. One for paper, or for a
/// screen of some width, hides nothing from whoever looks at the source of a page as most do.
pub(super) fn sheets(text: &str, inside: bool, found: &mut Vec<(Range<usize>, Form)>) {
    let bytes = text.as_bytes();
    let tag = |from: usize, tag: &[u8]| {
        let is =
            |at: &usize| bytes[*at..].get(..tag.len()).is_some_and(|known| known.eq_ignore_ascii_case(tag));
        memchr::memchr_iter(b'<', &bytes[from..]).map(|at| from + at).find(is)
    };
    let mut at = 0;
    if !inside {
        let Some(open) = opening(text, tag(0, b"<style")) else { return };
        at = open;
    }
    loop {
        let end = tag(at, b"</style").unwrap_or(text.len());
        sheet(text, at..end, found);
        let Some(open) = opening(text, tag(end, b"<style")) else { return };
        at = open;
    }
}

/// Where the content of the `<style` at `tag` begins.
fn opening(text: &str, tag: Option<usize>) -> Option<usize> {
    let tag = tag?;
    memchr::memchr(b'>', &text.as_bytes()[tag..]).map(|end| tag + end + 1)
}

fn sheet(text: &str, range: Range<usize>, found: &mut Vec<(Range<usize>, Form)>) {
    // Whether the blocks that are open hold rules on a condition.
    let mut conditions: Vec<bool> = Vec::new();
    let (mut start, mut from) = (range.start, range.start);
    for at in range.clone().chain([range.end]) {
        let byte = text.as_bytes().get(at).copied().filter(|_| at < range.end).unwrap_or(b'}');
        match byte {
            b'{' => {
                let prelude = text[from..at].trim_start();
                start = at - prelude.len();
                let on_paper =
                    prelude.starts_with("@media") && (prelude.contains("print") || prelude.contains('('));
                conditions
                    .push(on_paper || prelude.starts_with("@keyframes") || prelude.starts_with("@page"));
                from = at + 1;
            }
            b'}' => {
                let declarations = text[from..at].to_ascii_lowercase();
                let mut colours = Colours::default();
                let asked = conditions.iter().any(|condition| *condition);
                if !asked
                    && declarations.contains(':')
                    && (hides_by_style(&declarations, &mut colours) || colours.hide_by_themselves())
                {
                    found.push((start..(at + 1).min(range.end), Form::Sheet));
                }
                conditions.pop();
                (start, from) = (at + 1, at + 1);
            }
            _ => {}
        }
    }
}
