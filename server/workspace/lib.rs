//! What stands around a document: `caveat.toml`, roles, walking, the disk.
//!
//! The analysis knows one text. This crate knows where texts come from and what holds for each: the command line and the
//! server both ask it, and neither knows the other.

pub mod audit;
pub mod baseline;
pub mod config;
mod fingerprint;
pub mod fix;
pub mod git;
pub mod globs;
mod imports;
pub mod kind;
pub mod name;
pub mod project;
pub mod read;
pub mod records;
pub mod roles;
pub mod scan;
mod settings;
pub mod standing;
mod vendored;
pub mod walk;

pub use config::{Config, ConfigError};
pub use project::{Project, git_root};
pub use read::{SkipReason, Unread};
pub use settings::Settings;
