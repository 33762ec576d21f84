//! The exported functions, called as a program in C calls them.

// a call from Rust gives the same guarantees as a call from C
#![allow(unsafe_code)]

mod calls;
mod compiler;
mod describing;
mod documents;
mod program;
mod progress;
mod refusals;
mod same_bits;
mod scenes;
mod touching;
