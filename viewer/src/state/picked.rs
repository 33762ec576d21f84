//! The skin vertex that the user has picked, one for all panes, and its values in a pane.

use pliant_core::math::Vec3;
use pliant_render::numbers::{self, number};
use pliant_simulation::snapshot::WorldSnapshot;

use super::colours::Layer;

/// The picked vertex.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Picked {
    /// The skin vertex, the same one in every pane; `None` where none is picked.
    pub vertex: Option<u32>,
    /// Whether the pane under the pointer picks the vertex there in the next frame.
    pub is_requested: bool,
    /// The pane that the pointer was over last, and where, from the upper left corner of its picture, points.
    pub over: Option<(usize, egui::Vec2)>,
}

/// Values of a skin vertex in a pane.
#[derive(Debug, Clone, PartialEq)]
pub struct VertexReading {
    /// Current position, m.
    pub place: Vec3,
    /// Displacement from rest, m.
    pub displacement: Vec3,
    /// Force on the body there by tools, grabs and loads, N; `None` where none of them acts on it, or it is unknown.
    pub force: Option<Vec3>,
    /// The force over the nodal area of the vertex, Pa.
    pub traction: Option<f64>,
    /// The quantity that colours the skins, as text; `None` for displacement or no quantity.
    pub quantity: Option<String>,
}

impl VertexReading {
    /// Values of `vertex` in pane `k`; `None` without such a vertex.
    pub fn of(snapshot: &WorldSnapshot, k: usize, vertex: u32, layer: &Layer) -> Option<Self> {
        let pane = snapshot.panes.get(k)?;
        let setup = snapshot.setup.as_ref()?;
        let v = vertex as usize;
        let position = pane.frame.positions.get(v)?;
        let rest = setup.skin().positions.get(v)?;
        let place: Vec3 = nalgebra::Vector3::<f32>::from(*position).cast();
        // rounded as the skin is, so that a body at rest is not displaced
        let displacement = place - rest.cast::<f32>().cast::<f64>();
        let mut force = None;
        for load in pane.vertex_forces.iter().filter(|f| f.vertex == vertex) {
            *force.get_or_insert_with(Vec3::zeros) += load.force;
        }
        let area = setup.areas.get(v).filter(|area| **area > 0.0);
        let traction = force.and_then(|force| area.map(|area| force.norm() / area));
        Some(Self {
            place,
            displacement,
            force,
            traction,
            quantity: quantity(snapshot, k, v, layer),
        })
    }

    /// Lines of a read-out.
    pub fn lines(&self) -> Vec<String> {
        let moved = self.displacement.norm();
        let mut lines = vec![match moved > 0.0 {
            true => format!("moved {} mm {}", mm(moved), in_mm(&self.displacement)),
            false => "at rest".to_string(),
        }];
        lines.extend(self.force.map(|force| {
            let force = numbers::quantity(force.norm(), "N");
            match self.traction {
                Some(traction) => {
                    format!("force {force}  ·  {}", numbers::quantity(traction, "Pa"))
                }
                None => format!("force {force}"),
            }
        }));
        lines.extend(self.quantity.clone());
        lines
    }
}

/// The vertex and its place at rest, in a line.
pub fn vertex_line(snapshot: &WorldSnapshot, vertex: u32) -> Option<String> {
    let setup = snapshot.setup.as_ref()?;
    let rest = setup.skin().positions.get(vertex as usize)?;
    Some(format!("vertex {vertex}, rest {}", in_mm(rest)))
}

/// A place or a displacement (m) as three numbers in mm.
fn in_mm(place: &Vec3) -> String {
    let [x, y, z] = [place.x, place.y, place.z].map(mm);
    format!("({x}, {y}, {z}) mm")
}

/// A length (m) in mm.
fn mm(length: f64) -> String {
    number(length * 1e3, 3)
}

/// The quantity that colours the skins, at vertex `v` of pane `k`.
fn quantity(snapshot: &WorldSnapshot, k: usize, v: usize, layer: &Layer) -> Option<String> {
    if *layer == Layer::Displacement {
        return None;
    }
    let value = layer.value(snapshot, k, v)?;
    let words = layer.categories();
    // the values of categories are whole numbers from 0 on
    let word = words.and_then(|words| words.get(value as usize).copied());
    let value = match word {
        Some(word) => word.to_string(),
        None => numbers::quantity(f64::from(value), layer.unit(snapshot)),
    };
    Some(format!("{} {value}", layer.label()))
}

#[cfg(test)]
mod tests {
    use pliant_core::boundary::NodalLoad;
    use pliant_core::scene::Method;

    use super::*;

    fn read(snapshot: &WorldSnapshot, k: usize, vertex: u32, layer: &Layer) -> Vec<String> {
        let reading = VertexReading::of(snapshot, k, vertex, layer).expect("a vertex");
        reading.lines()
    }

    #[test]
    fn a_vertex_has_a_displacement_and_a_force_in_every_pane() {
        let mut snapshot = crate::testing::snapshot();
        let area = snapshot.setup.as_ref().expect("a scene").areas[7];
        assert_eq!(read(&snapshot, 0, 7, &Layer::Plain), ["at rest"]);
        snapshot.panes[0].frame.positions[7][1] += 0.25;
        let force = |vertex, y| NodalLoad {
            vertex,
            force: Vec3::y() * y,
        };
        // a grab and a load at the same vertex
        snapshot.panes[0].vertex_forces = vec![force(6, 9.0), force(7, 1.0), force(7, 2.0)];
        let reading = VertexReading::of(&snapshot, 0, 7, &Layer::Plain).expect("a vertex");
        assert!((reading.displacement - Vec3::y() * 0.25).norm() < 1e-6);
        assert_eq!(reading.force, Some(Vec3::y() * 3.0));
        assert_eq!(reading.traction, Some(3.0 / area));
        let lines = reading.lines();
        assert_eq!(lines[0], "moved 250 mm (0, 250, 0) mm");
        assert!(lines[1].starts_with("force 3.00 N  ·  "), "{lines:?}");
        // the same vertex of another pane
        assert_eq!(read(&snapshot, 1, 7, &Layer::Plain), ["at rest"]);
        let count = snapshot.panes[0].frame.positions.len() as u32;
        assert_eq!(VertexReading::of(&snapshot, 0, count, &Layer::Plain), None);
        assert_eq!(vertex_line(&snapshot, count), None);
    }

    #[test]
    fn the_quantity_that_colours_the_skins_is_a_line() {
        let mut snapshot = crate::testing::snapshot();
        let count = snapshot.panes[0].frame.positions.len();
        snapshot.panes[0].quantity = Some(("stress".into(), vec![2500.0; count]));
        let stress = Layer::Quantity("stress".into());
        let lines = read(&snapshot, 0, 3, &stress);
        assert_eq!(lines, ["at rest", "stress 2.50 kPa"]);
        assert_eq!(read(&snapshot, 1, 3, &stress), ["at rest"]);
        snapshot.panes[1].frame.positions[3][0] += 0.5;
        let lines = read(&snapshot, 1, 3, &Layer::DifferenceTo(Method::Adaptive));
        assert_eq!(lines[1], "difference to adaptive 0.500 m");
        let refused = vec![1.0; count];
        snapshot.panes[0].quantity = Some(("refused_reason".into(), refused));
        let lines = read(&snapshot, 0, 3, &Layer::Quantity("refused_reason".into()));
        assert_eq!(lines[1], "why it is not refined contact");
    }
}
