//! Named points inside a body: what they feel, and what a load on them does.
//!
//! Anything linear in the state can stand beside the Green's functions as further rows (James and Pai 2003): the displacement and the stress of a
//! point for a unit force on each boundary node. A load at the point, the pull of a tendon say, is a body force with three columns of
//! its own; by reciprocity these are the transposes of the rows of displacement.

pub use pliant_core::inspect::PointState;
use pliant_core::math::{Mat3, Vec3};

use crate::greens::tensor::Voigt;
use crate::model::QuasistaticModel;

/// The stress of a point for a force: component `k` in Voigt's order (xx, yy, zz, yz, xz, xy) is the product of entry `k` with the force.
pub type StressRow = [Vec3; 6];

/// No stress.
pub const NO_STRESS: StressRow = [Vec3::new(0.0, 0.0, 0.0); 6];

/// A point that is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedPoint {
    /// Its name.
    pub name: String,
    /// Its place at rest, m.
    pub point: Vec3,
    /// Force on it from the start, N.
    pub load: Vec3,
}

/// A point inside a body, with its rows.
#[derive(Debug, Clone, PartialEq)]
pub struct InsidePoint {
    /// Its name, its place at rest, and the load that a model begins with.
    pub named: NamedPoint,
    /// For each free boundary node `j` the matrix `U_j`, m/N: a force `f` on the node moves the point by `U_j f`, and a load `q` on the point moves the
    /// node by `U_jᵀ q`.
    pub displacement: Vec<Mat3>,
    /// Stress for a force on each free boundary node, Pa/N.
    pub stress: Vec<StressRow>,
    /// Displacement for gravity of 1 m/s² along x, y and z (the columns), s².
    pub gravity: Mat3,
    /// Stress for gravity, Pa/(m/s²).
    pub gravity_stress: StressRow,
    /// What loads on the points of this body do to this one, in their order.
    pub of_points: Vec<PointResponse>,
    /// For each support the force on the body for a unit load on the point along each axis (the columns).
    pub carried: Vec<Mat3>,
}

/// What a unit load on one point does to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointResponse {
    /// Displacement, m/N.
    pub displacement: Mat3,
    /// Stress, Pa/N.
    pub stress: StressRow,
}

/// Everything that acts on a body in a frame.
pub(crate) struct Acting<'a> {
    /// forces on free boundary nodes times the softness, N
    pub nodal: [&'a [(u32, Vec3)]; 2],
    /// gravity times the scale of the density, m/s²
    pub gravity: Vec3,
    /// load on each point, N
    pub loads: &'a [Vec3],
    /// compliance over the baked one
    pub softness: f64,
}

impl InsidePoint {
    /// The point under all that acts. Cost: a block product and six dots a loaded node.
    pub(crate) fn under(&self, acting: &Acting<'_>) -> PointState {
        let (mut displacement, mut stress) = (Vec3::zeros(), [0.0; 6]);
        for (node, force) in acting.nodal.iter().copied().flatten() {
            displacement += self.displacement[*node as usize] * force;
            add(&mut stress, &self.stress[*node as usize], force);
        }
        for value in &mut stress {
            *value /= acting.softness;
        }
        displacement += self.gravity * (acting.gravity * acting.softness);
        add(&mut stress, &self.gravity_stress, &acting.gravity);
        for (response, load) in self.of_points.iter().zip(acting.loads) {
            displacement += response.displacement * (load * acting.softness);
            add(&mut stress, &response.stress, load);
        }
        PointState {
            displacement,
            stress,
        }
    }

    /// Bytes that the rows take.
    pub(crate) fn bytes(&self) -> usize {
        72 * (self.displacement.len() + self.carried.len())
            + 144 * self.stress.len()
            + 216 * self.of_points.len()
    }
}

fn add(stress: &mut Voigt, row: &StressRow, force: &Vec3) {
    for (value, row) in stress.iter_mut().zip(row) {
        *value += row.dot(force);
    }
}

/// Why a load on a point is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum InsideLoadError {
    /// The body has no point of that name.
    #[error(
        "the body has no point inside called `{name}`{}\n  remedy: name one of them, or bake with it in `quasistatic.inside`",
        list(known)
    )]
    NoSuchPoint {
        /// The name given.
        name: String,
        /// The points of the body.
        known: Vec<String>,
    },
    /// Not a number, or infinite.
    #[error("the load on `{name}` is not finite\n  remedy: give three finite numbers in newtons")]
    LoadNotFinite {
        /// The point.
        name: String,
    },
}

impl InsideLoadError {
    /// The variant's name, the error code of the JSON output.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoSuchPoint { .. } => "NoSuchPoint",
            Self::LoadNotFinite { .. } => "LoadNotFinite",
        }
    }
}

fn list(known: &[String]) -> String {
    match known {
        [] => ": it has none".to_string(),
        _ => format!(": it has {}", known.join(", ")),
    }
}

impl QuasistaticModel {
    /// The points inside the body, in the order of the description.
    pub fn inside(&self) -> &[InsidePoint] {
        &self.asset.inside
    }

    /// Each of these points after the last frame; at rest before the first.
    pub fn inside_states(&self) -> &[PointState] {
        &self.state.inside
    }

    /// Load on each of these points, N.
    pub fn inside_loads(&self) -> &[Vec3] {
        &self.state.loads
    }

    /// Sets the load (N) on the point called `name`, from the next frame on; it stays over [`reset`](pliant_core::model::DeformableModel::reset).
    ///
    /// # Errors
    /// See [`InsideLoadError`].
    pub fn set_inside_load(&mut self, name: &str, load: Vec3) -> Result<(), InsideLoadError> {
        let mut points = self.asset.inside.iter();
        let Some(k) = points.position(|point| point.named.name == name) else {
            let known = self.asset.inside.iter();
            return Err(InsideLoadError::NoSuchPoint {
                name: name.to_string(),
                known: known.map(|point| point.named.name.clone()).collect(),
            });
        };
        if !load.iter().all(|x| x.is_finite()) {
            return Err(InsideLoadError::LoadNotFinite {
                name: name.to_string(),
            });
        }
        if let Some(slot) = self.state.loads.get_mut(k) {
            *slot = load;
        }
        Ok(())
    }
}
