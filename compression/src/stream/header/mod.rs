//! The part of a stream before its packets.

mod areas;
mod fields;
mod topology;

pub(super) use fields::{Header, HeaderSource, read_header, rounded_up, write_header};
pub(super) use topology::check_manifold;
