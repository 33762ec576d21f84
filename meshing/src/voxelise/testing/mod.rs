//! Tests of voxelisation.

mod bodies;
#[cfg(test)]
mod cells;
#[cfg(test)]
mod shares;
#[cfg(test)]
mod splitting;
