use std::f64::consts::PI;

use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::mesh::validate::topology;

use super::*;
use crate::geometry::distance::one_sided;
use crate::test_bodies::{cancelled, join, joined, mapped};
use crate::wrap::tests::{ball, sheet, wave};

const OPTIONS: WrapOptions = WrapOptions {
    cells_longest: 24,
    edge_cells: 1.2,
    thickness: None,
    keeps_cavities: false,
};

fn solid(surface: &SurfaceMesh) -> (SurfaceMesh, Vec<&'static str>) {
    let solid = make_solid_with(surface, &OPTIONS, false, &Progress::new()).expect("a solid");
    assert!(topology(&solid.surface).is_sound());
    (solid.surface, solid.steps.iter().map(|s| s.code).collect())
}

fn failure(surface: &SurfaceMesh) -> RepairError {
    make_solid_with(surface, &OPTIONS, false, &Progress::new()).expect_err("no solid")
}

/// Without the triangles whose centres satisfy `is_removed`.
fn without(surface: &SurfaceMesh, is_removed: impl Fn(&Vec3) -> bool) -> SurfaceMesh {
    let mut open = surface.clone();
    let center = |t: &[u32; 3]| {
        t.map(|v| surface.positions[v as usize])
            .iter()
            .sum::<Vec3>()
            / 3.0
    };
    open.triangles.retain(|t| !is_removed(&center(t)));
    open
}

#[test]
fn clean_surfaces_stay() {
    let surface = ball(0.1);
    let (same, steps) = solid(&surface);
    assert!(same == surface && steps.is_empty());
}

#[test]
fn small_holes_are_closed_with_what_was_there() {
    let whole = ball(0.1);
    let tops = [Vec3::y(), Vec3::new(0.9, -0.3, 0.2), -Vec3::z()];
    let open = without(&whole, |c| tops.iter().any(|t| (c - t).norm() < 0.25));
    let (closed, steps) = solid(&open);
    assert_eq!(steps[..3], ["ClosedHole"; 3]);
    // the rest is as it was, and patches span the holes
    let kept = open.triangles.len();
    assert!(closed.triangles.len() > kept);
    assert!((0..kept).all(|t| closed.corners(t) == open.corners(t)));
    assert!((closed.volume() / whole.volume() - 1.0).abs() < 0.01);
    assert!(one_sided(&whole, &closed) < 0.1);
}

#[test]
fn flat_holes_that_share_a_vertex_and_are_not_convex_get_their_area_back() {
    let whole = box_surface(Vec3::repeat(1.0), [12; 3], CellStyle::Kuhn);
    let at = |i: f64, j: f64| Vec3::new(i / 12.0, 0.5, j / 12.0);
    let cells = [(0.5, 0.5), (1.5, 1.5), (1.5, 2.5), (2.5, 1.5)];
    let open = without(&whole, |c| {
        cells
            .iter()
            .any(|&(i, j)| (c - at(i, j)).amax() < 0.5 / 12.0)
    });
    assert_eq!(whole.triangles.len() - open.triangles.len(), 8);
    let (closed, steps) = solid(&open);
    assert_eq!(steps[..2], ["ClosedHole"; 2]);
    assert!((closed.area() - 6.0).abs() < 1e-12 && (closed.volume() - 1.0).abs() < 1e-12);
    assert_eq!(closed.triangles.len(), whole.triangles.len());
}

#[test]
fn a_ball_cut_by_a_plane_is_capped() {
    let whole = ball(0.0);
    let open = without(&whole, |c| c.y < -0.3);
    let (closed, steps) = solid(&open);
    assert_eq!(steps, ["ClosedHole", "DroppedUnreferenced"]);
    // a ball without a cap of height 0.7
    let exact = 4.0 / 3.0 * PI - PI / 3.0 * 0.49 * 2.3;
    assert!((closed.volume() / exact - 1.0).abs() < 0.06);
    assert!(closed.positions.iter().all(|p| p.y > -0.6));
    // half a ball may be a bowl
    let bowl = without(&whole, |c| c.y < 0.0);
    assert_eq!(failure(&bowl).code(), "SkinOpen");
}

#[test]
fn walls_of_a_thickness_are_made_only_where_there_is_no_solid() {
    let walls = make_solid_of_sheets(&sheet(30, wave), 0.1, &Progress::new()).expect("walls");
    assert_eq!(walls.steps.last().map(|s| s.code), Some("Thickened"));
    assert!((walls.surface.volume() / 0.1 - 1.0).abs() < 0.4);
    let body = ball(0.1);
    let same = make_solid_of_sheets(&body, 0.1, &Progress::new()).expect("a solid");
    assert!(same.surface == body && same.steps.is_empty());
}

#[test]
fn a_box_gets_its_lid_back() {
    let whole = box_surface(Vec3::repeat(1.0), [6; 3], CellStyle::Kuhn);
    let open = without(&whole, |c| c.y > 0.499);
    let (closed, steps) = solid(&open);
    assert_eq!(steps, ["ClosedHole", "RemovedFlat", "DroppedUnreferenced"]);
    assert!((closed.volume() - 1.0).abs() < 1e-12 && (closed.area() - 6.0).abs() < 1e-12);
}

#[test]
fn a_ball_with_a_gash_is_wrapped_and_says_so() {
    let whole = ball(0.0);
    let open = without(&whole, |c| c.x.abs() < 0.35 && c.y > 0.0);
    let outcome = make_solid_with(&open, &OPTIONS, false, &Progress::new()).expect("a solid");
    assert_eq!(outcome.steps.len(), 1);
    let step = &outcome.steps[0];
    assert_eq!(step.code, "Wrapped");
    assert!(step.message.contains("% of the diagonal") && step.message.contains("added"));
    assert!((outcome.surface.volume() / whole.volume() - 1.0).abs() < 0.15);
    assert!(one_sided(&open, &outcome.surface) < 0.05);
}

#[test]
fn crossing_parts_are_united_and_a_few_crossings_are_told() {
    let other = mapped(ball(0.0), |p| p + Vec3::x());
    let (united, steps) = solid(&join(ball(0.0), &other));
    assert_eq!(steps[0], "Wrapped");
    assert_eq!(topology(&united).components, 1);
    // hardly touching: the parts stay
    let two = joined(&ball(0.0), &other, Vec3::x() * 0.97);
    let (same, steps) = solid(&two);
    assert_eq!(steps, ["KeptCrossings"]);
    assert!(same == two);
}

#[test]
fn a_shell_that_is_there_twice_needs_no_wrap() {
    let once = ball(0.1);
    let (single, steps) = solid(&join(once.clone(), &once));
    assert!(!steps.contains(&"Wrapped"));
    assert_eq!(steps, ["Welded", "DroppedDuplicate"]);
    assert!(single == once);
}

#[test]
fn what_is_no_solid_keeps_its_first_error_and_tells_what_was_tried() {
    let error = failure(&sheet(30, wave));
    assert_eq!(error.code(), "SkinOpen");
    assert!(error.at().is_some());
    let text = error.to_string();
    assert!(text.contains("tried: ") && text.contains("wrapping: ") && text.contains("remedy: "));
    let nothing = SurfaceMesh::new(vec![], vec![]);
    assert_eq!(failure(&nothing), RepairError::NoTriangles);
    let stopped = make_solid(&without(&ball(0.1), |c| c.y > 0.9), &cancelled());
    assert_eq!(stopped, Err(RepairError::Cancelled(Cancelled)));
}

#[test]
fn both_sides_of_a_sheet_on_each_other_become_the_walls_of_one() {
    let one = sheet(8, wave);
    let mut both = one.clone();
    let back = one.triangles.iter().map(|&[a, b, c]| [a, c, b]);
    both.triangles.extend(back);
    let refused = failure(&both);
    assert!(
        matches!(refused, RepairError::FlatSurface { diagonal, .. } if diagonal > 1.0),
        "{refused}"
    );
    let options = WrapOptions {
        thickness: Some(0.15),
        ..OPTIONS
    };
    let [volume, of_one] = [&both, &one].map(|raw| {
        let walls = make_solid_with(raw, &options, false, &Progress::new()).expect("walls");
        assert!(topology(&walls.surface).is_sound());
        walls.surface.volume()
    });
    assert!(volume > 0.1 && (volume / of_one - 1.0).abs() < 1e-3);
}

#[test]
fn shells_that_lie_in_each_other_stay_for_those_who_ask() {
    let both = joined(&ball(0.0), &ball(0.0), Vec3::x() * 1.2);
    let progress = Progress::new();
    let kept = make_solid_of_shells(&both, &progress).expect("a solid");
    assert_eq!(kept.surface, both);
    assert_eq!(kept.steps[0].code, "KeptShells");
    let wrapped = make_solid(&both, &progress).expect("a solid");
    assert!(wrapped.steps.iter().any(|s| s.code == "Wrapped"));
    // one of them inside out: the meaning of their overlap is ambiguous
    let mut one_turned = both;
    let half = one_turned.triangles.len() / 2;
    one_turned.triangles[half..]
        .iter_mut()
        .for_each(|t| t.swap(1, 2));
    let found = crossings(&one_turned, &progress).expect("not cancelled");
    assert!(matches!(found, Crossings::Many { are_shells, .. } if !are_shells));
}
