//! What is made of the workspace for others: Python bindings, a page of a browser.

pub mod python;
pub mod web;
