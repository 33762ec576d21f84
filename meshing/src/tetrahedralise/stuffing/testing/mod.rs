//! Tests of isosurface stuffing.

#[cfg(test)]
mod features;
#[cfg(test)]
mod laws;
