//! Abuse, snapshots, threads and errors.

mod abuse;
mod state;
mod threads;
