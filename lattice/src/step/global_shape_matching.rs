//! Shape matching of the whole body at once: the models that lattices are compared with (Müller, Heidelberger, Teschner and Gross 2005, *Meshless
//! deformations based on shape matching*).
//!
//! With `q = x⁰ − x̄⁰` and `p = x − x̄` the goal of a particle is `g = T b(q) + x̄`:
//!
//! | model | `b(q)` | `T` |
//! |---|---|---|
//! | rigid | `q` | the rotation `R` nearest to `Σ m p qᵀ` |
//! | linear | `q` | `β A/∛det A + (1 − β) R` with `A = (Σ m p qᵀ)(Σ m q qᵀ)⁻¹` |
//! | quadratic | `q` and its six products | `β Ã + (1 − β) (R, 0)` with `Ã = (Σ m p bᵀ)(Σ m b bᵀ)⁻¹` |
//!
//! The means of the products are subtracted, which the paper does not do: without a constant term in the fit the goals' centre would not be that of
//! the body, and momentum would drift. Where A inverts the body, or compresses it to a thousandth, its volume cannot be restored, and R
//! is used instead. Damping moves velocities towards the rigid motion of the whole body ([`crate::step::damping::pieces`]).
//!
//! Reference implementation in double precision, without optimisations.

use nalgebra::{SMatrix, SVector, SymmetricEigen, UnitQuaternion};
use pliant_core::math::{Mat3, Vec3};

use crate::asset::LatticeAsset;
use crate::params::ShapeMatching;
use crate::step::rotation::newton::best_rotation_near;

/// Places, squares and products.
const TERMS: usize = 9;

/// Determinant of a linear map below which its volume is not restored.
const MIN_VOLUME_RATIO: f64 = 1e-3;

/// Eigenvalue, as a share of the largest, below which a body has no extent along a term.
const FLAT: f64 = 1e-10;

type Basis = SVector<f64, TERMS>;

type Map = SMatrix<f64, 3, TERMS>;

/// One region for the whole body, with its buffers.
#[derive(Debug, Clone)]
pub(crate) struct GlobalShapeMatching {
    kind: ShapeMatching,
    /// `b(q)` of each particle; places are in units of `size`
    basis: Vec<Basis>,
    /// `(Σ m b bᵀ)⁻¹`, 1/kg
    inverse: SMatrix<f64, TERMS, TERMS>,
    /// half the longest side of the body, m
    size: f64,
    rotation: UnitQuaternion<f64>,
    /// relative to the centre that the last match was given, m
    pub goals: Vec<Vec3>,
}

impl GlobalShapeMatching {
    /// `None` for a lattice.
    pub fn new(asset: &LatticeAsset, kind: ShapeMatching) -> Option<Self> {
        let terms = match kind {
            ShapeMatching::Lattice => return None,
            ShapeMatching::Rigid | ShapeMatching::Linear { .. } => 3,
            ShapeMatching::Quadratic { .. } => TERMS,
        };
        let mass: f64 = asset.mass.iter().sum();
        let mean = |value: &dyn Fn(usize) -> Basis| -> Basis {
            let each = asset.mass.iter().enumerate();
            each.map(|(p, m)| value(p) * *m).sum::<Basis>() / mass
        };
        let mass_center = asset.center_of_mass(&asset.rest);
        let extents = asset.rest.iter().map(|x| (x - mass_center).amax());
        let size = extents.fold(f64::MIN_POSITIVE, f64::max);
        let raw_basis = |p: usize| {
            let [x, y, z]: [f64; 3] = ((asset.rest[p] - mass_center) / size).into();
            let all = [x, y, z, x * x, y * y, z * z, x * y, y * z, z * x];
            Basis::from_fn(|k, _| if k < terms { all[k] } else { 0.0 })
        };
        let offset = mean(&raw_basis);
        let basis: Vec<Basis> = (0..asset.particle_count())
            .map(|p| raw_basis(p) - offset)
            .collect();
        let mut moments = SMatrix::<f64, TERMS, TERMS>::zeros();
        for (b, m) in basis.iter().zip(&asset.mass) {
            moments += b * b.transpose() * *m;
        }
        let eigen = SymmetricEigen::new(moments);
        let largest = eigen.eigenvalues.max();
        let mut inverse = SMatrix::zeros();
        for (k, value) in eigen.eigenvalues.iter().enumerate() {
            if *value > FLAT * largest {
                let axis = eigen.eigenvectors.column(k);
                inverse += axis * axis.transpose() / *value;
            }
        }
        Some(Self {
            kind,
            goals: vec![Vec3::zeros(); basis.len()],
            basis,
            inverse,
            size,
            rotation: UnitQuaternion::identity(),
        })
    }

    /// Finds the goals of positions `x` (m), relative to `center`.
    pub fn fit(&mut self, asset: &LatticeAsset, x: &[Vec3], center: &Vec3) {
        let mass_center = asset.center_of_mass(x);
        let mut moments = Map::zeros();
        for ((b, m), x) in self.basis.iter().zip(&asset.mass).zip(x) {
            moments += (x - mass_center) * b.transpose() * *m;
        }
        let linear_moments: Mat3 = moments.fixed_columns::<3>(0).into_owned();
        self.rotation = best_rotation_near(&linear_moments, &self.rotation);
        let rotation = self.rotation.to_rotation_matrix().into_inner() * self.size;
        let mut rigid = Map::zeros();
        rigid.fixed_columns_mut::<3>(0).copy_from(&rotation);
        let free = moments * self.inverse;
        let map = match self.kind {
            ShapeMatching::Lattice | ShapeMatching::Rigid => rigid,
            ShapeMatching::Linear { beta } => {
                let a: Mat3 = free.fixed_columns::<3>(0) / self.size;
                let volume = a.determinant();
                let free = match volume > MIN_VOLUME_RATIO {
                    true => free / volume.cbrt(),
                    false => rigid,
                };
                free * beta + rigid * (1.0 - beta)
            }
            ShapeMatching::Quadratic { beta } => free * beta + rigid * (1.0 - beta),
        };
        for (goal, b) in self.goals.iter_mut().zip(&self.basis) {
            *goal = map * b + mass_center - center;
        }
    }
}
