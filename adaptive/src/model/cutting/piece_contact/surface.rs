//! The closed surface of a cut body, for contact.

use std::sync::Arc;

use pliant_core::math::Vec3;
use pliant_core::mesh::{Csr, SkinEmbedding, SurfaceMesh};

use super::moving_tree::nearest_axis_direction;
use crate::model::cutting::skin::CutSkin;

/// Width of grid cells with one contact point for each direction, mean edges of the tetrahedra. A tetrahedron has enough points to keep its nodes apart from what it touches, and hardly more
/// than its nodes have degrees of freedom.
const POINT_SPACING: f64 = 0.5;
/// Least height of a triangle for contact, mean edges: thinner ones have no reliable plane, and their neighbours extend over them.
const MIN_HEIGHT: f64 = 0.05;

/// The closed surface of a cut body: its triangles, and its contact points.
#[derive(Debug, Clone)]
pub(crate) struct ContactSurface {
    /// mean edge of the tetrahedra, m
    pub spacing: f64,
    /// vertices at rest, m
    pub rest: Vec<Vec3>,
    /// nodes and weights of each vertex, shared with the skin
    pub rows: Arc<SkinEmbedding>,
    /// without sharp vertices
    pub triangles: Vec<[u32; 3]>,
    /// triangles around each vertex
    pub fans: Csr,
    /// contact points, ascending, with the piece whose triangles they do not touch: uncut skin touches other pieces alone, as that of a body in one piece touches nothing
    pub points: Vec<(u32, Option<u32>)>,
    /// triangles for contact with their piece, ascending
    faces: Vec<(u32, u32)>,
    /// triangles for contact and triangles around contact points, ascending
    pub used_triangles: Vec<u32>,
    /// their corners, ascending
    pub vertices: Vec<u32>,
}

impl ContactSurface {
    /// Of a cut skin that had `whole` vertices before the cut; `pieces` are the pieces of the nodes and their number, `spacing` (m) is the mean edge of the tetrahedra.
    ///
    /// In a single piece only lips and caps may touch each other; several pieces may touch everywhere.
    pub fn new(
        skin: &CutSkin,
        whole: usize,
        (pieces, piece_count): (&[u32], usize),
        spacing: f64,
    ) -> Self {
        let SurfaceMesh {
            positions: rest,
            triangles,
            ..
        } = skin.undeformed.closed();
        let corners = (0..).zip(&triangles);
        let corners = corners.flat_map(|(t, corners)| corners.map(|v| (v, t)));
        let fans = Csr::from_pairs(rest.len(), corners);
        let mut surface = Self {
            spacing,
            points: Vec::new(),
            faces: Vec::new(),
            used_triangles: Vec::new(),
            vertices: Vec::new(),
            rest,
            rows: Arc::clone(&skin.rows),
            triangles,
            fans,
        };
        let is_cut = |v: u32| v as usize >= whole;
        let may_touch = |v: u32| piece_count > 1 || is_cut(v);
        surface.choose_points(may_touch, is_cut, pieces);
        surface.choose_faces(may_touch, pieces);
        surface.choose_used();
        surface
    }

    /// The triangles for contact: index, piece, centroid at rest (m) and normal at rest.
    pub fn resting_faces(&self) -> impl Iterator<Item = (u32, u32, Vec3, Vec3)> + Clone + '_ {
        self.faces.iter().map(|&(t, piece)| {
            let [a, b, c] = self.triangles[t as usize].map(|v| self.rest[v as usize]);
            (t, piece, (a + b + c) / 3.0, (b - a).cross(&(c - a)))
        })
    }

    /// Twice the sum of the areas around a vertex, outwards, with vertices at `at` (m); m².
    pub fn normal(&self, v: u32, at: impl Fn(u32) -> Vec3) -> Vec3 {
        let fan = self.fans.row(v as usize).iter();
        fan.map(|t| {
            let [a, b, c] = self.triangles[*t as usize].map(&at);
            (b - a).cross(&(c - a))
        })
        .sum()
    }

    /// A node of a point and one of a triangle; `None` where one of them depends on no node.
    pub fn nodes_of_pair(&self, point: u32, triangle: u32) -> Option<[u32; 2]> {
        let [corner, ..] = self.triangles[triangle as usize];
        self.nodes_of([point, corner])
    }

    /// A node of each of two vertices.
    pub fn nodes_of(&self, vertices: [u32; 2]) -> Option<[u32; 2]> {
        let node = |v: u32| self.rows.row(v as usize).0.first().copied();
        let [a, b] = vertices.map(node);
        Some([a?, b?])
    }

    /// Chooses the first vertex of each cell and direction as contact point. A cap has many vertices in an element, and each of them would be a constraint on the same few nodes.
    fn choose_points(
        &mut self,
        may_touch: impl Fn(u32) -> bool,
        is_cut: impl Fn(u32) -> bool,
        pieces: &[u32],
    ) {
        let width = POINT_SPACING * self.spacing;
        let mut keys: Vec<([i32; 5], u32)> = Vec::new();
        for v in (0..self.rest.len() as u32).filter(|v| may_touch(*v)) {
            let Some(node) = self.rows.row(v as usize).0.first() else {
                continue;
            };
            let cell = (self.rest[v as usize] / width).map(|x| x.floor() as i32);
            let normal = self.normal(v, |v| self.rest[v as usize]);
            let (direction, piece) = (
                nearest_axis_direction(&normal) as i32,
                pieces[*node as usize] as i32,
            );
            keys.push(([cell.x, cell.y, cell.z, direction, piece], v));
        }
        keys.sort_unstable();
        keys.dedup_by_key(|(key, _)| *key);
        let point = |([.., piece], v): ([i32; 5], u32)| (v, (!is_cut(v)).then_some(piece as u32));
        self.points = keys.into_iter().map(point).collect();
        self.points.sort_unstable();
    }

    fn choose_faces(&mut self, may_touch: impl Fn(u32) -> bool, pieces: &[u32]) {
        let least = MIN_HEIGHT * self.spacing;
        let is_face = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|v| self.rest[v as usize]);
            let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
            let area = (b - a).cross(&(c - a)).norm();
            let is_known = corners
                .iter()
                .all(|v| !self.rows.row(*v as usize).0.is_empty());
            is_known && corners.iter().any(|v| may_touch(*v)) && area >= least * longest
        };
        let faces = (0..).zip(&self.triangles).filter(|(_, t)| is_face(t));
        let piece = |v: u32| pieces[self.rows.row(v as usize).0[0] as usize];
        self.faces = faces.map(|(t, corners)| (t, piece(corners[0]))).collect();
    }

    fn choose_used(&mut self) {
        let mut is_used = vec![false; self.triangles.len()];
        let points = self.points.iter();
        let fans = points.flat_map(|(v, _)| self.fans.row(*v as usize));
        let faces = self.faces.iter().map(|(t, _)| t);
        for t in fans.chain(faces) {
            is_used[*t as usize] = true;
        }
        self.used_triangles = indices_of(&is_used);
        let mut is_used = vec![false; self.rest.len()];
        for v in self
            .used_triangles
            .iter()
            .flat_map(|t| self.triangles[*t as usize])
        {
            is_used[v as usize] = true;
        }
        self.vertices = indices_of(&is_used);
    }
}

/// Indices of the true values, ascending.
fn indices_of(all: &[bool]) -> Vec<u32> {
    let numbers = (0..).zip(all);
    numbers.filter_map(|(k, is)| is.then_some(k)).collect()
}
