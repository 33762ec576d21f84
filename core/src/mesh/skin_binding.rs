//! How a skin hangs on something coarser, told once, so that a graphics card can bend the skin from a few moving points alone.

use crate::math::{Mat3, Vec3};

/// A skin in cells with a control point at each of their eight corners.
///
/// A vertex at the place `t` of its cell (each coordinate 0 to 1, outside of a cell beyond) is `x(t) = Σ φ_k(t) x_k` with the trilinear weights
/// `φ_k`, and a surface with the normal `N` in coordinates of the cell has the normal `cof(∂x/∂t) N` there.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SkinBinding {
    /// Control points of each vertex; corner `b` lies at (b & 1, b >> 1 & 1, b >> 2) in the cell.
    pub corners: Vec<[u32; 8]>,
    /// Place of each vertex in its cell, edges of a cell.
    pub places: Vec<[f32; 3]>,
    /// Control points at rest, world, m.
    pub rest: Vec<Vec3>,
}

impl SkinBinding {
    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.corners.len().min(self.places.len())
    }

    /// Number of control points.
    pub fn control_count(&self) -> usize {
        self.rest.len()
    }

    /// Adds the vertices and control points of another binding behind its own: skins of several bodies in one.
    pub fn append(&mut self, other: &Self) {
        let first = self.rest.len() as u32;
        let moved = other.corners.iter().map(|c| c.map(|p| p + first));
        self.corners.extend(moved);
        self.places.extend_from_slice(&other.places);
        self.rest.extend_from_slice(&other.rest);
    }

    /// A world normal of the skin at rest at vertex `vertex`, in coordinates of its cell and of unit length; the normal itself where the vertex
    /// or a control point does not exist or the cell has no volume.
    pub fn cell_normal(&self, vertex: usize, world: &Vec3) -> Vec3 {
        // cof(F) N ∥ n has the solution N ∥ Fᵀ n
        let turned = self
            .jacobian_at_rest(vertex)
            .map(|f| f.transpose() * world)
            .and_then(|n| n.try_normalize(0.0));
        turned.unwrap_or(*world)
    }

    /// `∂x/∂t` of a vertex at rest, m.
    fn jacobian_at_rest(&self, vertex: usize) -> Option<Mat3> {
        let (corners, place) = (self.corners.get(vertex)?, self.places.get(vertex)?);
        let mut f = Mat3::zeros();
        for (b, &corner) in corners.iter().enumerate() {
            let share = |k: usize| {
                let t = f64::from(place[k]);
                if b >> k & 1 == 1 { t } else { 1.0 - t }
            };
            let slope = |k: usize| if b >> k & 1 == 1 { 1.0 } else { -1.0 };
            let gradient = Vec3::new(
                slope(0) * share(1) * share(2),
                share(0) * slope(1) * share(2),
                share(0) * share(1) * slope(2),
            );
            f += self.rest.get(corner as usize)? * gradient.transpose();
        }
        (f.determinant() > 0.0).then_some(f)
    }
}

/// Control points at one instant in single precision, about a point near them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ControlPoints {
    /// What `offsets` count from, world, m; each coordinate is a number of single precision.
    pub center: Vec3,
    /// Control points relative to `center`, m.
    pub offsets: Vec<[f32; 3]>,
}

impl ControlPoints {
    /// Empties the list and has further points counted from about `center` (world, m).
    pub fn begin(&mut self, center: &Vec3) {
        self.center = center.map(|c| f64::from(c as f32));
        self.offsets.clear();
    }

    /// Adds control points at `positions` (world, m).
    pub fn extend(&mut self, positions: &[Vec3]) {
        let center = self.center;
        let offset = |x: &Vec3| -> [f32; 3] { (x - center).cast::<f32>().into() };
        self.offsets.extend(positions.iter().map(offset));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Rotation3;

    /// One cell of edge 0.5, turned and moved, with a vertex beyond one of its faces.
    fn binding(turn: &Rotation3<f64>, shift: Vec3) -> SkinBinding {
        let corner = |b: usize| Vec3::new((b & 1) as f64, (b >> 1 & 1) as f64, (b >> 2) as f64);
        SkinBinding {
            corners: vec![[0, 1, 2, 3, 4, 5, 6, 7]],
            places: vec![[0.25, 1.125, 0.5]],
            rest: (0..8).map(|b| turn * corner(b) * 0.5 + shift).collect(),
        }
    }

    #[test]
    fn a_normal_turns_back_with_its_body() {
        let turn = Rotation3::from_scaled_axis(Vec3::new(0.3, -1.2, 0.7));
        let binding = binding(&turn, Vec3::new(3.0, -2.0, 1.0));
        let normal = Vec3::new(0.6, 0.0, 0.8);
        let found = binding.cell_normal(0, &(turn * normal));
        assert!((found - normal).norm() < 1e-12, "{found}");
        assert_eq!(binding.cell_normal(5, &normal), normal, "no such vertex");
    }

    #[test]
    fn an_appended_body_has_its_own_control_points() {
        let mut both = binding(&Rotation3::identity(), Vec3::zeros());
        both.append(&binding(&Rotation3::identity(), Vec3::x()));
        assert_eq!((both.vertex_count(), both.control_count()), (2, 16));
        assert_eq!(both.corners[1], [8, 9, 10, 11, 12, 13, 14, 15]);
        assert_eq!(both.rest[8], Vec3::x());
    }

    #[test]
    fn far_from_the_origin_offsets_keep_what_single_precision_would_lose() {
        let mut points = ControlPoints::default();
        let far = Vec3::new(1000.1, -2000.2, 0.3);
        points.begin(&far);
        let x = far + Vec3::new(1e-6, 2e-6, 3e-6);
        points.extend(&[x]);
        let offset = Vec3::from(points.offsets[0].map(f64::from));
        assert!((points.center + offset - x).norm() < 1e-11);
        assert_eq!(points.center.cast::<f32>().cast::<f64>(), points.center);
    }
}
