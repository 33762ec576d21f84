//! Packages of the workspace: crates for a registry, Python bindings, a page for a browser.

mod browser;
pub mod crates;
pub mod python;
pub mod web;
