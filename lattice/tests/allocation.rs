//! A steady step takes no memory from the heap.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::mesh::{SurfaceFrame, VoxelGrid};
use pliant_core::model::{DeformableModel, FrameRequest};
use pliant_core::scene::Selection;
use pliant_fuzzing::Watched;
use pliant_lattice::{LatticeModel, LatticeParams, Precision, Sums, bake};

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

fn count() {
    ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
}

#[global_allocator]
static COUNTING: Watched = Watched(count);

#[test]
fn a_steady_step_allocates_nothing() {
    // a thread of the pool that starts late, on a busy machine, takes memory for itself
    rayon::broadcast(|_| ());
    let skin = Arc::new(box_surface(Vec3::repeat(0.2), [4; 3], CellStyle::Kuhn));
    let geometry = BodyGeometry {
        voxels: Some(Arc::new(VoxelGrid::new(
            Vec3::repeat(-0.1),
            0.05,
            [4; 3],
            vec![true; 64],
        ))),
        ..BodyGeometry::new(Arc::clone(&skin), Material::default())
            .held_at("floor", Selection::Lowest(0.05))
    };
    let mut boundary = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
    let corner = (0..skin.vertex_count() as u32).find(|&v| skin.positions[v as usize].y > 0.09);
    let vertex = corner.expect("a vertex of the top");
    let touch = DisplacementConstraint::contact(
        vertex,
        skin.positions[vertex as usize] - Vec3::new(0.0, 0.01, 0.0),
        -Vec3::y(),
    );
    boundary
        .set_displacements([touch])
        .expect("a valid constraint");
    let ways = [
        (Some(Sums::Naive), None),
        (Some(Sums::BarPlateCube), None),
        (Some(Sums::Running), None),
        (None, Some(Precision::Single)),
    ];
    for (sums, precision) in ways {
        let params = LatticeParams {
            half_width: Some(2),
            sums,
            precision,
            ..LatticeParams::default()
        };
        let asset = Arc::new(bake(&geometry, &params, &Progress::new()).expect("a lattice"));
        let mut model = LatticeModel::new(asset, &params).expect("a model");
        let mut frame = SurfaceFrame::default();
        let mut advance = || {
            model
                .advance(FrameRequest::new(1.0 / 60.0, &boundary))
                .expect("stable");
            model.write_surface(&mut frame);
        };
        // the first frames grow the buffers
        (0..3).for_each(|_| advance());
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        (0..20).for_each(|_| advance());
        assert_eq!(
            ALLOCATIONS.load(Ordering::Relaxed),
            before,
            "{sums:?} {precision:?}"
        );
    }
}
