//! Tests of isosurface stuffing.

#[cfg(test)]
mod features;
#[cfg(test)]
mod laws;
#[cfg(test)]
pub(crate) mod shapes;
