//! Laws of hierarchical matrices.

use pliant_core::asset::Progress;
use pliant_core::math::{Mat3, Vec3};

use super::{HierarchicalMatrix, HierarchicalReport, HierarchicalSpec};

mod accuracy;
mod format;
mod shapes;
mod sums;

/// Positions with compliances such as those of a body that is held at its lower end: Kelvin's solution for a force inside an infinite
/// solid, without its pole, plus bending of the whole.
struct Body {
    positions: Vec<Vec3>,
}

impl Body {
    /// Points on an ellipsoid of 20 cm, in a spiral.
    fn ellipsoid(n: usize) -> Self {
        let point = |k: usize| {
            let y = 1.0 - (2.0 * k as f64 + 1.0) / n as f64;
            let (r, turn) = ((1.0 - y * y).sqrt(), 2.399_963 * k as f64);
            Vec3::new(0.06 * r * turn.cos(), 0.1 * y, 0.05 * r * turn.sin())
        };
        Self {
            positions: (0..n).map(point).collect(),
        }
    }

    fn block(&self, i: usize, j: usize) -> Mat3 {
        let (x, y) = (self.positions[i], self.positions[j]);
        let (shear, poisson, size) = (4e4, 0.3, 0.004_f64);
        let d = x - y;
        let r = d.norm().hypot(size);
        let kelvin = (Mat3::identity() * (3.0 - 4.0 * poisson) + d * d.transpose() / (r * r))
            / (16.0 * std::f64::consts::PI * shear * (1.0 - poisson) * r);
        let bend = |p: Vec3| {
            let h = 0.1 + p.y;
            Mat3::new(h * h, 0.0, 0.0, -h * p.x, 0.0, -h * p.z, 0.0, 0.0, h * h)
        };
        kelvin + bend(x) * bend(y).transpose() * 3.0
    }

    fn compress(&self, spec: &HierarchicalSpec) -> (HierarchicalMatrix, HierarchicalReport) {
        let block = |i: usize, j: usize| self.block(i, j);
        HierarchicalMatrix::compress(&self.positions, block, spec, &Progress::new())
            .expect("a sound matrix")
    }
}

fn spec(rms_error: f64) -> HierarchicalSpec {
    HierarchicalSpec {
        rms_error,
        ..HierarchicalSpec::default()
    }
}

/// Forces that look random.
fn forces(nodes: usize, count: usize) -> Vec<(u32, Vec3)> {
    let force = |k: usize| {
        let x = k as f64;
        let force = Vec3::new((1.7 * x).sin(), (2.9 * x).cos(), 0.3 + (0.7 * x).sin());
        ((k * 7919 % nodes) as u32, force)
    };
    (0..count).map(force).collect()
}
