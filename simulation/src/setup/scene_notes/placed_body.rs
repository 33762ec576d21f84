//! The bodies of a scene in their places.

use std::cell::OnceCell;

use pliant_core::contact::Pose;
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Ray;
use pliant_core::mesh::{SurfaceMesh, TriangleTree};

use crate::setup::scene_setup::Setup;

/// A direction in general position: a ray along it meets an edge only by chance.
const RAY_DIRECTION: Vec3 = Vec3::new(0.571, 1.237, -0.893);

/// A body in its place.
pub(super) struct PlacedBody<'a> {
    /// from 1, among all bodies
    pub(super) number: usize,
    pub(super) kind: &'a Setup,
    pub(super) place: Pose,
    /// of the skin of its kind, once it is needed
    tree: &'a OnceCell<TriangleTree>,
}

impl<'a> PlacedBody<'a> {
    /// All bodies of a scene, in their order; `trees` has a place for that of each kind.
    pub(super) fn all(setup: &'a Setup, trees: &'a [OnceCell<TriangleTree>]) -> Vec<Self> {
        let mut bodies = Vec::new();
        for (kind, tree) in setup.kinds().zip(trees) {
            let alone = [Pose::at(Vec3::zeros())];
            let places = match kind.places.is_empty() {
                true => &alone[..],
                false => &kind.places[..],
            };
            for place in places {
                bodies.push(Self {
                    number: bodies.len() + 1,
                    kind,
                    place: *place,
                    tree,
                });
            }
        }
        bodies
    }

    pub(super) fn name(&self) -> &'a str {
        &self.kind.description.body.name
    }

    pub(super) fn skin(&self) -> &'a SurfaceMesh {
        &self.kind.geometry.skin
    }

    /// The tree of its skin, in coordinates of the body.
    pub(super) fn tree(&self) -> &'a TriangleTree {
        let skin = self.skin();
        let tree = || TriangleTree::new(&skin.positions, &skin.triangles);
        self.tree.get_or_init(tree)
    }

    /// Whether a point (m, in coordinates of the body) is inside: a ray from there leaves through the first triangle that it meets.
    pub(super) fn contains(&self, point: &Vec3) -> bool {
        let leaves = |direction: Vec3| {
            let ray = Ray {
                origin: *point,
                direction,
            };
            self.tree().first_hit(&ray).is_some_and(|(_, hit)| {
                let [a, b, c] = self.skin().corners(hit.triangle as usize);
                (b - a).cross(&(c - a)).dot(&direction) > 0.0
            })
        };
        leaves(RAY_DIRECTION) && leaves(-RAY_DIRECTION)
    }
}
