//! Initial poses of the copies of a body.

use nalgebra::{Unit, UnitQuaternion};
use toml::Value;

use crate::contact::Pose;
use crate::math::Vec3;
use crate::math::random::SplitMix64;
use crate::scene::error::SceneError;
use crate::scene::text::Reader;

/// Most copies of a body.
const MAX_COPIES: usize = 5000;
/// Default distance between copies, in multiples of the longest side of the body.
const DEFAULT_SPACING: f64 = 1.25;

/// Copies of a body on a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct LayoutDescription {
    /// Number of bodies.
    pub count: usize,
    /// Number of places along x, y and z.
    pub grid: [usize; 3],
    /// Distance between places, m; `None` follows from the size of the body.
    pub spacing: Option<f64>,
    /// Centre of the lowest layer, added to the coordinates of the body, m.
    pub origin: Vec3,
    /// Largest random offset along each axis, m.
    pub jitter: f64,
    /// Largest random rotation, about random axes, degrees.
    pub turn: f64,
}

impl LayoutDescription {
    /// A pose for each body: x first, then z, then the next layer above. `longest` is the longest side of the body (m); the same `seed` gives the same
    /// places on every machine.
    pub fn places(&self, longest: f64, seed: u64) -> Vec<Pose> {
        let spacing = self.spacing.unwrap_or(DEFAULT_SPACING * longest);
        let [nx, _, nz] = self.grid.map(|n| n.max(1));
        let centred = |i: usize, n: usize| i as f64 - 0.5 * (n - 1) as f64;
        (0..self.count)
            .map(|k| {
                let seed = seed ^ (k as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let mut random = SplitMix64(seed);
                let (i, j, layer) = (k % nx, k / nx % nz, k / (nx * nz));
                let grid = Vec3::new(centred(i, nx), layer as f64, centred(j, nz));
                let offset = random.vector() * self.jitter;
                let axis = Unit::try_new(random.vector(), 1e-6).unwrap_or(Vec3::y_axis());
                let angle = random.signed() * self.turn.to_radians();
                Pose {
                    position: self.origin + grid * spacing + offset,
                    orientation: UnitQuaternion::from_axis_angle(&axis, angle),
                }
            })
            .collect()
    }
}

/// Reads `count` and `layout` of a body; `None` where it has neither.
pub(crate) fn read_layout(body: &Reader<'_>) -> Result<Option<LayoutDescription>, SceneError> {
    let count = body.get("count").map(number_of_copies);
    if count == Some(None) {
        let text = format!("must be a whole number from 1 to {MAX_COPIES}");
        return Err(body.bad("count", text));
    }
    let count = count.flatten();
    let Some(layout) = body.table("layout") else {
        return Ok(count.map(|count| {
            let side = (1..).find(|n| n * n * n >= count).unwrap_or(1);
            LayoutDescription {
                count,
                grid: [side; 3],
                spacing: None,
                origin: Vec3::zeros(),
                jitter: 0.0,
                turn: 0.0,
            }
        }));
    };
    let numbers = layout.get("grid").and_then(Value::as_array);
    let numbers = numbers.and_then(|grid| grid.iter().map(number_of_copies).collect());
    let grid = numbers.and_then(|grid: Vec<usize>| <[usize; 3]>::try_from(grid).ok());
    let grid = grid.filter(|grid| grid.iter().product::<usize>() <= MAX_COPIES);
    let grid = grid.ok_or_else(|| {
        let text =
            format!("must be three whole numbers from 1, with a product of at most {MAX_COPIES}");
        layout.bad("grid", text)
    })?;
    let places: usize = grid.iter().product();
    let count = count.unwrap_or(places);
    if count > places {
        return Err(body.bad(
            "count",
            format!("is {count}, but layout.grid has {places} places\n  remedy: enlarge the grid"),
        ));
    }
    Ok(Some(LayoutDescription {
        count,
        grid,
        spacing: layout.length("spacing")?,
        origin: layout.vector("origin")?.unwrap_or_else(Vec3::zeros),
        jitter: layout
            .number_in("jitter", (0.0, 100.0), "m")?
            .unwrap_or(0.0),
        turn: layout
            .number_in("turn", (0.0, 180.0), "degrees")?
            .unwrap_or(0.0),
    }))
}

/// A whole number from 1 to [`MAX_COPIES`].
fn number_of_copies(value: &Value) -> Option<usize> {
    let n = usize::try_from(value.as_integer()?).ok()?;
    (1..=MAX_COPIES).contains(&n).then_some(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_fill_layers_and_follow_the_seed() {
        let layout = LayoutDescription {
            count: 5,
            grid: [2, 2, 2],
            spacing: Some(0.5),
            origin: Vec3::new(0.0, 1.0, 0.0),
            jitter: 0.0,
            turn: 0.0,
        };
        let at: Vec<Vec3> = layout.places(9.0, 1).iter().map(|p| p.position).collect();
        assert_eq!(at[0], Vec3::new(-0.25, 1.0, -0.25));
        assert_eq!(at[1], Vec3::new(0.25, 1.0, -0.25));
        assert_eq!(at[2], Vec3::new(-0.25, 1.0, 0.25));
        assert_eq!(at[4], Vec3::new(-0.25, 1.5, -0.25));
        let jittered = LayoutDescription {
            jitter: 0.1,
            turn: 90.0,
            ..layout.clone()
        };
        let (one, same, other) = (
            jittered.places(1.0, 7),
            jittered.places(1.0, 7),
            jittered.places(1.0, 8),
        );
        assert_eq!(one, same);
        assert_ne!(one, other);
        for (pose, at) in one.iter().zip(&at) {
            assert!((pose.position - at).amax() <= 0.1);
            assert!(pose.orientation.angle() <= 0.5 * std::f64::consts::PI + 1e-12);
        }
    }
}
