//! Budgets that do not pay for a capacitance matrix: the contact waits or goes coarser, and neither is seen at once.

use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::contact::ToolShape;
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceFrame;
use pliant_core::model::{
    DeformableModel, Degradation, FrameReport, FrameRequest, StateSnapshot, WorkBudget,
};
use pliant_quasistatic::QuasistaticModel;
use pliant_quasistatic::params::ConstraintLevel;

use crate::bodies::{assert_near, bits, constrained, counter};
use crate::constraint_levels::{body, max_distance, palm, palm_position};
use crate::press::{FRAME, Press};

const UNLIMITED: WorkBudget = WorkBudget::UNLIMITED;

/// Pressing the palm 20 mm into the body at rest in one frame.
fn sudden_palm() -> BoundaryConditions {
    let mut press = Press::new(body(), ConstraintLevel::Fine, palm());
    press.step(palm_position(0.02), UNLIMITED).expect("solved");
    press.boundary
}

/// A plane that has come down onto the back by 26 mm in one frame, as contacts of the highest nodes behind the head, 15 % of all.
fn sudden_plane() -> BoundaryConditions {
    let asset = body();
    let place = |v: u32| asset.skin.positions[v as usize];
    let vertices = 0..asset.skin.vertex_count() as u32;
    let is_free = |v: &u32| !asset.rows.row(*v as usize).0.is_empty();
    let mut back: Vec<u32> = vertices
        .filter(|v| is_free(v) && place(*v).x < 0.0)
        .collect();
    back.sort_by(|a, b| place(*b).y.total_cmp(&place(*a).y));
    back.truncate(asset.nodes() * 15 / 100);
    constrained(back.into_iter().map(|v| {
        let target = Vec3::new(place(v).x, 0.08, place(v).z);
        DisplacementConstraint::contact(v, target, -Vec3::y())
    }))
}

fn at_rest(level: ConstraintLevel) -> QuasistaticModel {
    Press::new(body(), level, palm()).model
}

fn restored(snapshot: &StateSnapshot) -> QuasistaticModel {
    let mut model = at_rest(ConstraintLevel::Fine);
    model.restore(snapshot).expect("the same body");
    model
}

/// A budget that pays for the sums of columns of all rows, but not for reading their blocks. Blocks cost seven units each, so that more than a seventh of the nodes has to be touched.
fn budget_of_sums(boundary: &BoundaryConditions) -> WorkBudget {
    let rows = boundary.displacements().len();
    assert!(7 * rows > body().nodes(), "{rows}");
    WorkBudget((rows * body().nodes()) as u64)
}

fn step(
    model: &mut QuasistaticModel,
    boundary: &BoundaryConditions,
    budget: WorkBudget,
) -> FrameReport {
    let request = FrameRequest::new(FRAME, boundary).within(budget);
    model.advance(request).expect("solved")
}

fn surface(model: &QuasistaticModel) -> SurfaceFrame {
    let mut frame = SurfaceFrame::default();
    model.write_surface(&mut frame);
    frame
}

fn force(model: &QuasistaticModel) -> Vec3 {
    model.reactions().iter().sum()
}

#[test]
fn an_abandoned_frame_keeps_the_last_solution_and_leaves_no_trace() {
    let ball = ToolShape::Sphere { radius: 0.02 };
    let mut press = Press::new(body(), ConstraintLevel::Fine, ball).with_friction(0.3);
    for depth in [0.002, 0.004, 0.006] {
        press.step(palm_position(depth), UNLIMITED).expect("solved");
    }
    let snapshot = press.model.snapshot();
    let boundary = sudden_plane();
    let budget = budget_of_sums(&boundary);
    let (mut untouched, mut tried) = (restored(&snapshot), restored(&snapshot));
    let before = bits(&surface(&tried));
    let report = step(&mut tried, &boundary, budget);
    assert_eq!(counter(&tried, "abandoned"), 1.0);
    assert_eq!(counter(&tried, "held_frames"), 1.0);
    assert_eq!(report.degraded, Some(Degradation::CoarserConstraints));
    assert!(report.work_used <= budget.0, "{report:?}");
    // the surface stands although the tool is in it
    assert!(bits(&surface(&tried)) == before);
    assert!(report.max_violation > 1e-3, "{report:?}");
    assert_eq!(tried.reactions().len(), boundary.displacements().len());
    // the blend ends after five frames
    for _ in 0..7 {
        step(&mut untouched, &boundary, UNLIMITED);
        step(&mut tried, &boundary, UNLIMITED);
        assert_eq!(counter(&tried, "held_frames"), 0.0);
    }
    assert!(bits(&surface(&tried)) == bits(&surface(&untouched)));
    assert!(tried.reactions() == untouched.reactions());
}

#[test]
fn a_contact_beyond_the_budget_is_solved_some_frames_later_without_a_jump() {
    let boundary = sudden_plane();
    let budget = budget_of_sums(&boundary);
    let mut free = at_rest(ConstraintLevel::Fine);
    step(&mut free, &boundary, UNLIMITED);
    step(&mut free, &boundary, UNLIMITED);
    let mut model = at_rest(ConstraintLevel::Fine);
    let (initial, mut last) = (surface(&model), surface(&model));
    let all = max_distance(&surface(&free), &initial);
    let (mut largest, mut held, mut snapshot) = (0.0_f64, 0, None);
    let mut seen = Vec::new();
    for _ in 0..12 {
        step(&mut model, &boundary, budget);
        held += usize::from(counter(&model, "held_frames") > 0.0);
        let now = surface(&model);
        largest = largest.max(max_distance(&now, &last));
        seen.push((bits(&now), model.reactions().to_vec()));
        last = now;
        snapshot.get_or_insert_with(|| model.snapshot());
    }
    println!(
        "{held} frames held; {:.2} of {:.2} mm in a frame",
        1e3 * largest,
        1e3 * all
    );
    assert!((1..=3).contains(&held), "{held}");
    assert!(largest < 0.25 * all, "{largest} {all}");
    assert!(max_distance(&last, &surface(&free)) < 1e-6);
    assert_near(force(&model), force(&free), 1e-6);
    // a model that was restored after the first frame waits for the same frames
    let mut other = restored(&snapshot.expect("twelve frames"));
    for (frame, (surface_seen, reactions)) in seen.iter().enumerate().skip(1) {
        step(&mut other, &boundary, budget);
        assert!(bits(&surface(&other)) == *surface_seen, "frame {frame}");
        assert!(other.reactions() == reactions, "frame {frame}");
    }
}

#[test]
fn a_smaller_budget_costs_little_force_and_no_frame_where_it_chooses_the_level() {
    let boundary = sudden_palm();
    let mut fine = at_rest(ConstraintLevel::Fine);
    step(&mut fine, &boundary, UNLIMITED);
    let mut abandoned = 0.0;
    for budget in [150_000, 110_000, 80_000, 57_000, 41_000, 29_000, 21_000] {
        let mut model = at_rest(ConstraintLevel::Auto);
        let mut last: Option<SurfaceFrame> = None;
        for frame in 0..8 {
            step(&mut model, &boundary, WorkBudget(budget));
            abandoned += counter(&model, "abandoned");
            assert_eq!(counter(&model, "held_frames"), 0.0);
            let now = surface(&model);
            if let Some(last) = last.replace(now.clone()) {
                let moved = max_distance(&now, &last);
                assert!(moved < 6e-3, "{budget}, frame {frame}: {moved}");
            }
        }
        let coarser = counter(&model, "levels_coarser");
        println!("{budget}: {coarser} levels coarser, {}", force(&model));
        if coarser <= 1.0 {
            assert_near(force(&model), force(&fine), 0.1);
        }
    }
    assert!(abandoned > 0.0);
}

/// A budget that is never reached changes no bit: neither the level, nor the rows, nor their solution.
#[test]
fn a_budget_that_pays_for_everything_has_the_bits_of_none() {
    let run = |budget: WorkBudget| {
        let mut press = Press::new(body(), ConstraintLevel::Auto, palm()).with_friction(0.4);
        for frame in 1..=5 {
            let place = palm_position(0.004 * f64::from(frame));
            press.step(place, budget).expect("solved");
        }
        (bits(&press.frame), press.model.reactions().to_vec())
    };
    assert!(run(WorkBudget(u64::MAX - 1)) == run(UNLIMITED));
}
