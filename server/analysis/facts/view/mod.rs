//! Views: renderings of a text that undo one way of hiding, with a way back.

mod map;

pub use map::{Map, Mapped};
