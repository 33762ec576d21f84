//! Tests of isosurface stuffing.

mod features;
mod laws;
