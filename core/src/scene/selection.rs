//! Selections of the vertices that a support or a grab holds.

use toml::Value;

use crate::math::Vec3;
use crate::math::bounds::Aabb;
use crate::mesh::SurfaceMesh;
use crate::scene::error::SceneError;
use crate::scene::text::Reader;

/// A set of skin vertices, described in rest coordinates (m).
#[derive(Debug, Clone, PartialEq)]
pub enum Selection {
    /// Everything in an axis-aligned box.
    Box {
        /// Smallest corner.
        min: [f64; 3],
        /// Largest corner.
        max: [f64; 3],
    },
    /// Everything in a ball.
    Sphere {
        /// Centre.
        center: [f64; 3],
        /// Radius.
        radius: f64,
    },
    /// Everything on the side of a plane that its normal points to.
    HalfSpace {
        /// A point of the plane.
        point: [f64; 3],
        /// Direction, any length.
        normal: [f64; 3],
    },
    /// Skin vertices by number.
    List(Vec<u32>),
    /// A named vertex group of the mesh.
    Group(String),
    /// Everything below `y_min + f (y_max − y_min)` of the skin.
    Lowest(f64),
}

impl Selection {
    /// Whether a geometric selection contains `point`; `None` for lists and groups, which name skin vertices. `bounds` are those of
    /// the skin.
    ///
    /// Points on the border count, with a tolerance of 1e-9 of the diagonal.
    pub fn contains(&self, point: &Vec3, bounds: &Aabb) -> Option<bool> {
        self.contains_within(point, bounds, 0.0)
    }

    /// Whether the selection, grown by `margin` (m) on all sides, contains a point; `None` for lists and groups.
    pub fn contains_within(&self, point: &Vec3, bounds: &Aabb, margin: f64) -> Option<bool> {
        let tolerance = margin + 1e-9 * bounds.diagonal();
        match self {
            Self::Box { min, max } => {
                let grown = Aabb::of_corners(*min, *max).inflated(tolerance);
                Some(grown.contains(point))
            }
            Self::Sphere { center, radius } => {
                Some((point - Vec3::from(*center)).norm() <= radius + tolerance)
            }
            Self::HalfSpace { point: p, normal } => {
                let n = Vec3::from(*normal);
                Some((point - Vec3::from(*p)).dot(&n) >= -tolerance * n.norm())
            }
            Self::Lowest(f) => {
                Some(point.y <= bounds.min.y + f * (bounds.max.y - bounds.min.y) + tolerance)
            }
            Self::List(_) | Self::Group(_) => None,
        }
    }

    /// The selected skin vertices, ascending; empty where no vertex is selected or the group does not exist.
    pub fn skin_vertices(&self, skin: &SurfaceMesh) -> Vec<u32> {
        match self {
            Self::List(ids) => {
                let mut ids: Vec<u32> = ids
                    .iter()
                    .copied()
                    .filter(|&v| (v as usize) < skin.vertex_count())
                    .collect();
                ids.sort_unstable();
                ids.dedup();
                ids
            }
            Self::Group(name) => skin.group(name).map(<[u32]>::to_vec).unwrap_or_default(),
            _ => {
                let bounds = skin.bounds();
                (0..skin.vertex_count() as u32)
                    .filter(|&v| {
                        self.contains(&skin.positions[v as usize], &bounds)
                            .unwrap_or(false)
                    })
                    .collect()
            }
        }
    }
}

/// Reads a `select` table.
pub(crate) fn read_selection(at: &Reader<'_>) -> Result<Selection, SceneError> {
    let (kind, value) = at.only_entry()?;
    match kind {
        "box" => {
            let inner = at.required_table("box")?;
            Ok(Selection::Box {
                min: inner.required_vector("min")?.into(),
                max: inner.required_vector("max")?.into(),
            })
        }
        "sphere" => {
            let inner = at.required_table("sphere")?;
            Ok(Selection::Sphere {
                center: inner.required_vector("center")?.into(),
                radius: inner.required_number("radius")?,
            })
        }
        "half_space" => {
            let inner = at.required_table("half_space")?;
            let normal = inner.required_direction("normal")?;
            Ok(Selection::HalfSpace {
                point: inner.required_vector("point")?.into(),
                normal: normal.into(),
            })
        }
        "list" => {
            let id = |i: &Value| i.as_integer().and_then(|n| u32::try_from(n).ok());
            let ids = value.as_array();
            let ids = ids.and_then(|ids| ids.iter().map(id).collect());
            ids.map(Selection::List)
                .ok_or_else(|| at.bad("list", "must be a list of skin vertex numbers"))
        }
        "group" => Ok(Selection::Group(at.required_text("group")?.to_string())),
        _ => {
            let share = at.number_in("lowest", (0.0, 1.0), "")?;
            Ok(Selection::Lowest(share.unwrap_or(0.0)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::procedural::{CellStyle, box_surface};

    #[test]
    fn the_lowest_twentieth_of_a_box_is_its_bottom_face() {
        let skin = box_surface(Vec3::new(0.2, 0.1, 0.2), [4, 4, 4], CellStyle::Kuhn);
        let lowest = Selection::Lowest(0.05).skin_vertices(&skin);
        assert_eq!(lowest.len(), 25);
        let wall = Selection::HalfSpace {
            point: [0.0, -0.0499, 0.0],
            normal: [0.0, -1.0, 0.0],
        };
        assert_eq!(wall.skin_vertices(&skin), lowest);
        assert!(
            Selection::Group("none".into())
                .skin_vertices(&skin)
                .is_empty()
        );
        assert_eq!(
            Selection::List(vec![7, 3, 7, 100_000]).skin_vertices(&skin),
            vec![3, 7]
        );
    }
}
