//! A steady frame allocates nothing.

use std::cell::Cell;

use pliant_adaptive::{
    AdaptiveModel, AdaptiveParams, DampingRule, ElementModel, Precision, Resolution,
};
use pliant_contact::{BodyGroup, GroupOptions};
use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint, Friction, NodalLoad};
use pliant_core::contact::cutting::BladeSweep;
use pliant_core::contact::{Pose, Tool};
use pliant_core::material::{FractureLimits, Material};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::model::{DeformableModel, FrameRequest, OwnContact};
use pliant_core::scene::Selection;
use pliant_fuzzing::Watched;

use bodies::{
    FRAME, With, baked, block, counter, frame, model, on_threads, sweep_across, sweep_down,
    vertices, weight, with_weight,
};

#[path = "laws/bodies.rs"]
#[expect(dead_code, reason = "the tests of the laws use the rest")]
mod bodies;

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

/// A frame in which a blade moves, and the skin that is shown then.
fn frame_with_blade(body: &mut AdaptiveModel, sweep: BladeSweep, shown: &mut SurfaceFrame) {
    body.set_blades(&[sweep]).expect("it can be cut");
    frame(body, &BoundaryConditions::default());
    body.write_surface(shown);
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
            body.advance(FrameRequest::new(FRAME, boundary))
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
    let levels = [[2, 1, 2], [4, 2, 4], [8, 4, 8]];
    let material = Material::default().with_damping_ratio(0.5);
    let foot = Some(Selection::Lowest(0.01));
    let asset = baked(&block(Vec3::new(0.4, 0.2, 0.4), &levels, material, foot));
    let params = AdaptiveParams {
        resolution: Resolution::Cut,
        damping_rule: DampingRule::Rayleigh,
        precision: Precision::F32,
        budget_units: 130_000,
        ..AdaptiveParams::default()
    };
    let mut body = model(&asset, params);
    let skin = &asset.skin;
    let pressed = vertices(skin, |x| x.y > 0.099 && x.x.hypot(x.z) < 0.06);
    let boundary = with_weight(pressed.into_iter().map(|vertex| {
        DisplacementConstraint::held(vertex, skin.positions[vertex as usize] - Vec3::y() * 0.01)
    }));
    // at rest neither cut nor steps change, though the criterion asks for more than the budget allows
    let (allocations, force) = count_allocations(&mut body, &boundary, 240);
    assert_eq!(allocations, 0);
    assert!(counter(&body, "refused_splits") > 0.0);
    assert!(force.norm() > 0.0);
}

#[test]
fn a_frame_of_a_cut_that_no_blade_or_load_ends_allocates_nothing() {
    let levels = [[2, 1, 2], [4, 2, 4]];
    let foot = Some(Selection::Lowest(0.01));
    let size = Vec3::new(0.4, 0.2, 0.4);
    let asset = baked(&block(size, &levels, Material::default(), foot));
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
    let (mut body, mut shown) = (model(&asset, params), SurfaceFrame::default());
    let mut step = |k: u32| {
        let [from, to] = [k, k + 1].map(|k| 0.9 - 0.01 * f64::from(k));
        frame_with_blade(&mut body, sweep_down(0.01, from, to), &mut shown);
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
    let floor: Vec<u32> = (0..mesh.nodes.len() as u32)
        .filter(|&n| mesh.nodes[n as usize].y < -0.099)
        .collect();
    for model in [ElementModel::Green, ElementModel::Spring] {
        let mut body = AdaptiveModel::from_tets(mesh.clone(), Material::default(), &floor, model)
            .expect("simulates");
        let skin = body.surface();
        let top = vertices(skin, |x| x.y > 0.099);
        let mut boundary = with_weight(top.into_iter().map(|vertex| {
            DisplacementConstraint::contact(
                vertex,
                skin.positions[vertex as usize] - Vec3::y() * 0.03,
                -Vec3::y(),
            )
        }));
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
    let material = Material::isotropic(1e5, 0.3).with_damping_ratio(0.3);
    let body = AdaptiveModel::from_tets(mesh, material, &[], ElementModel::Green);
    assert_rest_allocates_nothing(body.expect("simulates"), 120, &[]);
}

#[test]
fn a_steady_frame_of_a_cut_body_on_another_one_allocates_nothing() {
    let material = Material::isotropic(1e5, 0.3).with_damping_ratio(0.3);
    let asset = baked(&block(Vec3::repeat(0.15), &[[3; 3]], material, None));
    let body = model(&asset, AdaptiveParams::default().with(|p| p.blades = true));
    // above the middle of the upper body
    assert_rest_allocates_nothing(body, 120, &[sweep_across(0.24, -0.3, 0.3)]);
}

#[test]
fn a_steady_frame_of_cuts_on_each_other_allocates_nothing() {
    let material = Material::isotropic(1e5, 0.3).with_damping_ratio(0.1);
    let asset = baked(&block(
        Vec3::repeat(0.15),
        &[[2; 3], [4; 3]],
        material,
        None,
    ));
    let params = AdaptiveParams {
        resolution: Resolution::Cut,
        budget_units: 1 << 30,
        ..AdaptiveParams::default()
    };
    assert_rest_allocates_nothing(model(&asset, params), 200, &[]);
}

/// Two such bodies of 0.15 m on each other, which blades cut in the first frame, come to rest in `frames` frames; after that frames allocate nothing.
fn assert_rest_allocates_nothing(body: AdaptiveModel, frames: u32, sweeps: &[BladeSweep]) {
    // sleeping bodies are not stepped
    let options = GroupOptions::default().with(|p| p.sleeping = false);
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
    let material = Material::default().with_damping_ratio(0.3);
    let foot = Some(Selection::Lowest(0.01));
    let asset = baked(&block(Vec3::repeat(0.2), &[[4; 3]], material, foot));
    let params = AdaptiveParams {
        blades: true,
        damping_rule: DampingRule::Rayleigh,
        ..AdaptiveParams::default()
    };
    let mut body = model(&asset, params);
    // through the middle of the cells above the middle
    body.set_blades(&[sweep_across(0.02, -0.3, 0.3)])
        .expect("it can be cut");
    let (allocations, _) = count_allocations(&mut body, &weight(), 120);
    assert_eq!(allocations, 0);
    assert_eq!(body.pieces(), Some(2));
    assert!(body.contact_between_pieces().0 > 4);
}

#[test]
fn a_frame_in_which_nothing_is_cut_or_breaks_allocates_nothing() {
    let bears = FractureLimits::default();
    // the notch and all elements are checked in each frame
    let breaks = FractureLimits {
        strength: Some(1e9),
        toughness: Some(1e9),
    };
    for fracture in [bears, breaks] {
        let params = AdaptiveParams::default().with(|p| p.fracture = fracture);
        assert_frames_without_new_cuts_allocate_nothing(&[[8, 4, 4]], params);
    }
}

#[test]
fn a_frame_after_the_hand_over_allocates_nothing() {
    let params = AdaptiveParams::default().with(|p| p.resolution = Resolution::Cut);
    assert_frames_without_new_cuts_allocate_nothing(&[[4, 2, 2], [8, 4, 4]], params);
}

/// A block with these levels, which blades may cut.
fn assert_frames_without_new_cuts_allocate_nothing(levels: &[[usize; 3]], params: AdaptiveParams) {
    let size = Vec3::new(0.4, 0.2, 0.2);
    let asset = baked(&block(size, levels, Material::default(), None));
    let mut body = model(&asset, params.with(|p| p.blades = true));
    let mut shown = SurfaceFrame::default();
    let mut step = |body: &mut AdaptiveModel, from: f64, to: f64| {
        frame_with_blade(body, sweep_down(0.01, from, to), &mut shown);
    };
    let allocations = on_one_thread(|| {
        // a body that is cut already, and a blade that moves in the cut
        step(&mut body, 0.3, 0.0);
        (0..2).for_each(|_| step(&mut body, 0.0, 0.08));
        assert!(!body.cut_edges().is_empty());
        let cut = body.cut_edges().len();
        let counted = ALLOCATIONS.get();
        for k in 0..10 {
            let height = |k: i32| 0.08 - 0.07 * f64::from(k % 2);
            step(&mut body, height(k), height(k + 1));
        }
        let allocations = ALLOCATIONS.get() - counted;
        assert_eq!(body.cut_edges().len(), cut);
        allocations
    });
    assert_eq!(allocations, 0);
}
