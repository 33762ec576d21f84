//! Subdivision connectivity.
