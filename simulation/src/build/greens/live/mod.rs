//! A quasistatic body that is touched while its Green's functions are still being solved.
//!
//! The bake publishes the body without columns as soon as its system is factored, then columns as they finish. The model answers where it has columns, requests those under a
//! tool before all others, and has the complete asset at the end. Until then its results depend on the clock; comparisons and files are made from complete assets only.

mod feed;
mod model;

pub(crate) use feed::LiveFeed;

#[cfg(test)]
mod tests;
