//! A steady step asks for no memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

use pliant_adaptive::{AdaptiveModel, ElementModel};
use pliant_core::boundary::{
    BoundaryConditions, ConstrainedDirections, ConstraintKind, DisplacementConstraint, Friction,
    NodalLoad,
};
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::model::{DeformableModel, ForceTap, FrameRequest, WorkBudget};

struct Counting;

thread_local! {
    // what the threads of the test program itself ask for at any time does not count
    static ASKED: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    ASKED.set(ASKED.get() + 1);
}

#[allow(unsafe_code)]
// SAFETY: every call goes to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

struct Last(Vec3);

impl ForceTap for Last {
    fn sample(&mut self, _: f64, reactions: &[Vec3]) {
        self.0 = reactions.iter().sum();
    }
}

#[test]
fn a_steady_frame_asks_for_no_memory() {
    let mesh = box_tets(Vec3::repeat(0.2), [4, 4, 4], CellStyle::Alternating);
    let skin = Arc::new(mesh.boundary().surface);
    let floor: Vec<u32> = (0..mesh.nodes.len() as u32)
        .filter(|&n| mesh.nodes[n as usize].y < -0.099)
        .collect();
    let top: Vec<u32> = (0..skin.vertex_count() as u32)
        .filter(|&v| skin.positions[v as usize].y > 0.099)
        .collect();
    for model in [ElementModel::Green, ElementModel::Spring] {
        let mut body = AdaptiveModel::from_tets(
            mesh.clone(),
            skin.clone(),
            Material::default(),
            &floor,
            model,
        )
        .expect("simulates");
        let mut boundary = BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0));
        boundary
            .set_displacements(top.iter().map(|&vertex| DisplacementConstraint {
                vertex,
                target: skin.positions[vertex as usize] - Vec3::y() * 0.03,
                velocity: Vec3::zeros(),
                directions: ConstrainedDirections::Along(-Vec3::y()),
                kind: ConstraintKind::Unilateral,
                friction: Friction::None,
            }))
            .expect("valid");
        boundary.set_loads([NodalLoad {
            vertex: 3,
            force: Vec3::x(),
        }]);
        let mut tap = Last(Vec3::zeros());
        let mut surface = SurfaceFrame::default();
        let mut run = |frames: u32| {
            for _ in 0..frames {
                body.advance(FrameRequest {
                    duration: 1.0 / 60.0,
                    boundary: &boundary,
                    budget: WorkBudget::UNLIMITED,
                    force_tap: Some(&mut tap),
                })
                .expect("advances");
                body.write_surface(&mut surface);
            }
        };
        // one thread: waking others is the thread pool's business, not the step's
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .expect("a thread");
        let asked = pool.install(|| {
            run(3);
            let before = ASKED.get();
            run(20);
            ASKED.get() - before
        });
        assert_eq!(asked, 0, "{model:?}");
        assert!(tap.0.norm() > 0.0);
    }
}
