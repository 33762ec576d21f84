//! Whether a lattice fits into memory, checked before it is made.

use pliant_core::mesh::VoxelGrid;
use pliant_meshing::error::MeshingError;

/// Memory of one cell in baking and stepping, bytes: particles, regions, sums and fields in double precision.
const BYTES_PER_CELL: u64 = 1500;
/// Available memory where the system does not report it, bytes.
const DEFAULT_MEMORY: u64 = 8 << 30;

/// Memory that is available now, bytes.
pub fn available_memory() -> u64 {
    let meminfo = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    parse_available(&meminfo).unwrap_or(DEFAULT_MEMORY)
}

/// `MemAvailable` of Linux, bytes.
fn parse_available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find(|l| l.starts_with("MemAvailable:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// Refuses a grid whose lattice would not fit into `memory` bytes.
///
/// # Errors
/// [`MeshingError::GridTooLarge`] with the cell that would fit.
pub fn refuse_too_large(grid: &VoxelGrid, shell: bool, memory: u64) -> Result<(), MeshingError> {
    let (cells, limit) = (grid.copy_count() as u64, memory / BYTES_PER_CELL);
    if cells <= limit {
        return Ok(());
    }
    let excess = cells as f64 / limit.max(1) as f64;
    // a surface has fewer cells by the square of their edge, a solid by the cube
    let power = if shell { 0.5 } else { 1.0 / 3.0 };
    // a tenth more, because cells at the surface stick out of the body
    Err(MeshingError::GridTooLarge {
        sites: cells,
        limit,
        min_cell: grid.cell * excess.powf(power) * 1.1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::math::Vec3;

    fn block(side: usize, cell: f64) -> VoxelGrid {
        VoxelGrid::new(Vec3::zeros(), cell, [side; 3], vec![true; side.pow(3)])
    }

    #[test]
    fn a_lattice_that_does_not_fit_is_refused_with_the_cell_that_does() {
        let memory = 20_u64.pow(3) * BYTES_PER_CELL;
        assert_eq!(refuse_too_large(&block(20, 0.05), false, memory), Ok(()));
        let refused = refuse_too_large(&block(40, 0.025), false, memory);
        let Err(MeshingError::GridTooLarge {
            sites,
            limit,
            min_cell,
        }) = refused
        else {
            panic!("{refused:?}");
        };
        assert_eq!((sites, limit), (64_000, 8_000));
        let side = (1.0 / min_cell).ceil() as usize;
        assert!((17..=20).contains(&side), "{min_cell}");
        assert_eq!(
            refuse_too_large(&block(side, min_cell), false, memory),
            Ok(())
        );
    }

    #[test]
    fn the_available_memory_of_linux_is_parsed() {
        assert_eq!(
            parse_available("MemTotal: 9 kB\nMemAvailable:   2048 kB\n"),
            Some(2 << 20)
        );
        assert_eq!(parse_available("nothing"), None);
        assert!(available_memory() > 0);
    }
}
