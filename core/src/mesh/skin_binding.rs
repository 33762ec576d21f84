//! Binding of a skin to control points, so that a graphics card can deform the skin from the positions of these few points alone.

use crate::math::{Mat3, Vec3};

/// A skin in cells with a control point at each of their eight corners.
///
/// A vertex with the coordinates `t` in its cell (0 to 1 inside) is at `x(t) = Σ φ_k(t) x_k` with the trilinear weights
/// `φ_k`. A surface with the normal `N` in coordinates of the cell has the normal `cof(∂x/∂t) N` there.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SkinBinding {
    /// Control points of each vertex; corner `b` lies at (b & 1, b >> 1 & 1, b >> 2) in the cell.
    pub corners: Vec<[u32; 8]>,
    /// Coordinates of each vertex in its cell, in edges of a cell.
    pub cell_coordinates: Vec<[f32; 3]>,
    /// Control points at rest, world, m.
    pub rest: Vec<Vec3>,
}

impl SkinBinding {
    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.corners.len().min(self.cell_coordinates.len())
    }

    /// Number of control points.
    pub fn control_count(&self) -> usize {
        self.rest.len()
    }

    /// Appends the vertices and control points of another binding: skins of several bodies in one.
    pub fn append(&mut self, other: &Self) {
        let first = self.rest.len() as u32;
        let moved = other.corners.iter().map(|c| c.map(|p| p + first));
        self.corners.extend(moved);
        self.cell_coordinates
            .extend_from_slice(&other.cell_coordinates);
        self.rest.extend_from_slice(&other.rest);
    }

    /// Transforms a normal of the skin at rest (world) at `vertex` to coordinates of its cell, with unit length. The normal itself where the vertex
    /// or a control point does not exist, or the cell has no volume.
    pub fn cell_normal(&self, vertex: usize, world: &Vec3) -> Vec3 {
        // cof(F) N ∥ n has the solution N ∥ Fᵀ n
        let transformed = self
            .jacobian_at_rest(vertex)
            .map(|f| f.transpose() * world)
            .and_then(|n| n.try_normalize(0.0));
        transformed.unwrap_or(*world)
    }

    /// Jacobian `∂x/∂t` of a vertex at rest, m.
    fn jacobian_at_rest(&self, vertex: usize) -> Option<Mat3> {
        let corners = self.corners.get(vertex)?;
        let t = Vec3::from(self.cell_coordinates.get(vertex)?.map(f64::from));
        let mut f = Mat3::zeros();
        for (b, &corner) in corners.iter().enumerate() {
            let (_, gradient) = trilinear(b, &t);
            f += self.rest.get(corner as usize)? * gradient.transpose();
        }
        (f.determinant() > 0.0).then_some(f)
    }
}

/// Trilinear weight `φ_b = w_0 w_1 w_2` of corner `b` (0 to 7) at the coordinates `t` (0 to 1) in a cell, and its gradient `∂φ_b/∂t`. `w_k` is `t_k` where bit `k` of `b` is set, and `1 − t_k` elsewhere.
pub fn trilinear(b: usize, t: &Vec3) -> (f64, Vec3) {
    let weight = |k: usize| if b >> k & 1 == 1 { t[k] } else { 1.0 - t[k] };
    let slope = |k: usize| if b >> k & 1 == 1 { 1.0 } else { -1.0 };
    let gradient = Vec3::new(
        slope(0) * weight(1) * weight(2),
        weight(0) * slope(1) * weight(2),
        weight(0) * weight(1) * slope(2),
    );
    (weight(0) * weight(1) * weight(2), gradient)
}

/// Control points at one instant, in single precision relative to a point near them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ControlPoints {
    /// Origin of `offsets`, world, m; each coordinate is a number of single precision.
    pub center: Vec3,
    /// Control points relative to `center`, m.
    pub offsets: Vec<[f32; 3]>,
}

impl ControlPoints {
    /// Clears the list; further points are stored relative to `center` (world, m), rounded to single precision.
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
            cell_coordinates: vec![[0.25, 1.125, 0.5]],
            rest: (0..8).map(|b| turn * corner(b) * 0.5 + shift).collect(),
        }
    }

    #[test]
    fn a_normal_in_its_cell_does_not_depend_on_the_rotation_of_the_body() {
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
    fn offsets_far_from_the_origin_keep_digits_that_single_precision_would_lose() {
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
