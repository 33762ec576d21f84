//! A steady frame allocates nothing.

use std::cell::Cell;
use std::sync::Arc;

use pliant_adaptive::{
    AdaptiveModel, AdaptiveParams, DampingRule, ElementModel, LodHierarchy, Precision, Resolution,
};
use pliant_contact::{BodyGroup, GroupOptions};
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint, Friction, NodalLoad};
use pliant_core::contact::cutting::{BladeEdge, BladeSweep};
use pliant_core::contact::{Pose, Tool};
use pliant_core::inspect::Inspect;
use pliant_core::material::{FractureLimits, Material};
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface, box_tets};
use pliant_core::mesh::{SurfaceFrame, TetMesh};
use pliant_core::model::{DeformableModel, FrameRequest, OwnContact};
use pliant_core::scene::Selection;
use pliant_fuzzing::{Watched, on_threads};

thread_local! {
    // per thread: allocations of the threads of the test program do not count
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    ALLOCATIONS.set(ALLOCATIONS.get() + 1);
}

#[global_allocator]
static COUNTER: Watched = Watched(count);

/// Runs `work` on one thread: waking other threads may allocate in the thread pool.
fn on_one_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    on_threads(1, work)
}

/// A body of these levels in the skin of the finest.
fn body_of(levels: Vec<TetMesh>, material: Material) -> BodyGeometry {
    let skin = levels.last().expect("a level").boundary().surface;
    BodyGeometry {
        levels: levels.into_iter().map(Arc::new).collect(),
        ..BodyGeometry::new(Arc::new(skin), material)
    }
}

fn baked(geometry: &BodyGeometry) -> Arc<LodHierarchy> {
    Arc::new(LodHierarchy::bake(geometry, &Progress::new()).expect("bakes"))
}

fn weight() -> BoundaryConditions {
    BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0))
}

/// Number of allocations in 20 frames after the `first` ones, and the sum of the reactions at the end, N.
fn count_allocations(
    body: &mut dyn DeformableModel,
    boundary: &BoundaryConditions,
    first: u32,
) -> (u64, Vec3) {
    let mut surface = SurfaceFrame::default();
    let mut run = |frames: u32| {
        for _ in 0..frames {
            body.advance(FrameRequest::new(1.0 / 60.0, boundary))
                .expect("advances");
            body.write_surface(&mut surface);
        }
    };
    let allocations = on_one_thread(|| {
        run(first);
        let before = ALLOCATIONS.get();
        run(20);
        ALLOCATIONS.get() - before
    });
    (allocations, body.reactions().iter().sum())
}

#[test]
fn a_steady_frame_of_a_cut_allocates_nothing() {
    let size = Vec3::new(0.4, 0.2, 0.4);
    let skin = Arc::new(box_surface(size, [8, 4, 8], CellStyle::Alternating));
    let levels = [[2, 1, 2], [4, 2, 4], [8, 4, 8]];
    let geometry = BodyGeometry {
        levels: levels
            .map(|cells| Arc::new(box_tets(size, cells, CellStyle::Alternating)))
            .to_vec(),
        ..BodyGeometry::new(skin.clone(), Material::default().with_damping_ratio(0.5))
            .held_at("foot", Selection::Lowest(0.01))
    };
    let params = AdaptiveParams {
        resolution: Resolution::Cut,
        damping_rule: DampingRule::Rayleigh,
        precision: Precision::F32,
        budget_units: 130_000,
        ..AdaptiveParams::default()
    };
    let mut body = AdaptiveModel::new(baked(&geometry), params).expect("fits");
    let mut boundary = weight();
    let pressed = (0..skin.vertex_count() as u32).filter(|&v| {
        let x = skin.positions[v as usize];
        x.y > 0.099 && x.x.hypot(x.z) < 0.06
    });
    boundary
        .set_displacements(pressed.map(|vertex| {
            DisplacementConstraint::held(vertex, skin.positions[vertex as usize] - Vec3::y() * 0.01)
        }))
        .expect("valid");
    // at rest neither cut nor steps change, though the criterion asks for more than the budget allows
    let (allocations, force) = count_allocations(&mut body, &boundary, 240);
    assert_eq!(allocations, 0);
    let counters = body.stats().counters;
    assert!(
        counters
            .iter()
            .any(|c| c.0 == "refused_splits" && c.1 > 0.0)
    );
    assert!(force.norm() > 0.0);
}

#[test]
fn a_frame_of_a_cut_that_no_blade_or_load_ends_allocates_nothing() {
    let size = Vec3::new(0.4, 0.2, 0.4);
    let levels = [[2, 1, 2], [4, 2, 4]];
    let levels = levels.map(|cells| box_tets(size, cells, CellStyle::Alternating));
    let foot = Selection::Lowest(0.01);
    let asset = baked(&body_of(levels.to_vec(), Material::default()).held_at("foot", foot));
    let params = AdaptiveParams {
        resolution: Resolution::Cut,
        blades: true,
        // the stress of all elements is compared with it in each frame
        fracture: FractureLimits {
            strength: Some(1e9),
            toughness: None,
        },
        ..AdaptiveParams::default()
    };
    let mut body = AdaptiveModel::new(asset, params).expect("fits");
    let (boundary, mut shown) = (BoundaryConditions::default(), SurfaceFrame::default());
    let edge = |y: f64| BladeEdge::new([-1.0, 1.0].map(|z| Vec3::new(0.01, y, z)), Vec3::y());
    let mut step = |k: u32| {
        let [from, to] = [k, k + 1].map(|k| edge(0.9 - 0.01 * f64::from(k)));
        body.set_blades(&[BladeSweep::new(from, to)])
            .expect("it can be cut");
        body.advance(FrameRequest::new(1.0 / 60.0, &boundary))
            .expect("advances");
        body.write_surface(&mut shown);
    };
    let allocations = on_one_thread(|| {
        (0..20).for_each(&mut step);
        let before = ALLOCATIONS.get();
        (20..40).for_each(&mut step);
        ALLOCATIONS.get() - before
    });
    assert_eq!(allocations, 0);
    assert!(body.cut().is_some());
}

#[test]
fn a_steady_frame_allocates_nothing() {
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
        let mut boundary = weight();
        boundary
            .set_displacements(top.iter().map(|&vertex| {
                DisplacementConstraint::contact(
                    vertex,
                    skin.positions[vertex as usize] - Vec3::y() * 0.03,
                    -Vec3::y(),
                )
            }))
            .expect("valid");
        boundary.set_loads([NodalLoad {
            vertex: 3,
            force: Vec3::x(),
        }]);
        let (allocations, force) = count_allocations(&mut body, &boundary, 3);
        assert_eq!(allocations, 0, "{model:?}");
        assert!(force.norm() > 0.0);
    }
}

#[test]
fn a_steady_frame_of_bodies_on_each_other_allocates_nothing() {
    let mesh = box_tets(Vec3::repeat(0.15), [3; 3], CellStyle::Alternating);
    let skin = Arc::new(mesh.boundary().surface);
    let material = Material::isotropic(1e5, 0.3).with_damping_ratio(0.3);
    let law = ElementModel::Green;
    let body = AdaptiveModel::from_tets(mesh, skin, material, &[], law).expect("simulates");
    assert_rest_allocates_nothing(body, 120, &[]);
}

#[test]
fn a_steady_frame_of_a_cut_body_on_another_one_allocates_nothing() {
    let mesh = box_tets(Vec3::repeat(0.15), [3; 3], CellStyle::Alternating);
    let material = Material::isotropic(1e5, 0.3).with_damping_ratio(0.3);
    let params = AdaptiveParams {
        blades: true,
        ..AdaptiveParams::default()
    };
    let asset = baked(&body_of(vec![mesh], material));
    let body = AdaptiveModel::new(asset, params).expect("fits");
    // horizontal, above the middle of the upper body
    let edge = |x: f64| [-1.0, 1.0].map(|z| Vec3::new(x, 0.24, z));
    let [from, to] = [-0.3, 0.3].map(|x| BladeEdge::new(edge(x), -Vec3::x()));
    assert_rest_allocates_nothing(body, 120, &[BladeSweep::new(from, to)]);
}

#[test]
fn a_steady_frame_of_cuts_on_each_other_allocates_nothing() {
    let material = Material::isotropic(1e5, 0.3).with_damping_ratio(0.1);
    let cells = [[2; 3], [4; 3]];
    let levels = cells.map(|c| box_tets(Vec3::repeat(0.15), c, CellStyle::Alternating));
    let asset = baked(&body_of(levels.to_vec(), material));
    let params = AdaptiveParams {
        resolution: Resolution::Cut,
        budget_units: 1 << 30,
        ..AdaptiveParams::default()
    };
    let body = AdaptiveModel::new(asset, params).expect("fits");
    assert_rest_allocates_nothing(body, 200, &[]);
}

/// Two such bodies of 0.15 m on each other, which blades cut in the first frame, come to rest in `frames` frames; after that frames allocate nothing.
fn assert_rest_allocates_nothing(body: AdaptiveModel, frames: u32, sweeps: &[BladeSweep]) {
    // sleeping bodies are not stepped
    let options = GroupOptions {
        sleeping: false,
        ..GroupOptions::default()
    };
    let homes = [0.076, 0.228].map(|y| Pose::at(Vec3::new(0.0, y, 0.0)));
    let mut group = BodyGroup::new(vec![body.clone(), body], homes.to_vec(), options);
    group.set_tools(&[Tool::floor(Vec3::y(), Friction::None)]);
    if !sweeps.is_empty() {
        group.set_blades(sweeps).expect("it can be cut");
    }
    let boundary = weight();
    let (allocations, _) = count_allocations(&mut group, &boundary, frames);
    assert_eq!(allocations, 0);
    assert!(group.contact_counts().rows > 0);
    assert!(group.force_between(1, 0).y > 1.0);
    let pieces = group.models()[1].pieces();
    assert_eq!(pieces, (!sweeps.is_empty()).then_some(2));
}

#[test]
fn a_steady_frame_of_pieces_on_each_other_allocates_nothing() {
    let mesh = box_tets(Vec3::repeat(0.2), [4; 3], CellStyle::Alternating);
    let material = Material::default().with_damping_ratio(0.3);
    let foot = Selection::Lowest(0.01);
    let asset = baked(&body_of(vec![mesh], material).held_at("foot", foot));
    let params = AdaptiveParams {
        blades: true,
        damping_rule: DampingRule::Rayleigh,
        ..AdaptiveParams::default()
    };
    let mut body = AdaptiveModel::new(asset, params).expect("fits");
    // horizontal, through the middle of the cells above the middle
    let edge = |x: f64| [-1.0, 1.0].map(|z| Vec3::new(x, 0.02, z));
    let [from, to] = [-0.3, 0.3].map(|x| BladeEdge::new(edge(x), -Vec3::x()));
    let boundary = weight();
    body.set_blades(&[BladeSweep::new(from, to)])
        .expect("it can be cut");
    let (allocations, _) = count_allocations(&mut body, &boundary, 120);
    assert_eq!(allocations, 0);
    assert_eq!(body.pieces(), Some(2));
    assert!(body.contact_between_pieces().0 > 4);
}

#[test]
fn a_frame_in_which_nothing_is_cut_or_breaks_allocates_nothing() {
    let size = Vec3::new(0.4, 0.2, 0.2);
    let mesh = box_tets(size, [8, 4, 4], CellStyle::Alternating);
    let asset = baked(&body_of(vec![mesh], Material::default()));
    let bears = FractureLimits::default();
    // the notch and all elements are checked in each frame
    let breaks = FractureLimits {
        strength: Some(1e9),
        toughness: Some(1e9),
    };
    for fracture in [bears, breaks] {
        let params = AdaptiveParams {
            blades: true,
            fracture,
            ..AdaptiveParams::default()
        };
        assert_frames_without_new_cuts_allocate_nothing(
            AdaptiveModel::new(asset.clone(), params).expect("fits"),
        );
    }
}

#[test]
fn a_frame_after_the_hand_over_allocates_nothing() {
    let size = Vec3::new(0.4, 0.2, 0.2);
    let levels = [[4, 2, 2], [8, 4, 4]];
    let levels = levels.map(|cells| box_tets(size, cells, CellStyle::Alternating));
    let asset = baked(&body_of(levels.to_vec(), Material::default()));
    let params = AdaptiveParams {
        resolution: Resolution::Cut,
        blades: true,
        ..AdaptiveParams::default()
    };
    assert_frames_without_new_cuts_allocate_nothing(
        AdaptiveModel::new(asset, params).expect("fits"),
    );
}

fn assert_frames_without_new_cuts_allocate_nothing(mut body: AdaptiveModel) {
    let boundary = BoundaryConditions::default();
    let mut shown = SurfaceFrame::default();
    let sweep_down = |x: f64, from: f64, to: f64| {
        let edge = |y: f64| [-1.0, 1.0].map(|z| Vec3::new(x, y, z));
        let [from, to] = [from, to].map(|y| BladeEdge::new(edge(y), Vec3::y()));
        BladeSweep::new(from, to)
    };
    let mut step = |body: &mut AdaptiveModel, sweep: BladeSweep| {
        body.set_blades(&[sweep]).expect("it can be cut");
        body.advance(FrameRequest::new(1.0 / 60.0, &boundary))
            .expect("advances");
        body.write_surface(&mut shown);
    };
    let allocations = on_one_thread(|| {
        // a body that is cut already, and a blade that moves in the cut
        step(&mut body, sweep_down(0.01, 0.3, 0.0));
        (0..2).for_each(|_| step(&mut body, sweep_down(0.01, 0.0, 0.08)));
        assert!(!body.cut_edges().is_empty());
        let cut = body.cut_edges().len();
        let counted = ALLOCATIONS.get();
        for k in 0..10 {
            let height = |k: i32| 0.08 - 0.07 * f64::from(k % 2);
            step(&mut body, sweep_down(0.01, height(k), height(k + 1)));
        }
        let allocations = ALLOCATIONS.get() - counted;
        assert_eq!(body.cut_edges().len(), cut);
        allocations
    });
    assert_eq!(allocations, 0);
}
