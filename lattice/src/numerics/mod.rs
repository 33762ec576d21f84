//! Numbers side by side, arrays filled by threads, inverses of inertias.

pub(crate) mod inertia;
pub(crate) mod lanes;
pub(crate) mod parallel;
