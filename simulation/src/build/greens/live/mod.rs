//! A quasistatic body that is touched while its Green's functions are still being solved.
//!
//! The bake gives away the body without columns as soon as its system is factored, then columns as they finish. The model answers where it knows its columns, asks for those under a
//! tool before all others, and has the whole asset at the end. What it shows before that depends on the clock; comparisons and files are made from whole assets only.

mod feed;
mod model;

pub(crate) use feed::LiveFeed;

#[cfg(test)]
mod tests;
