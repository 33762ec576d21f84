//! What is made of the workspace for others: crates for a registry, Python bindings, a page of a browser.

mod browser;
pub mod crates;
pub mod python;
pub mod web;
