//! Abuse, snapshots, threads and errors.

pub(crate) mod abuse;
mod state;
mod threads;
