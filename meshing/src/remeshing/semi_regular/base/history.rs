//! The map between a surface and its base: every step of the decimation as two triangulations of one plane polygon.
//!
//! Successive self-parameterisation (Liu, Zhang, Ben-Chen and Jacobson 2021): a point in a triangle after a step is a point in the polygon, which is a
//! point in a triangle before it. Going through the steps backwards takes any point on the base to one on the surface. Since the outlines agree, the whole map is
//! one to one.

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::mesh::surface::SurfacePoint;

/// A point of a plane.
pub(crate) type Planar = [f64; 2];

/// A triangle of a step: its number, and its corners in the plane in the order in which the surface lists them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlanarTriangle {
    pub(crate) face: u32,
    pub(crate) corners: [Planar; 3],
}

/// All steps so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct History {
    triangles: Vec<PlanarTriangle>,
    /// ends of the triangles before and after each step in `triangles`
    ends: Vec<[u32; 2]>,
}

/// Twice the signed area of a plane triangle.
pub(crate) fn doubled_area([a, b, c]: [Planar; 3]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Signed quality of a plane triangle: 1 for an equilateral one, 0 for one without area, negative for a flipped one.
pub(crate) fn planar_quality(corners: [Planar; 3]) -> f64 {
    let [a, b, c] = corners;
    let squared = |p: Planar, q: Planar| (p[0] - q[0]).powi(2) + (p[1] - q[1]).powi(2);
    let lengths = squared(a, b) + squared(b, c) + squared(c, a);
    2.0 * 3.0_f64.sqrt() * doubled_area(corners) / lengths.max(f64::MIN_POSITIVE)
}

impl History {
    /// Adds a step.
    pub(crate) fn push(
        &mut self,
        before: impl Iterator<Item = PlanarTriangle>,
        after: impl Iterator<Item = PlanarTriangle>,
    ) {
        self.triangles.extend(before);
        let middle = self.triangles.len() as u32;
        self.triangles.extend(after);
        self.ends.push([middle, self.triangles.len() as u32]);
    }

    /// Takes points on the base back to the surface with `faces` triangles. Cost: about 20 n log(n / base) point locations.
    pub(crate) fn rewind(
        &self,
        faces: usize,
        points: &mut [SurfacePoint],
        progress: &Progress,
    ) -> Result<(), Cancelled> {
        let mut on_face: Vec<Vec<u32>> = vec![Vec::new(); faces];
        for (k, p) in points.iter().enumerate() {
            on_face[p.triangle as usize].push(k as u32);
        }
        let mut moving: Vec<(u32, Planar)> = Vec::new();
        for step in (0..self.ends.len()).rev() {
            if step % 1024 == 0 {
                progress.check()?;
                progress.set_fraction(1.0 - step as f64 / self.ends.len() as f64);
            }
            let from = if step == 0 { 0 } else { self.ends[step - 1][1] } as usize;
            let [middle, end] = self.ends[step].map(|e| e as usize);
            let (before, after) = (&self.triangles[from..middle], &self.triangles[middle..end]);
            moving.clear();
            for triangle in after {
                for k in on_face[triangle.face as usize].drain(..) {
                    let w = points[k as usize].weights;
                    let along = |d: usize| (0..3).map(|c| w[c] * triangle.corners[c][d]).sum();
                    moving.push((k, [along(0), along(1)]));
                }
            }
            for &(k, at) in &moving {
                let place = locate(before, at);
                points[k as usize] = place;
                on_face[place.triangle as usize].push(k);
            }
        }
        Ok(())
    }
}

/// The point in one of `triangles` that is `at` in the plane, or nearest to it by weights.
fn locate(triangles: &[PlanarTriangle], at: Planar) -> SurfacePoint {
    let mut best = SurfacePoint {
        triangle: triangles.first().map_or(0, |t| t.face),
        weights: [1.0, 0.0, 0.0],
    };
    let mut best_weight = f64::NEG_INFINITY;
    for triangle in triangles {
        let [a, b, c] = triangle.corners;
        let total = doubled_area(triangle.corners);
        let weights = [[at, b, c], [a, at, c], [a, b, at]].map(|t| doubled_area(t) / total);
        let smallest = weights[0].min(weights[1]).min(weights[2]);
        if smallest > best_weight {
            best_weight = smallest;
            best = SurfacePoint {
                triangle: triangle.face,
                weights,
            };
        }
        if smallest >= 0.0 {
            break;
        }
    }
    // rounding may leave it a little outside: no error may grow over many steps
    let inside = best.weights.map(|w| w.max(0.0));
    let sum: f64 = inside.iter().sum();
    best.weights = inside.map(|w| w / sum);
    best
}
