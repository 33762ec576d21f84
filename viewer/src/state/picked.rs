//! The skin vertex that the user has picked, one for all panes, and its values in a pane.

use pliant_core::inspect::ParameterValue;
use pliant_core::math::Vec3;
use pliant_render::numbers::{self, number};
use pliant_simulation::command::Command;
use pliant_simulation::snapshot::{PaneSnapshot, WorldSnapshot};

use super::colours::Layer;

/// Parameter of a method that explains the resolution at a skin vertex; negative for none.
const EXPLAINED: &str = "explained_vertex";

/// The picked vertex.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Picked {
    /// The skin vertex, the same one in every pane; `None` where none is picked.
    pub vertex: Option<u32>,
    /// Whether the pane under the pointer picks the vertex there in the next frame.
    pub is_requested: bool,
    /// The pane that the pointer was over last, and where, from the upper left corner of its picture, points.
    pub over: Option<(usize, egui::Vec2)>,
    /// The vertex that methods were asked to explain last, and the version of the snapshot at which they were.
    explained: (Option<u32>, u64),
}

impl Picked {
    /// Commands that make each method that can do so explain the picked vertex: when another one is picked, and when a new model has not been asked yet. None where
    /// there are several bodies, whose own vertices have other numbers. A number that the user types in *Details* stays until another vertex is picked, unless it is negative.
    pub fn explain(&mut self, snapshot: &WorldSnapshot) -> Vec<Command> {
        let (before, version) = self.explained;
        let is_other = before != self.vertex;
        let setup = snapshot.setup.as_ref();
        let is_one_body = setup.is_some_and(|s| s.places.len() <= 1 && s.others.is_empty());
        if !is_one_body || version == snapshot.version && !is_other {
            return Vec::new();
        }
        self.explained = (self.vertex, snapshot.version);
        let number = self.vertex.map_or(-1.0, f64::from);
        let is_unasked = |now: f64| now < 0.0 && self.vertex.is_some();
        let command = |pane: &PaneSnapshot| Command::SetParameter {
            method: pane.method,
            name: EXPLAINED.to_string(),
            value: ParameterValue::Number(number),
        };
        let panes = snapshot.panes.iter();
        panes
            .filter(|pane| explained(pane).is_some_and(|now| is_other || is_unasked(now)))
            .map(command)
            .collect()
    }
}

/// The vertex that a pane explains; `None` for a method that explains nothing.
fn explained(pane: &PaneSnapshot) -> Option<f64> {
    let mut all = pane.parameters.iter();
    match all.find(|(info, _)| info.name == EXPLAINED)? {
        (_, ParameterValue::Number(vertex)) => Some(*vertex),
        _ => None,
    }
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
    /// Why the body is as fine as it is there, and moves with so many steps; `None` for a method that does not say it.
    pub explanation: Option<String>,
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
        let is_explained = explained(pane) == Some(f64::from(vertex));
        let traction = force.and_then(|force| area.map(|area| force.norm() / area));
        Some(Self {
            place,
            displacement,
            force,
            traction,
            quantity: quantity(snapshot, k, v, layer),
            explanation: pane.stats.explanation.clone().filter(|_| is_explained),
        })
    }

    /// Lines of a read-out.
    pub fn lines(&self) -> Vec<String> {
        let moved = self.displacement.norm();
        // positions have single precision
        let rounding = f64::from(f32::EPSILON) * self.place.norm();
        let mut lines = vec![match moved > rounding {
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
        lines.extend(self.explanation.clone());
        lines
    }
}

/// The vertex and its place at rest, in a line.
pub fn vertex_line(snapshot: &WorldSnapshot, vertex: u32) -> Option<String> {
    let setup = snapshot.setup.as_ref()?;
    let rest = setup.skin().positions.get(vertex as usize)?;
    Some(format!("vertex {vertex}, rest {}", in_mm(rest)))
}

/// A place or a displacement (m) as three numbers in mm. What is below the digits of the length is zero.
fn in_mm(place: &Vec3) -> String {
    let least = 1e-3 * place.norm();
    let seen = |x: f64| if x.abs() < least { 0.0 } else { x };
    let [x, y, z] = [place.x, place.y, place.z].map(|x| mm(seen(x)));
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
    fn rounding_is_no_displacement() {
        let mut reading = VertexReading {
            place: Vec3::new(0.19, 0.08, 0.06),
            displacement: Vec3::x() * 1.5e-8,
            force: None,
            traction: None,
            quantity: None,
            explanation: None,
        };
        assert_eq!(reading.lines(), ["at rest"]);
        reading.displacement = Vec3::new(1e-3, 1e-9, 0.0);
        assert_eq!(reading.lines(), ["moved 1.00 mm (1.00, 0, 0) mm"]);
    }

    #[test]
    fn a_picked_vertex_is_explained_by_the_methods_that_can_and_by_new_models_again() {
        let mut snapshot = crate::testing::snapshot();
        crate::testing::add_explained_vertex(&mut snapshot, -1.0);
        let mut picked = Picked::default();
        assert!(picked.explain(&snapshot).is_empty());
        let set = |vertex: f64| Command::SetParameter {
            method: Method::Adaptive,
            name: EXPLAINED.into(),
            value: ParameterValue::Number(vertex),
        };
        picked.vertex = Some(7);
        assert_eq!(picked.explain(&snapshot), [set(7.0)]);
        let is_asked = !picked.explain(&snapshot).is_empty();
        assert!(!is_asked, "the answer is on its way");
        snapshot.version += 1;
        let parameter = |snapshot: &mut WorldSnapshot, vertex: f64| {
            let last = snapshot.panes[0].parameters.last_mut().expect("one");
            last.1 = ParameterValue::Number(vertex);
        };
        parameter(&mut snapshot, 9.0);
        let is_asked = !picked.explain(&snapshot).is_empty();
        assert!(!is_asked, "the user typed it");
        // what is said of another vertex is not shown at this one
        snapshot.panes[0].stats.explanation = Some("contact is near".into());
        assert_eq!(read(&snapshot, 0, 7, &Layer::Plain), ["at rest"]);
        parameter(&mut snapshot, 7.0);
        let lines = read(&snapshot, 0, 7, &Layer::Plain);
        assert_eq!(lines, ["at rest", "contact is near"]);
        // a model that was prepared again
        parameter(&mut snapshot, -1.0);
        snapshot.version += 1;
        assert_eq!(picked.explain(&snapshot), [set(7.0)]);
        picked.vertex = None;
        assert_eq!(picked.explain(&snapshot), [set(-1.0)]);
        // vertices of several bodies are counted anew in each
        let setup = crate::testing::setup_mut(&mut snapshot);
        setup.places = vec![pliant_core::contact::Pose::at(Vec3::zeros()); 2];
        picked.vertex = Some(7);
        assert!(picked.explain(&snapshot).is_empty());
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
