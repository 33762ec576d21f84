//! The colouring of the skin: plain, by a quantity of the model, or by a comparison that the window computes.

use nalgebra::Vector3;
use pliant_core::inspect::QuantityShape;
use pliant_core::scene::{Method, ViewDescription};
use pliant_simulation::command::Command;
use pliant_simulation::snapshot::{PaneSnapshot, PaneState, WorldSnapshot};

use crate::state::shown::shown;

/// The value of each skin vertex, in the unit of its layer.
type ValueOf<'a> = Box<dyn Fn(usize) -> Option<f32> + 'a>;

/// The quantity that all methods have.
const DISPLACEMENT: &str = "displacement";

/// Least strain at the upper end of the colour bar. A skin in single precision has strains of up to `1e-7 d / h` by rounding, at a distance `d` from the origin and in triangles of
/// the height `h`: this is the one for a hundred heights.
const LEAST_STRAIN: f64 = 1e-5;

/// Quantities that are never negative. Models interpolate them from their nodes, and at skin vertices outside their elements, where that is an extrapolation, they may
/// come out below zero.
const NOT_NEGATIVE: [&str; 2] = ["von_mises_stress", "refinement_indicator"];

/// What the colours of the skins show.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Layer {
    /// The method's own colour.
    #[default]
    Plain,
    /// Distance of each vertex from its rest position, m.
    Displacement,
    /// Distance of each vertex from the same vertex of another method, m.
    DifferenceTo(Method),
    /// A quantity that a model offers, by name.
    Quantity(String),
}

impl Layer {
    /// Name in menus and beside the colour bar.
    pub fn label(&self) -> String {
        match self {
            Self::Plain => "method colour".to_string(),
            Self::Displacement => DISPLACEMENT.to_string(),
            Self::DifferenceTo(method) => format!("difference to {}", method.name()),
            Self::Quantity(name) => match name.as_str() {
                "von_mises_stress" => "von Mises stress".to_string(),
                "lod_level" => "level of detail".to_string(),
                "dt_level" => "time step level".to_string(),
                "refused_reason" => "why it is not refined".to_string(),
                words => words.replace('_', " "),
            },
        }
    }

    /// A word for each value, for a quantity whose values are integers from 0 on.
    pub fn categories(&self) -> Option<&'static [&'static str]> {
        match self {
            Self::Quantity(name) if name == "refused_reason" => {
                Some(&["not refused", "contact", "deformation"])
            }
            _ => None,
        }
    }

    /// Why it has no values for pane `k`.
    pub fn absence(&self, snapshot: &WorldSnapshot, k: usize) -> &'static str {
        match (self, snapshot.panes.get(k)) {
            (Self::DifferenceTo(method), Some(pane)) if pane.method == *method => {
                "the one compared with"
            }
            (Self::DifferenceTo(_), _) => "it does not run",
            (_, Some(pane)) if is_being_prepared(&pane.state) => "not prepared yet",
            _ => "not of this method",
        }
    }

    /// Everything that can be chosen for this snapshot.
    pub fn choices(snapshot: &WorldSnapshot) -> Vec<Self> {
        let mut all = vec![Self::Plain, Self::Displacement];
        let shown = shown(snapshot);
        if shown.len() > 1 {
            let method = |k: usize| Self::DifferenceTo(snapshot.panes[k].method);
            all.extend(shown.into_iter().map(method));
        }
        for info in snapshot.panes.iter().flat_map(|p| &p.quantities) {
            let layer = Self::Quantity(info.name.to_string());
            // displacement is offered for all methods already
            if info.shape == QuantityShape::VertexScalar
                && info.name != DISPLACEMENT
                && !all.contains(&layer)
            {
                all.push(layer);
            }
        }
        all
    }

    /// The layer of a scene's view.
    pub fn from_view(view: &ViewDescription) -> Self {
        match (&view.quantity, view.difference_to) {
            (Some(name), _) if name == DISPLACEMENT => Self::Displacement,
            (Some(name), _) => Self::Quantity(name.clone()),
            (None, Some(method)) => Self::DifferenceTo(method),
            (None, None) => Self::Plain,
        }
    }

    /// Its quantity, and the method that it compares with, for a scene's view.
    pub fn to_view(&self) -> (Option<String>, Option<Method>) {
        match self {
            Self::Plain => (None, None),
            Self::Displacement => (Some(DISPLACEMENT.to_string()), None),
            Self::DifferenceTo(method) => (None, Some(*method)),
            Self::Quantity(name) => (Some(name.clone()), None),
        }
    }

    /// Commands that show it in all panes. A model without the quantity shows none.
    pub fn commands(&self, snapshot: &WorldSnapshot) -> Vec<Command> {
        let name = match self {
            Self::Quantity(name) => Some(name),
            _ => None,
        };
        let show = |pane: &PaneSnapshot| Command::ShowQuantity {
            method: pane.method,
            name: name.cloned(),
        };
        snapshot.panes.iter().map(show).collect()
    }

    /// Unit of the values; empty for plain numbers.
    pub fn unit(&self, snapshot: &WorldSnapshot) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Displacement | Self::DifferenceTo(_) => "m",
            Self::Quantity(name) => snapshot
                .panes
                .iter()
                .flat_map(|p| &p.quantities)
                .find(|q| q.name == name)
                .map_or("", |q| q.unit),
        }
    }

    /// The value of a body at rest.
    pub fn neutral(&self) -> f64 {
        match self {
            Self::Quantity(name) if name == "volume_ratio" => 1.0,
            _ => 0.0,
        }
    }

    /// Least value at the upper end of the colour bar, so that rounding of a skin at rest is not shown in all colours. The neutral value for most layers.
    pub fn least_end(&self, snapshot: &WorldSnapshot) -> f32 {
        let bodies = snapshot.setup.iter().flat_map(|setup| setup.kinds());
        let moduli = bodies.map(|kind| kind.geometry.material.elastic.young);
        let end = match self {
            Self::Quantity(name) if name == "surface_strain" => LEAST_STRAIN,
            Self::Quantity(name) if name == "surface_stress" || name == "von_mises_stress" => {
                LEAST_STRAIN * moduli.fold(0.0, f64::max)
            }
            _ => self.neutral(),
        };
        end as f32
    }

    /// One value for each skin vertex of pane `k`; `None` where the layer has none.
    pub fn values(&self, snapshot: &WorldSnapshot, k: usize) -> Option<Vec<f32>> {
        let value_of = self.value_of(snapshot, k)?;
        let count = snapshot.panes.get(k)?.frame.positions.len();
        (0..count).map(value_of).collect()
    }

    /// The value of [`Self::values`] at skin vertex `v` alone, without a pass over the others.
    pub fn value(&self, snapshot: &WorldSnapshot, k: usize, v: usize) -> Option<f32> {
        self.value_of(snapshot, k)?(v)
    }

    /// The function from skin vertices of pane `k` to their values.
    fn value_of<'a>(&self, snapshot: &'a WorldSnapshot, k: usize) -> Option<ValueOf<'a>> {
        let pane = snapshot.panes.get(k)?;
        let positions = &pane.frame.positions;
        let value: ValueOf<'a> = match self {
            Self::Plain => return None,
            Self::Displacement => {
                let rest = &snapshot.setup.as_ref()?.skin().positions;
                Box::new(move |v| {
                    let rest = rest.get(v)?.cast::<f32>().into();
                    Some(distance(positions.get(v)?, &rest))
                })
            }
            Self::DifferenceTo(method) => {
                let other = positions_of(snapshot, pane, *method)?;
                Box::new(move |v| Some(distance(positions.get(v)?, other.get(v)?)))
            }
            Self::Quantity(name) => {
                let values = quantity_values(pane, name)?;
                let is_bounded = NOT_NEGATIVE.contains(&name.as_str());
                Box::new(move |v| {
                    let value = *values.get(v)?;
                    Some(if is_bounded && value < 0.0 {
                        0.0
                    } else {
                        value
                    })
                })
            }
        };
        Some(value)
    }
}

fn is_being_prepared(state: &PaneState) -> bool {
    matches!(state, PaneState::Waiting | PaneState::Baking { .. })
}

/// Distance of two vertices, m.
fn distance(a: &[f32; 3], b: &[f32; 3]) -> f32 {
    (Vector3::from(*a) - Vector3::from(*b)).norm()
}

/// The skin of `method`, with which that of `pane` is compared; `None` where it is the same one, one of another scene, or one at rest because its method has not run.
fn positions_of<'a>(
    snapshot: &'a WorldSnapshot,
    pane: &PaneSnapshot,
    method: Method,
) -> Option<&'a [[f32; 3]]> {
    let other = snapshot.panes.iter().find(|p| p.method == method)?;
    let has_run = matches!(other.state, PaneState::Ready | PaneState::Stopped(_));
    let other = &other.frame.positions;
    let are_two = other.len() == pane.frame.positions.len() && pane.method != method;
    (are_two && has_run).then_some(&other[..])
}

/// Values of the quantity `name` in a pane, one for each skin vertex.
fn quantity_values<'a>(pane: &'a PaneSnapshot, name: &str) -> Option<&'a [f32]> {
    let (shown, values) = pane.quantity.as_ref()?;
    let is_whole = values.len() == pane.frame.positions.len();
    (shown == name && is_whole).then_some(&values[..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displacement_and_difference_are_distances() {
        let mut snapshot = crate::testing::snapshot();
        let skin_vertices = snapshot.panes[0].frame.positions.len();
        for p in &mut snapshot.panes[0].frame.positions {
            p[1] += 0.25;
        }
        let values = Layer::Displacement
            .values(&snapshot, 0)
            .expect("a value a vertex");
        assert_eq!(values.len(), skin_vertices);
        assert!(values.iter().all(|v| (v - 0.25).abs() < 1e-6));
        let to_first = Layer::DifferenceTo(Method::Adaptive);
        let values = to_first.values(&snapshot, 1).expect("values");
        assert!(values.iter().all(|v| (v - 0.25).abs() < 1e-6));
        let own = to_first.values(&snapshot, 0);
        assert_eq!(own, None, "a method does not differ from itself");
        assert_eq!(Layer::Plain.values(&snapshot, 0), None);
        for (layer, k) in [(Layer::Displacement, 0), (to_first.clone(), 1)] {
            let all = layer.values(&snapshot, k).expect("values");
            assert_eq!(layer.value(&snapshot, k, 3), Some(all[3]));
            assert_eq!(layer.value(&snapshot, k, skin_vertices), None);
        }
        assert_eq!(to_first.value(&snapshot, 0, 3), None);
        assert_eq!(to_first.absence(&snapshot, 0), "the one compared with");
        // a skin at rest because it is being prepared is nothing to compare with
        let to_second = Layer::DifferenceTo(snapshot.panes[1].method);
        assert_eq!(to_second.values(&snapshot, 0), None);
        assert_eq!(to_second.absence(&snapshot, 0), "it does not run");
        let stress = Layer::Quantity("stress".into());
        assert_eq!(stress.absence(&snapshot, 1), "not prepared yet");
        assert_eq!(stress.absence(&snapshot, 2), "not of this method");
    }

    #[test]
    fn the_bar_of_surface_quantities_is_wider_than_rounding() {
        let snapshot = crate::testing::snapshot();
        let setup = snapshot.setup.as_ref().expect("a scene");
        let of = |name: &str| Layer::Quantity(name.into()).least_end(&snapshot);
        let young = setup.geometry.material.elastic.young as f32;
        let strain = of("surface_strain");
        assert!(strain > 0.0);
        assert!((of("surface_stress") / (strain * young) - 1.0).abs() < 1e-6);
        assert_eq!(of("speed"), 0.0);
        // a body at rest is not shown as far from zero
        assert_eq!(of("volume_ratio"), 1.0);
        assert_eq!(Layer::Displacement.least_end(&snapshot), 0.0);
    }

    #[test]
    fn a_stress_that_has_no_sign_is_not_below_zero_where_it_was_extrapolated() {
        let mut snapshot = crate::testing::snapshot();
        let count = snapshot.panes[0].frame.positions.len();
        for (name, least) in [("von_mises_stress", 0.0), ("volume_ratio", -2.0)] {
            let mut values = vec![3.0; count];
            (values[4], values[5]) = (-2.0, f32::NAN);
            snapshot.panes[0].quantity = Some((name.into(), values));
            let shown = Layer::Quantity(name.into()).values(&snapshot, 0);
            let shown = shown.expect("a value a vertex");
            assert_eq!((shown[3], shown[4]), (3.0, least), "{name}");
            assert!(shown[5].is_nan(), "{name}");
        }
    }

    #[test]
    fn quantities_have_names_of_words_and_a_category_has_a_word_for_each_value() {
        let of = |name: &str| Layer::Quantity(name.into());
        assert_eq!(of("von_mises_stress").label(), "von Mises stress");
        assert_eq!(of("volume_ratio").label(), "volume ratio");
        assert_eq!(of("speed").categories(), None);
        let words = of("refused_reason").categories().expect("a category");
        assert_eq!(words, ["not refused", "contact", "deformation"]);
    }

    #[test]
    fn each_layer_round_trips_through_a_view_and_is_requested_from_all_models() {
        let snapshot = crate::testing::snapshot();
        let stress = Layer::Quantity("stress".into());
        let all = [
            Layer::Plain,
            Layer::Displacement,
            Layer::DifferenceTo(Method::Lattice),
            stress.clone(),
        ];
        for layer in all {
            let (quantity, difference_to) = layer.to_view();
            let view = ViewDescription {
                quantity,
                difference_to,
                ..ViewDescription::default()
            };
            assert_eq!(Layer::from_view(&view), layer);
        }
        assert!(Layer::choices(&snapshot).contains(&stress));
        for (layer, asks) in [(Layer::Plain, false), (stress, true)] {
            let commands = layer.commands(&snapshot);
            let is_right = |c: &Command| matches!(c, Command::ShowQuantity { name, .. } if name.is_some() == asks);
            assert!(commands.len() == 3 && commands.iter().all(is_right));
        }
    }
}
