//! The closed surface of a cut body, as contact sees it.

use std::sync::Arc;

use pliant_core::math::Vec3;
use pliant_core::mesh::seam::joined;
use pliant_core::mesh::{Csr, SkinEmbedding};

use super::moving_tree::direction;
use crate::model::cutting::skin::CutSkin;

/// Width of the cells of which each gives one contact point for each direction, mean edges of the tetrahedra: a tetrahedron has some points, so that its nodes are held apart from what it touches, and few more
/// than its nodes have directions.
const POINT_SPACING: f64 = 0.5;
/// Least height of a triangle that is touched, mean edges: thinner ones have no reliable plane, and their neighbours reach over them.
const LEAST_HEIGHT: f64 = 0.05;

/// The closed surface of a cut body: its triangles, and the points of it that touch them.
#[derive(Debug, Clone)]
pub(crate) struct ContactSurface {
    /// mean edge of the tetrahedra, m
    pub spacing: f64,
    /// vertices at rest, m
    pub rest: Vec<Vec3>,
    /// nodes and weights of each vertex, shared with what draws them
    pub rows: Arc<SkinEmbedding>,
    /// without sharp vertices
    pub triangles: Vec<[u32; 3]>,
    /// triangles around each vertex
    pub fans: Csr,
    /// vertices that touch triangles, ascending, with the piece whose triangles they do not touch: skin that is not cut touches other pieces alone, as that of a body in one piece touches nothing
    pub points: Vec<(u32, Option<u32>)>,
    /// triangles that are touched with their piece, ascending
    faces: Vec<(u32, u32)>,
    /// triangles that are touched or are around points, ascending
    pub counted: Vec<u32>,
    /// their corners, ascending
    pub vertices: Vec<u32>,
}

impl ContactSurface {
    /// Of a drawn skin that had `whole` vertices before it was cut; `pieces` are the pieces of the nodes and their number, `spacing` (m) is the mean edge of the tetrahedra.
    ///
    /// With one piece only lips and caps touch each other, with several everything does.
    pub fn new(
        skin: &CutSkin,
        whole: usize,
        (pieces, piece_count): (&[u32], usize),
        spacing: f64,
    ) -> Self {
        let drawn = skin.surface.vertex_count();
        let count = drawn - skin.sharp.len();
        let rest = skin.surface.positions[..count].to_vec();
        let triangles: Vec<[u32; 3]> =
            joined(&skin.surface.triangles, drawn, &skin.sharp).collect();
        let corners = (0..).zip(&triangles);
        let corners = corners.flat_map(|(t, corners)| corners.map(|v| (v, t)));
        let fans = Csr::from_pairs(count, corners);
        let mut surface = Self {
            spacing,
            points: Vec::new(),
            faces: Vec::new(),
            counted: Vec::new(),
            vertices: Vec::new(),
            rest,
            rows: Arc::clone(&skin.rows),
            triangles,
            fans,
        };
        let is_cut = |v: u32| v as usize >= whole;
        let is_loose = |v: u32| piece_count > 1 || is_cut(v);
        surface.choose_points(is_loose, is_cut, pieces);
        surface.choose_faces(is_loose, pieces);
        surface.choose_counted();
        surface
    }

    /// The triangles that are touched: number, piece, middle at rest (m) and normal there.
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

    /// A node behind a point and one behind a triangle; `None` where one of them hangs on none.
    pub fn nodes_behind(&self, point: u32, triangle: u32) -> Option<[u32; 2]> {
        let [corner, ..] = self.triangles[triangle as usize];
        self.nodes_of([point, corner])
    }

    /// A node behind each of two vertices.
    pub fn nodes_of(&self, vertices: [u32; 2]) -> Option<[u32; 2]> {
        let node = |v: u32| self.rows.row(v as usize).0.first().copied();
        let [a, b] = vertices.map(node);
        Some([a?, b?])
    }

    /// One point for each cell and direction, the first. A cap has many vertices in an element, and each of them would be a row for the same few nodes.
    fn choose_points(
        &mut self,
        is_loose: impl Fn(u32) -> bool,
        is_cut: impl Fn(u32) -> bool,
        pieces: &[u32],
    ) {
        let width = POINT_SPACING * self.spacing;
        let mut keys: Vec<([i32; 5], u32)> = Vec::new();
        for v in (0..self.rest.len() as u32).filter(|v| is_loose(*v)) {
            let Some(node) = self.rows.row(v as usize).0.first() else {
                continue;
            };
            let cell = (self.rest[v as usize] / width).map(|x| x.floor() as i32);
            let normal = self.normal(v, |v| self.rest[v as usize]);
            let (direction, piece) = (direction(&normal) as i32, pieces[*node as usize] as i32);
            keys.push(([cell.x, cell.y, cell.z, direction, piece], v));
        }
        keys.sort_unstable();
        keys.dedup_by_key(|(key, _)| *key);
        let point = |([.., piece], v): ([i32; 5], u32)| (v, (!is_cut(v)).then_some(piece as u32));
        self.points = keys.into_iter().map(point).collect();
        self.points.sort_unstable();
    }

    fn choose_faces(&mut self, is_loose: impl Fn(u32) -> bool, pieces: &[u32]) {
        let least = LEAST_HEIGHT * self.spacing;
        let is_face = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|v| self.rest[v as usize]);
            let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
            let area = (b - a).cross(&(c - a)).norm();
            let is_known = corners
                .iter()
                .all(|v| !self.rows.row(*v as usize).0.is_empty());
            is_known && corners.iter().any(|v| is_loose(*v)) && area >= least * longest
        };
        let faces = (0..).zip(&self.triangles).filter(|(_, t)| is_face(t));
        let piece = |v: u32| pieces[self.rows.row(v as usize).0[0] as usize];
        self.faces = faces.map(|(t, corners)| (t, piece(corners[0]))).collect();
    }

    fn choose_counted(&mut self) {
        let mut counts = vec![false; self.triangles.len()];
        let points = self.points.iter();
        let fans = points.flat_map(|(v, _)| self.fans.row(*v as usize));
        let faces = self.faces.iter().map(|(t, _)| t);
        for t in fans.chain(faces) {
            counts[*t as usize] = true;
        }
        self.counted = chosen(&counts);
        let mut counts = vec![false; self.rest.len()];
        for v in self
            .counted
            .iter()
            .flat_map(|t| self.triangles[*t as usize])
        {
            counts[v as usize] = true;
        }
        self.vertices = chosen(&counts);
    }
}

/// Numbers of those that are chosen, ascending.
fn chosen(all: &[bool]) -> Vec<u32> {
    let numbers = (0..).zip(all);
    numbers.filter_map(|(k, is)| is.then_some(k)).collect()
}
