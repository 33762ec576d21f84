//! Triangles in batches whose control points fit into a uniform block (Rivers and James 2007, section 4).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::mem::offset_of;

use nalgebra::Vector3;
use pliant_core::mesh::Csr;
use pliant_core::mesh::adjacency::vertex_triangles;
use pliant_core::mesh::skin_binding::trilinear;

use super::SkinnedSurface;
use super::attribute::{Attribute, Kind};

/// Control points of a batch: 16 KiB of four-vectors, which every driver offers for a uniform block.
pub const CAPACITY: usize = 1024;
/// A control point or triangle without a number.
const NONE: u32 = u32::MAX;

/// A vertex as the shader reads it: the paper's `{I, α^x, α^u, α^v}`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct BatchVertex {
    /// Numbers of the eight control points in the block.
    pub corners: [u16; 8],
    /// Weights of the place.
    pub place: [f32; 8],
    /// Weights of a first tangent.
    pub first: [f32; 8],
    /// Weights of a second tangent; first × second points outwards.
    pub second: [f32; 8],
}

/// Numbers of the corners, weights of the place, of the first and of the second tangent, each four and four.
pub const ATTRIBUTES: [Attribute; 8] = [
    Attribute::new(3, 4, Kind::Short, offset_of!(BatchVertex, corners)),
    Attribute::new(4, 4, Kind::Short, offset_of!(BatchVertex, corners) + 8),
    Attribute::new(5, 4, Kind::Float, offset_of!(BatchVertex, place)),
    Attribute::new(6, 4, Kind::Float, offset_of!(BatchVertex, place) + 16),
    Attribute::new(7, 4, Kind::Float, offset_of!(BatchVertex, first)),
    Attribute::new(8, 4, Kind::Float, offset_of!(BatchVertex, first) + 16),
    Attribute::new(9, 4, Kind::Float, offset_of!(BatchVertex, second)),
    Attribute::new(10, 4, Kind::Float, offset_of!(BatchVertex, second) + 16),
];

/// Triangles that are drawn with one uniform block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Batch {
    /// Its control points, in the order of the block; numbers of [`SkinnedSurface::used`].
    pub points: Vec<u32>,
    /// Its vertices in [`Batches::vertices`]: first and one past the last.
    pub vertices: [usize; 2],
    /// Its triangles in [`Batches::triangles`]: first and one past the last.
    pub triangles: [usize; 2],
}

/// A skin in batches. A vertex on the border of two batches is in both.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Batches {
    /// The batches.
    pub batches: Vec<Batch>,
    /// Vertices of one batch after the other.
    pub vertices: Vec<BatchVertex>,
    /// For each vertex its source in the skin.
    pub source: Vec<u32>,
    /// Triples of `vertices`.
    pub triangles: Vec<[u32; 3]>,
}

impl Batches {
    /// Groups triangles greedily. A batch starts with the first remaining triangle, and adds the neighbour with the fewest new
    /// control points until none fits. At the end of a body it continues with the next remaining triangle. Below a `capacity` of 24
    /// the result may be empty. Cost O(t log t), once for a skin.
    pub fn new(skin: &SkinnedSurface, capacity: usize) -> Self {
        Grouping::new(skin, capacity.min(CAPACITY)).run()
    }

    /// Most control points of a batch.
    pub fn max_points(&self) -> usize {
        self.batches
            .iter()
            .map(|b| b.points.len())
            .max()
            .unwrap_or(0)
    }
}

/// Colour of a batch (sRGB, 0 to 1): hues a golden angle apart, so that neighbours differ.
pub fn color(batch: usize) -> [f32; 3] {
    let hue = (batch as f32 * 0.618_034).fract() * 6.0;
    let value = [0.86, 0.68, 0.95][batch % 3];
    [5.0, 3.0, 1.0].map(|shift: f32| {
        let k = (shift + hue) % 6.0;
        value * (1.0 - 0.62 * k.min(4.0 - k).clamp(0.0, 1.0))
    })
}

struct Grouping<'a> {
    skin: &'a SkinnedSurface,
    capacity: usize,
    /// triangles at each vertex of the skin
    around: Csr,
    taken: Vec<bool>,
    /// number of each control point in the current block, or [`NONE`]
    slot: Vec<u32>,
    /// number of each vertex in the current batch, or [`NONE`]
    number: Vec<u32>,
    out: Batches,
}

impl<'a> Grouping<'a> {
    fn new(skin: &'a SkinnedSurface, capacity: usize) -> Self {
        let count = skin.vertex_count();
        Self {
            capacity,
            around: vertex_triangles(count, &skin.triangles),
            taken: vec![false; skin.triangles.len()],
            slot: vec![NONE; skin.used.len()],
            number: vec![NONE; count],
            out: Batches::default(),
            skin,
        }
    }

    fn run(mut self) -> Batches {
        let mut seed = 0;
        while let Some(first) = self.next_left(seed) {
            seed = first;
            let before = self.out.triangles.len();
            self.batch(first);
            if self.out.triangles.len() == before {
                // not even one triangle fits
                return Batches::default();
            }
        }
        self.out
    }

    fn next_left(&self, from: usize) -> Option<usize> {
        (from..self.taken.len()).find(|&t| !self.taken[t])
    }

    fn batch(&mut self, first: usize) {
        let mut batch = Batch {
            vertices: [self.out.vertices.len(); 2],
            triangles: [self.out.triangles.len(); 2],
            ..Batch::default()
        };
        let mut seed = Some(first);
        let mut queue = BinaryHeap::new();
        while let Some(t) = seed.take() {
            // every added triangle lowers the counts of others: a stale count is an upper bound
            queue.push(Reverse((self.new_points(t), t)));
            while let Some(Reverse((_, t))) = queue.pop() {
                if !self.taken[t] && batch.points.len() + self.new_points(t) <= self.capacity {
                    self.take(t, &mut batch);
                    self.push_neighbours(t, &mut queue);
                }
            }
            // the body is complete: continue with the next one if it fits
            seed = self
                .next_left(t)
                .filter(|&t| batch.points.len() + self.new_points(t) <= self.capacity);
        }
        batch.vertices[1] = self.out.vertices.len();
        batch.triangles[1] = self.out.triangles.len();
        for &p in &batch.points {
            self.slot[p as usize] = NONE;
        }
        for &v in &self.out.source[batch.vertices[0]..] {
            self.number[v as usize] = NONE;
        }
        self.out.batches.push(batch);
    }

    fn new_points(&self, t: usize) -> usize {
        let mut added = [NONE; 24];
        let mut count = 0;
        for &v in &self.skin.triangles[t] {
            for &p in &self.skin.corners[v as usize] {
                if self.slot[p as usize] == NONE && !added[..count].contains(&p) {
                    added[count] = p;
                    count += 1;
                }
            }
        }
        count
    }

    fn push_neighbours(&self, t: usize, queue: &mut BinaryHeap<Reverse<(usize, usize)>>) {
        for &v in &self.skin.triangles[t] {
            for &other in self.around.row(v as usize) {
                let other = other as usize;
                if !self.taken[other] {
                    queue.push(Reverse((self.new_points(other), other)));
                }
            }
        }
    }

    fn take(&mut self, t: usize, batch: &mut Batch) {
        self.taken[t] = true;
        let numbers = self.skin.triangles[t].map(|v| {
            let known = self.number[v as usize];
            if known != NONE {
                return known;
            }
            let corners = self.skin.corners[v as usize].map(|p| {
                let slot = &mut self.slot[p as usize];
                if *slot == NONE {
                    *slot = batch.points.len() as u32;
                    batch.points.push(p);
                }
                *slot as u16
            });
            let new = self.out.vertices.len() as u32;
            let (place, normal) = (self.skin.places[v as usize], self.skin.normals[v as usize]);
            self.out.vertices.push(weighted(corners, place, normal));
            self.out.source.push(v);
            self.number[v as usize] = new;
            new
        });
        self.out.triangles.push(numbers);
    }
}

/// Weights `α^x_k = φ_k`, `α^u_k = U · ∇φ_k` and `α^v_k = V · ∇φ_k` with tangents `U × V = N`.
fn weighted(corners: [u16; 8], place: [f32; 3], normal: [f32; 3]) -> BatchVertex {
    let t = Vector3::from(place.map(f64::from));
    let normal = Vector3::from(normal.map(f64::from));
    let helper = if normal.x.abs() < 0.6 {
        Vector3::x()
    } else {
        Vector3::y()
    };
    let u = normal
        .cross(&helper)
        .try_normalize(0.0)
        .unwrap_or_else(Vector3::zeros);
    let v = normal.cross(&u);
    let mut vertex = BatchVertex {
        corners,
        place: [0.0; 8],
        first: [0.0; 8],
        second: [0.0; 8],
    };
    for b in 0..8 {
        let (weight, gradient) = trilinear(b, &t);
        vertex.place[b] = weight as f32;
        vertex.first[b] = u.dot(&gradient) as f32;
        vertex.second[b] = v.dot(&gradient) as f32;
    }
    vertex
}
