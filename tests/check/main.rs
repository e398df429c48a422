//! `caveat check`, `explain`, `rules` and `schema` as people and scripts use them: the real binary, its status, and
//! everything that it prints.

mod audit;
mod baseline;
mod config;
mod explain;
mod fix;
mod folder;
mod no_text;
mod outputs;
mod policy;
mod records;
mod report;
mod roles;
mod schema;
mod statuses;
mod suppressions;
mod walking;
