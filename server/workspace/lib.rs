//! What stands around a document: caveat.toml, roles, walking, the disk.
