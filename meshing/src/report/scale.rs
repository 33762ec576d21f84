//! Checks whether a file is in metres and near its origin.

use pliant_core::math::bounds::Aabb;
use pliant_core::math::numbers::decimal;
use pliant_core::mesh::SurfaceMesh;

use super::list::{List, Location};
use crate::repair::error::length;

/// Largest side, m, above which a body is suspected to be in millimetres, and below which it is suspected to be in some larger unit.
const MAX_LENGTH: f64 = 20.0;
const MIN_LENGTH: f64 = 1e-3;
/// Largest distance from the origin, in diagonals, at which coordinates still have enough digits.
const MAX_ORIGIN_DISTANCE: f64 = 1e4;
/// The same for a mesh without a size, all of whose vertices are at one place, units of the file.
const MAX_DISTANCE_OF_POINT: f64 = 1e6;

/// Whether this length of the longest side (m) is likely for a body; otherwise the unit is probably wrong.
pub fn is_likely_length(longest: f64) -> bool {
    (MIN_LENGTH..=MAX_LENGTH).contains(&longest)
}

/// Suspects a unit other than metres, and coordinates that lack digits.
pub(super) fn suspect(raw: &SurfaceMesh, list: &mut List) {
    let used = raw.triangles.iter().flatten();
    let finite = used.filter_map(|&v| {
        raw.positions
            .get(v as usize)
            .filter(|p| p.amax().is_finite())
    });
    let bounds = Aabb::of_points(finite);
    if bounds.is_empty() {
        return;
    }
    let longest = bounds.size().max();
    if longest > 0.0 && !is_likely_length(longest) {
        let in_millimetres = longest * 1e-3;
        let guess = if is_likely_length(in_millimetres) {
            format!("in millimetres it would be {in_millimetres:.3} m")
        } else if longest > MAX_LENGTH {
            "it would be large in millimetres, too".to_string()
        } else {
            "the unit may be larger than a metre".to_string()
        };
        list.add(
            "ScaleSuspicious",
            1,
            format!(
                "the longest side is {}, which in metres is unlikely: {guess}",
                decimal(longest)
            ),
            "give the unit to other commands with --units mm, cm, m or in; scenes scale a mesh to 0.3 m without it",
            Location::default(),
        );
    }
    let (away, diagonal) = (bounds.center().norm(), bounds.diagonal());
    let lost = match diagonal > 0.0 {
        true if away > MAX_ORIGIN_DISTANCE * diagonal => format!(
            "{} times its size: its coordinates lack precision",
            decimal(away / diagonal)
        ),
        false if away > MAX_DISTANCE_OF_POINT => {
            "where its coordinates have lost their digits: all vertices are at one place".into()
        }
        _ => return,
    };
    list.add(
        "FarFromOrigin",
        1,
        format!("the mesh is {} away from the origin, {lost}", length(away)),
        "move it to the origin before it is exported",
        Location::default(),
    );
}
