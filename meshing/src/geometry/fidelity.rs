//! Is a surface still the body that the file described?

use pliant_core::asset::{Cancelled, Progress};
use pliant_core::math::Vec3;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};
use rayon::prelude::*;

use super::winding::WindingNumber;

/// Input farther than this from the result is lost, share of the diagonal.
pub const LOST_DISTANCE: f64 = 0.01;
/// Samples of the input's surface.
const SAMPLES: usize = 6000;
/// Distance from a face at which the winding number of each side is taken, share of the diagonal.
const SIDE_OFFSET: f64 = 1e-4;
/// A face is hidden when the winding number on both of its sides is above this.
const HIDDEN_WINDING: f64 = 0.25;

/// What has become of a sample of the input.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Class {
    Near,
    Lost,
    Hidden,
    Loose,
}

/// How much of an input's surface a result still shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fidelity {
    /// Share of the input's area (0 to 1) that bounds its inside and is farther than [`LOST_DISTANCE`] diagonals from the result.
    pub lost_share: f64,
    /// Share of the area (0 to 1) that is as far, but lies inside the result and has the input's inside on both sides: inner walls, overlapping parts.
    pub hidden_share: f64,
    /// Share of the area (0 to 1) that is as far and has the outside on both sides: fins, sheets.
    pub loose_share: f64,
    /// Farthest lost point, in the unit of the input; `None` where nothing is lost.
    pub farthest: Option<[f64; 3]>,
    /// Distance of that point to the result, in the unit of the input.
    pub distance: f64,
}

/// Compares `result` with an input whose triangles are oriented consistently, by 6000 samples spread evenly over the input's area. Cost: a winding number
/// and a closest point for each sample, and the trees.
pub fn fidelity(
    input: &SurfaceMesh,
    result: &SurfaceMesh,
    progress: &Progress,
) -> Result<Fidelity, Cancelled> {
    progress.check()?;
    let diagonal = input.bounds().diagonal();
    let result_tree = TriangleTree::new(&result.positions, &result.triangles);
    let input_winding = WindingNumber::new(&input.positions, &input.triangles);
    let result_winding = WindingNumber::new(&result.positions, &result.triangles);
    let samples = even_samples(input, SAMPLES);
    progress.check()?;
    let judged: Vec<(Class, f64)> = samples
        .par_iter()
        .map(|(p, normal)| {
            let found = result_tree.closest(p);
            let distance = found.map_or(f64::INFINITY, |c| c.distance_squared.sqrt());
            if distance <= LOST_DISTANCE * diagonal {
                return (Class::Near, distance);
            }
            let offset = normal * (SIDE_OFFSET * diagonal);
            let sides = [
                input_winding.at(&(p + offset)),
                input_winding.at(&(p - offset)),
            ];
            let class = if result_winding.at(p) > 0.5 {
                if sides.iter().all(|w| *w > HIDDEN_WINDING) {
                    Class::Hidden
                } else {
                    Class::Lost
                }
            } else if sides.iter().all(|w| *w <= 0.5) {
                Class::Loose
            } else {
                Class::Lost
            };
            (class, distance)
        })
        .collect();
    let mut counts = [0_usize; 4];
    let mut farthest: Option<(f64, Vec3)> = None;
    for ((class, distance), (p, _)) in judged.iter().zip(&samples) {
        counts[*class as usize] += 1;
        if *class == Class::Lost && farthest.is_none_or(|(most, _)| *distance > most) {
            farthest = Some((*distance, *p));
        }
    }
    let share = |class: Class| counts[class as usize] as f64 / samples.len().max(1) as f64;
    Ok(Fidelity {
        lost_share: share(Class::Lost),
        hidden_share: share(Class::Hidden),
        loose_share: share(Class::Loose),
        farthest: farthest.map(|(_, p)| p.into()),
        distance: farthest.map_or(0.0, |(d, _)| d),
    })
}

/// `count` points spread evenly over the area with the unit normals there; none where there is no area.
pub(crate) fn even_samples(surface: &SurfaceMesh, count: usize) -> Vec<(Vec3, Vec3)> {
    let areas: Vec<f64> = (0..surface.triangles.len())
        .map(|t| surface.area_vector(t).norm())
        .collect();
    let total_area: f64 = areas.iter().sum();
    if !(total_area > 0.0 && total_area.is_finite()) {
        return Vec::new();
    }
    let step = total_area / count as f64;
    let mut samples = Vec::with_capacity(count);
    let mut before = 0.0;
    for (t, area) in areas.iter().enumerate() {
        // the additive recurrence of the plastic number spreads points evenly in the triangle (Roberts 2018)
        while (samples.len() as f64 + 0.5) * step < before + area {
            let k = samples.len() as f64;
            let (mut u, mut v) = (
                (0.754_877_666_246_693 * k).fract(),
                (0.569_840_290_998_053 * k).fract(),
            );
            if u + v > 1.0 {
                (u, v) = (1.0 - u, 1.0 - v);
            }
            let [a, b, c] = surface.corners(t);
            let normal = surface.area_vector(t) / *area;
            samples.push((a + (b - a) * u + (c - a) * v, normal));
        }
        before += area;
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_bodies::{inverted, join, joined, mapped};
    use crate::wrap::tests::{ball, sheet};

    fn shares(input: &SurfaceMesh, result: &SurfaceMesh) -> [f64; 3] {
        let f = fidelity(input, result, &Progress::new()).expect("not cancelled");
        [f.lost_share, f.hidden_share, f.loose_share]
    }

    #[test]
    fn a_lost_cavity_is_told_from_a_wall_inside_and_a_sheet_outside() {
        let (body, inner) = (ball(0.0), mapped(ball(0.0), |p| p * 0.5));
        assert_eq!(shares(&body, &body), [0.0; 3]);
        // the inner ball has a quarter of the area of the outer one
        let near = |a: [f64; 3], b: [f64; 3]| (0..3).all(|k| (a[k] - b[k]).abs() < 0.01);
        let cavity = join(body.clone(), &inverted(inner.clone()));
        assert!(near(shares(&cavity, &body), [0.2, 0.0, 0.0]));
        assert_eq!(shares(&cavity, &cavity), [0.0; 3]);
        assert!(near(
            shares(&join(body.clone(), &inner), &body),
            [0.0, 0.2, 0.0]
        ));
        let away = sheet(8, |s, t| Vec3::new(s + 2.0, 0.1, t));
        let both = join(body.clone(), &away);
        let share = away.area() / both.area();
        assert!(near(shares(&both, &body), [0.0, 0.0, share]));
    }

    #[test]
    fn the_place_of_a_loss_is_told_and_samples_are_even() {
        let (body, small) = (ball(0.0), mapped(ball(0.0), |p| p * 0.2));
        let input = joined(&body, &small, Vec3::y() * 3.0);
        let f = fidelity(&input, &body, &Progress::new()).expect("not cancelled");
        assert!(f.farthest.is_some_and(|p| p[1] > 3.0));
        assert!((f.distance - 2.2).abs() < 0.05);
        let samples = even_samples(&body, 1000);
        assert_eq!(samples.len(), 1000);
        let upper = samples.iter().filter(|(p, _)| p.y > 0.0).count();
        assert!((490..=510).contains(&upper), "{upper}");
        let mean = samples.iter().map(|(p, _)| p).sum::<Vec3>() / 1000.0;
        assert!(mean.norm() < 0.02);
    }
}
