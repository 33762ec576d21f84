//! Surfaces as people have them: assemblies, pins through plates, sponges, sheets, inverted faces, debris. What the levels must be is known by construction.

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::mesh::validate::topology;
use pliant_core::mesh::{SurfaceMesh, TetMesh, TriangleTree};

use super::by_tolerance::build_resolution_sequence;
use super::resolution_sequence::{ResolutionSequence, ResolutionSequenceSpec};
use crate::repair::make_solid_of_shells;
use crate::report::require_fit;
use crate::test_bodies::{blocks, inverted, joined, mapped, torus};
use crate::tetrahedralise::fits_together::fits_together;
use crate::tetrahedralise::stuffing::mesher::Stuffing;

/// Requested distance, over the diagonal.
const TOLERANCE: f64 = 0.01;
/// The bound on work.
const MAX_NODES: usize = 25_000;

/// A box by its centre and its sides.
#[derive(Debug, Clone, Copy)]
struct Part {
    centre: Vec3,
    size: Vec3,
}

impl Part {
    fn new(centre: [f64; 3], size: [f64; 3]) -> Self {
        Self {
            centre: centre.into(),
            size: size.into(),
        }
    }

    fn surface(&self) -> SurfaceMesh {
        let cells = [0, 1, 2].map(|a| (self.size[a] / 0.1).ceil() as usize);
        let centred = box_surface(self.size, cells, CellStyle::Alternating);
        mapped(centred, |x| x + self.centre)
    }

    fn holds(&self, x: &Vec3) -> bool {
        let away = (x - self.centre).abs() - self.size / 2.0;
        away.max() < -1e-9
    }
}

fn assembled(parts: &[Part]) -> SurfaceMesh {
    let mut all = SurfaceMesh::new(Vec::new(), Vec::new());
    for part in parts {
        all.append(&part.surface());
    }
    all
}

/// Vertices and centres of triangles.
fn samples(surface: &SurfaceMesh) -> Vec<Vec3> {
    let centre = |t| surface.corners(t).iter().sum::<Vec3>() / 3.0;
    let centres = (0..surface.triangles.len()).map(centre);
    surface.positions.iter().copied().chain(centres).collect()
}

fn farthest(points: impl Iterator<Item = Vec3>, from: &SurfaceMesh) -> f64 {
    let tree = TriangleTree::new(&from.positions, &from.triangles);
    let distance = |x: Vec3| {
        let closest = tree.closest(&x).expect("a triangle");
        (closest.point - x).norm()
    };
    points.map(distance).fold(0.0, f64::max)
}

/// The least distance between two nodes.
fn closest_nodes(mesh: &TetMesh) -> f64 {
    let mut sorted = mesh.nodes.clone();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut least = f64::INFINITY;
    for (k, a) in sorted.iter().enumerate() {
        for b in sorted[k + 1..].iter().take_while(|b| b.x - a.x < 1e-6) {
            least = least.min((a - b).norm());
        }
    }
    least
}

/// Builds the levels of a file's surface and holds them against the body that it shows: its volume, and which points of the surface lie inside of it.
fn build(raw: &SurfaceMesh, volume: f64, is_inside: impl Fn(&Vec3) -> bool) -> ResolutionSequence {
    let progress = Progress::new();
    let solid = make_solid_of_shells(raw, &progress)
        .expect("a solid")
        .surface;
    let spec = ResolutionSequenceSpec {
        most_nodes: MAX_NODES,
        ..ResolutionSequenceSpec::default()
    };
    let sequence = build_resolution_sequence(&solid, &spec, &Stuffing, &progress).expect("levels");
    assert_eq!(require_fit(&solid, &sequence.levels), Ok(()));
    // a coarse level without the volume of the body is left out, with a note
    let left_out = sequence.notes.iter().filter(|n| n.contains("left out"));
    let count = sequence.levels.len() + left_out.count();
    assert!((3..=8).contains(&count), "{count}, {:?}", sequence.notes);
    for level in &sequence.levels {
        let mesh = &level.mesh;
        assert!(mesh.nodes.len() <= MAX_NODES, "{}", mesh.nodes.len());
        assert!((0..mesh.tets.len()).all(|t| mesh.tet_volume(t) > 0.0));
        assert!(closest_nodes(mesh) > 1e-6);
        assert_eq!(fits_together(mesh), Ok(()));
        assert!(topology(&mesh.boundary().surface).is_sound());
    }
    let finest = sequence.levels.last().expect("three levels");
    let ratio = finest.mesh.volume() / volume;
    assert!((ratio - 1.0).abs() < 0.03, "{ratio} of the volume");
    let boundary = finest.mesh.boundary().surface;
    let out = farthest(samples(&boundary).into_iter(), raw);
    let border = samples(raw).into_iter().filter(|x| !is_inside(x));
    let away = out.max(farthest(border, &boundary)) / raw.bounds().diagonal();
    // reported distances are up to 4 % or 0.05 % of the diagonal too small
    let told = finest.hausdorff_rel;
    assert!(away < (1.04 * told).max(told + 5e-4), "{away}, told {told}");
    println!(
        "{} levels, {} nodes, distance {:.3} %, volume {:.2} %, {:?}",
        sequence.levels.len(),
        finest.mesh.nodes.len(),
        100.0 * away,
        100.0 * ratio,
        sequence.notes
    );
    sequence
}

/// Whether the finest level is as close as requested, or the sequence reports that it is not.
fn is_close(sequence: &ResolutionSequence) -> bool {
    let close = sequence.levels.last().expect("levels").hausdorff_rel <= TOLERANCE;
    let mut notes = sequence.notes.iter();
    let told = notes.any(|note| note.starts_with("the finest level is"));
    assert!(close || told, "{:?}", sequence.notes);
    close
}

/// Asserts that the finest level is close and one body with so many handles.
fn assert_close(sequence: &ResolutionSequence, genus: i64) {
    assert!(is_close(sequence));
    let finest = sequence.levels.last().expect("levels");
    assert_eq!((finest.shape.components, finest.shape.genus), (1, genus));
}

#[test]
fn pins_through_a_plate_stay_on_both_sides_and_count_once() {
    let mut parts = vec![Part::new([0.0; 3], [1.0, 0.12, 1.0])];
    for k in 0..9 {
        let at = |n: i32| 0.3 * f64::from(n - 1);
        let centre = [at(k % 3), 0.0, at(k / 3)];
        parts.push(Part::new(centre, [0.12, 0.5, 0.12]));
    }
    let volume = 0.12 + 9.0 * 0.12 * 0.12 * (0.5 - 0.12);
    let hidden = |x: &Vec3| parts.iter().any(|part| part.holds(x));
    let sequence = build(&assembled(&parts), volume, hidden);
    assert_close(&sequence, 0);
}

#[test]
fn an_assembly_keeps_all_of_its_parts() {
    let mut parts = Vec::new();
    for k in 0..24 {
        let at = |n: i32| 0.3 * f64::from(n);
        // rows of unlike parts, as a machine has them; each is at least a fiftieth of all
        let long = 0.12 + 0.1 * f64::from(k % 2);
        parts.push(Part::new(
            [at(k % 3), at(k / 3 % 4), at(k / 12)],
            [0.22, long, 0.2],
        ));
    }
    let volume = parts.iter().map(|p| p.size.product()).sum();
    let sequence = build(&assembled(&parts), volume, |_| false);
    assert!(is_close(&sequence));
    for level in &sequence.levels {
        assert_eq!(level.shape.components, 24);
    }
}

#[test]
fn a_sponge_keeps_its_tunnels() {
    let is_full = |x: Vec3| {
        let middle = x.iter().filter(|c| c.abs() < 1.0 / 6.0).count();
        middle < 2
    };
    let sponge = blocks(Vec3::repeat(1.0), [3; 3], is_full);
    let sequence = build(&sponge, 20.0 / 27.0, |_| false);
    assert_close(&sequence, 5);
}

#[test]
fn inverted_faces_make_the_same_levels() {
    let ring = torus(0.4, 48, 24);
    let volume = ring.volume();
    let right = build(&ring, volume, |_| false);
    let wrong = build(&inverted(ring), volume, |_| false);
    assert!(is_close(&right) && is_close(&wrong));
    let nodes = |s: &ResolutionSequence| -> Vec<usize> {
        s.levels.iter().map(|l| l.mesh.nodes.len()).collect()
    };
    assert_eq!(nodes(&right), nodes(&wrong));
}

#[test]
fn a_thin_plate_beside_a_block_is_kept() {
    let parts = [
        Part::new([0.0; 3], [1.0; 3]),
        Part::new([0.0, 0.7, 0.0], [1.0, 0.08, 1.0]),
    ];
    let sequence = build(&assembled(&parts), 1.08, |_| false);
    assert!(is_close(&sequence));
    for level in &sequence.levels {
        assert_eq!(level.shape.components, 2);
    }
}

#[test]
fn debris_around_a_block_does_not_spoil_it() {
    let mut chip = box_surface(Vec3::repeat(0.004), [1; 3], CellStyle::Alternating);
    // faces without area, and one that belongs to nothing
    chip.triangles.extend([[0, 0, 1], [1, 2, 1]]);
    let mut all = Part::new([0.0; 3], [1.0; 3]).surface();
    for k in 0..40 {
        let t = f64::from(k);
        let direction = Vec3::new((1.7 * t).sin(), (2.3 * t).cos(), (0.9 * t).sin());
        all = joined(&all, &chip, direction.normalize() * 0.95);
    }
    let first = all.positions.len() as u32;
    all.positions.extend([
        Vec3::new(0.6, 0.0, 0.0),
        Vec3::new(0.61, 0.0, 0.0),
        Vec3::new(0.6, 0.01, 0.0),
    ]);
    all.triangles.push([first, first + 1, first + 2]);
    let progress = Progress::new();
    let solid = make_solid_of_shells(&all, &progress).expect("a solid");
    let told = |code: &str| solid.steps.iter().any(|step| step.code == code);
    assert!(told("DroppedDegenerate") && told("Wrapped"));
    // what is farther out than the corners of the block is debris, and gone
    let is_gone = |x: &Vec3| x.norm() > 0.9 || x.x > 0.55;
    build(&all, 1.0, is_gone);
}

#[test]
fn overlapping_copies_whose_grids_coincide_fill_their_union_once() {
    let one = box_surface(Vec3::repeat(1.0), [10; 3], CellStyle::Kuhn);
    let shift = Vec3::new(0.3, 0.2, 0.1);
    let both = joined(&one, &one, shift);
    let inside = [Vec3::zeros(), shift].map(|centre| Part {
        centre,
        size: Vec3::repeat(1.0),
    });
    let hidden = |x: &Vec3| inside.iter().any(|part| part.holds(x));
    let sequence = build(&both, 2.0 - 0.7 * 0.8 * 0.9, hidden);
    assert_close(&sequence, 0);
}

#[test]
fn pins_too_thin_for_the_finest_lattice_are_kept() {
    let mut parts = vec![Part::new([0.0; 3], [1.0, 0.5, 1.0])];
    for k in 0..4 {
        let at = |n: i32| 0.5 * f64::from(n) - 0.25;
        parts.push(Part::new([at(k % 2), 0.5, at(k / 2)], [0.012, 0.8, 0.012]));
    }
    // of each pin 0.65 is outside of the block
    let volume = 0.5 + 4.0 * 0.012 * 0.012 * 0.65;
    let hidden = |x: &Vec3| parts.iter().any(|part| part.holds(x));
    let raw = assembled(&parts);
    let sequence = build(&raw, volume, hidden);
    is_close(&sequence);
    let finest = sequence.levels.last().expect("levels");
    // nothing larger than an element is missing; the free end of a lost pin would be 0.65 away
    let distance = finest.hausdorff_rel * raw.bounds().diagonal();
    assert!(distance < finest.edge_mean, "{distance}");
    assert!(finest.edge_mean < 0.05 && finest.thickened > 0.0);
}

#[test]
fn parts_that_a_level_loses_are_named_with_their_place() {
    let parts = [
        Part::new([0.0; 3], [1.0; 3]),
        Part::new([0.137, 0.9, 0.071], [0.004, 0.6, 0.004]),
    ];
    let raw = assembled(&parts);
    let spec = ResolutionSequenceSpec {
        most_nodes: 3_000,
        levels: Some(1),
        tolerance: 0.5,
    };
    let sequence = build_resolution_sequence(&raw, &spec, &Stuffing, &Progress::new());
    let notes = sequence.expect("levels").notes;
    let told = |note: &String| {
        note.contains("1 of the body's 2 parts are missing") && note.contains("near (")
    };
    assert!(notes.iter().any(told), "{notes:?}");
}
