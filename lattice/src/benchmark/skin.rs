//! The skin as `pliant bench` times it.

use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::bench::{BenchCase, Work};
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::mesh::{SurfaceFrame, VoxelGrid};

use crate::kernels::Level;
use crate::params::LatticeParams;
use crate::skin::kernel::SkinKernel;
use crate::skin::write_reference;

/// Cells along an edge of the body.
const CELLS: usize = 16;

/// Positions and normals of the skin of a bent block, by vertices.
pub(crate) fn skin(vertices: usize) -> Result<BenchCase, String> {
    // six faces of n² squares each
    let n = ((vertices.max(8) as f64 / 6.0).sqrt().round() as usize).max(1);
    let surface = Arc::new(box_surface(Vec3::repeat(1.0), [n; 3], CellStyle::Kuhn));
    let edge = 1.0 / CELLS as f64;
    let grid = VoxelGrid::new(
        Vec3::repeat(-0.5),
        edge,
        [CELLS; 3],
        vec![true; CELLS * CELLS * CELLS],
    );
    let geometry = BodyGeometry {
        voxels: Some(Arc::new(grid)),
        ..BodyGeometry::new(Arc::clone(&surface), Material::default())
    };
    let params = LatticeParams::with_half_width(1);
    let asset =
        crate::bake::bake(&geometry, &params, &Progress::new()).map_err(|e| e.to_string())?;
    let bent = |x: Vec3| {
        Vec3::new(
            x.x + 0.3 * x.y * x.y,
            x.y + 0.2 * x.z,
            x.z - 0.1 * x.x * x.y,
        )
    };
    let positions: Vec<Vec3> = asset.rest_positions().map(bent).collect();
    let kernel =
        SkinKernel::new(&asset, Level::Auto).ok_or_else(|| "a vertex has no cell".to_string())?;
    let (mut fast, mut slow) = (SurfaceFrame::default(), SurfaceFrame::default());
    kernel.write(&positions, &asset.center, &mut fast);
    write_reference(&asset, &positions, &mut slow);
    for v in 0..surface.vertex_count() {
        let far = (fast.position(v) - slow.position(v)).norm();
        let turned = (fast.normal(v) - slow.normal(v)).norm();
        if far > 1e-5 || turned > 1e-3 {
            return Err(format!(
                "vertex {v} is {far:.1e} from the reference, its normal {turned:.1e}"
            ));
        }
    }
    let count = surface.vertex_count();
    let work = Work {
        // place, normal and number in, position and normal out; 24 to the map, 45 to its Jacobian, 65 to the normal
        bytes: (count * (28 + 24)) as f64,
        flops: (count * 134) as f64,
        double: false,
    };
    let (again, center) = (positions.clone(), asset.center);
    Ok(BenchCase::new(count, count as f64, work, move || {
        kernel.write(&positions, &center, &mut fast);
        std::hint::black_box(&fast);
    })
    .with_reference(count as f64, move || {
        write_reference(&asset, &again, &mut slow);
        std::hint::black_box(&slow);
    }))
}
