//! Voigt's notation: components xx, yy, zz, yz, xz, xy; shear strains are the sums `∂u_y/∂z + ∂u_z/∂y` and so on, so that
//! stress times strain is twice the energy density.

use pliant_core::math::Mat3;

/// Symmetric stress or strain in Voigt's order.
pub type Voigt = [f64; 6];

/// Axes of each Voigt component.
pub const AXES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1)];

/// Strain in Voigt's notation of a displacement gradient.
pub fn strain(gradient: &Mat3) -> Voigt {
    AXES.map(|(i, j)| {
        if i == j {
            gradient[(i, i)]
        } else {
            gradient[(i, j)] + gradient[(j, i)]
        }
    })
}

/// A stress as a symmetric matrix.
pub fn symmetric(stress: &Voigt) -> Mat3 {
    let [xx, yy, zz, yz, xz, xy] = *stress;
    Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
}
