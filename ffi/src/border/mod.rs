//! The exported functions: their order here is that of the header.
//!
//! All `unsafe` code of the crate is here. An exported function has an attribute that is unsafe, because two functions of one name would be mixed up: all names begin with
//! `pliant_`, and nothing else in the workspace exports any. Pointers of the caller are read and written in [`memory`] alone, which states what has to hold.

#![allow(unsafe_code)]

pub mod memory;
mod objects;

pub mod types;

pub mod about;

pub mod body;

pub mod support;

pub mod tool;

pub mod scene;

pub mod building;

pub mod stepping;

pub mod touching;

pub mod surface;

pub mod reading;
