//! Grabs whose force is too small, and grabs that do not hold what they select.
//!
//! A grab holds vertices of the skin. Where elements or cells are finer than the skin, the surface gives way between them. Supports come before grabs, and the first of two grabs before the
//! other.

use std::collections::BTreeMap;

use super::coarse_skin::{in_mm, remedy, sides};
use super::note::{NoteSubject, SceneNote};
use crate::setup::scene_setup::{Setup, SetupGrab};

/// Mean edge of the held skin over the side of the held part, the root of its area, above which there is a note.
///
/// On a cube whose top is held, forces were 10 % too small with 0.15 sides and 27 % with 0.23, see "What a grab holds" in `docs/scenes.md`: its edges are those of squares, and the mean with
/// the diagonals is 1.14 times as long.
const MAX_EDGE_RATIO: f64 = 0.17;

/// The edge that the remedy asks for, in sides.
const REMEDY_EDGE_RATIO: f64 = 0.1;

/// The part of a body's skin that a grab holds: the triangles with all of their corners held.
#[derive(Clone, Default)]
struct HeldPart {
    /// m²
    area: f64,
    /// of all sides of its triangles, m
    length: f64,
    sides: u32,
}

impl HeldPart {
    fn side(&self) -> f64 {
        self.area.sqrt()
    }

    fn mean_edge(&self) -> f64 {
        self.length / f64::from(self.sides.max(1))
    }
}

/// Notes on each grab: one where supports hold all of its vertices, else one for each grab before it that holds some of them, and one where the skin is too coarse.
///
/// Cost: a pass over the skin for each grab.
pub(in crate::setup) fn notes(setup: &Setup) -> Vec<SceneNote> {
    let mut holder: BTreeMap<u32, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for (k, grab) in setup.grabs.iter().enumerate() {
        let name = &grab.name;
        let note = |text| SceneNote::warning(NoteSubject::Grab(name.clone()), text);
        if setup.all_held(&grab.vertices) {
            found.push(note(format!(
                "GrabOnSupport: all vertices of grab `{name}` belong to supports, which hold them: it moves nothing\n  remedy: select free vertices, or a smaller support"
            )));
            continue;
        }
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for &v in grab.vertices.iter().filter(|v| !setup.is_held(**v)) {
            match *holder.entry(v).or_insert(k) {
                own if own == k => {}
                other => *shared.entry(other).or_default() += 1,
            }
        }
        for (other, count) in shared {
            let vertices = match count {
                1 => "one vertex".to_string(),
                count => format!("{count} vertices"),
            };
            let other = &setup.grabs[other].name;
            found.push(note(format!(
                "GrabsOverlap: grab `{name}` selects {vertices} that `{other}` holds: the first of them in the scene holds them alone\n  remedy: select other vertices in one of them"
            )));
        }
        found.extend(coarse_skin(setup, grab).map(note));
    }
    found
}

/// What a note says where the skin is too coarse for a grab. Where it holds several bodies, the one that it fits least counts.
fn coarse_skin(setup: &Setup, grab: &SetupGrab) -> Option<String> {
    let bodies = bodies(setup);
    let parts = held_parts(setup, grab, &bodies);
    let found = bodies
        .iter()
        .zip(&parts)
        .filter(|(_, part)| part.area > 0.0);
    let ratio = |part: &HeldPart| part.mean_edge() / part.side();
    let ((_, kind), part) = found.max_by(|(_, a), (_, b)| ratio(a).total_cmp(&ratio(b)))?;
    (ratio(part) > MAX_EDGE_RATIO).then(|| {
        format!(
            "SkinTooCoarse: the skin is too coarse for `{}`: its edges are {} there, {:.2} of the side of the held part, so that it gives way between the held vertices where elements or cells are finer, and forces may be too small by 10 % and more\n  remedy: {}",
            grab.name,
            in_mm(part.mean_edge()),
            ratio(part),
            remedy(&kind.description, REMEDY_EDGE_RATIO * part.side())
        )
    })
}

/// The first vertex and the kind of each body, in their order.
fn bodies(setup: &Setup) -> Vec<(usize, &Setup)> {
    let mut bodies = Vec::new();
    let mut first = 0;
    for kind in setup.kinds() {
        for _ in 0..kind.places.len().max(1) {
            bodies.push((first, kind));
            first += kind.geometry.skin.vertex_count();
        }
    }
    bodies
}

/// What a grab holds of each of the `bodies`.
fn held_parts(setup: &Setup, grab: &SetupGrab, bodies: &[(usize, &Setup)]) -> Vec<HeldPart> {
    let skin = &setup.scene_skin;
    let mut holds = vec![false; skin.vertex_count()];
    for &v in &grab.vertices {
        holds[v as usize] = true;
    }
    let mut parts = vec![HeldPart::default(); bodies.len()];
    for (t, triangle) in skin.triangles.iter().enumerate() {
        if triangle.iter().any(|&v| !holds[v as usize]) {
            continue;
        }
        let behind = bodies.partition_point(|(first, _)| *first <= triangle[0] as usize);
        let Some(part) = parts.get_mut(behind.wrapping_sub(1)) else {
            continue;
        };
        let [ab, bc, ca] = sides(skin, t);
        part.area += skin.area_vector(t).norm();
        part.length += ab + bc + ca;
        part.sides += 3;
    }
    parts
}

#[cfg(test)]
mod tests {
    use crate::setup::{NoteSubject, Setup};
    use crate::world::testing::{notes_with, setup_of};

    const TOP: &str = "half_space = { point = [0.0, 0.049, 0.0], normal = [0.0, 1.0, 0.0] }";
    const SIDE: &str = "half_space = { point = [0.099, 0.0, 0.0], normal = [1.0, 0.0, 0.0] }";
    const BASE: &str = "half_space = { point = [0.0, -0.049, 0.0], normal = [0.0, -1.0, 0.0] }";

    /// A block that stands on a support, with these edges and grabs; `keys` are keys of the body.
    fn held(edge: f64, keys: &str, grabs: &[(&str, &str)]) -> Setup {
        let grabs: String = grabs
            .iter()
            .map(|(name, select)| {
                format!("[[grab]]\nname = '{name}'\nselect = {{ {select} }}\nmotion = 'fixed'\n")
            })
            .collect();
        setup_of(format!(
            "[[body]]\nname = 'block'\nmesh = {{ procedural = 'box', size = [0.2, 0.1, 0.15], edge = {edge} }}\n\
             support = [{{ name = 'base', select = {{ {BASE} }} }}]\n{keys}\n{grabs}"
        ))
    }

    #[test]
    fn a_grab_of_few_vertices_is_told_with_the_edge_that_it_needs() {
        let coarse = held(0.05, "", &[("lid", TOP)]);
        // 0.1 of the root of 0.03 m²; the mean of two sides of 50 mm and their diagonal
        assert_eq!(
            notes_with(&coarse, "SkinTooCoarse"),
            [
                "SkinTooCoarse: the skin is too coarse for `lid`: its edges are 56.9 mm there, 0.33 of the side of the held part, so that it gives way between the held vertices where elements or cells are finer, and forces may be too small by 10 % and more\n  remedy: mesh.edge = 0.017 or less"
            ]
        );
        let subject = NoteSubject::Grab("lid".into());
        assert!(
            coarse
                .notes
                .iter()
                .any(|n| n.is_warning && n.subject == subject)
        );
        assert!(notes_with(&held(0.025, "", &[("lid", TOP)]), "SkinTooCoarse").is_empty());
    }

    #[test]
    fn a_grab_of_several_bodies_has_a_part_on_each() {
        let layout =
            "layout = { grid = [2, 1, 1], spacing = 0.5, origin = [0.0, 0.0, 0.0] }\ncount = 2";
        let both = held(0.05, layout, &[("lid", TOP)]);
        let found = notes_with(&both, "SkinTooCoarse");
        assert!(
            found.len() == 1 && found[0].contains("0.33 of the side"),
            "{found:?}"
        );
    }

    #[test]
    fn a_grab_of_what_a_support_holds_is_told() {
        let setup = held(0.05, "", &[("lid", TOP), ("foot", BASE)]);
        assert_eq!(
            notes_with(&setup, "GrabOnSupport"),
            [
                "GrabOnSupport: all vertices of grab `foot` belong to supports, which hold them: it moves nothing\n  remedy: select free vertices, or a smaller support"
            ]
        );
        // some vertices of the side are free
        assert!(notes_with(&held(0.05, "", &[("side", SIDE)]), "GrabOnSupport").is_empty());
    }

    #[test]
    fn vertices_of_two_grabs_are_told_with_the_one_that_holds_them() {
        let setup = held(0.025, "", &[("lid", TOP), ("side", SIDE), ("foot", BASE)]);
        // an edge of the block; those of the foot are held by the support
        assert_eq!(
            notes_with(&setup, "GrabsOverlap"),
            [
                "GrabsOverlap: grab `side` selects 7 vertices that `lid` holds: the first of them in the scene holds them alone\n  remedy: select other vertices in one of them"
            ]
        );
    }
}
