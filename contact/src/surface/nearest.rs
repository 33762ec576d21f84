//! The place of a body's surface that is nearest to a point.

use pliant_core::math::Vec3;

use crate::surface::contact_shape::ContactShape;
use crate::surface::deformed::DeformedSurface;
use crate::surface::triangle_fan::{FanBlock, LANES};

/// Two skins face each other when the cosine of the angle between their normals is at most this.
const MAX_FACING_COSINE: f64 = -0.1;

/// Largest distance, over the reach, at which a point in front of the tangent plane of the nearest contact point may touch, where the surface is hollow.
const MAX_HOLLOW_DISTANCE: f64 = 0.25;

/// A point is above a triangle when the cosine of the angle between the normal and the vector to the point is at least this.
const MIN_NORMAL_COSINE: f64 = 0.8;

/// Squared distances that differ by less than this share of the squared reach count as equal.
const DISTANCE_TOLERANCE: f64 = 1e-8;

/// Distance, over the contact spacing, up to which a point beside a surface may count as inside it: bodies whose sides lie in one plane touch each other.
const MAX_BESIDE_DISTANCE: f64 = 0.02;

/// The place of a body's surface that is nearest to a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nearest {
    /// contact points of the triangle
    pub triangle: [u32; 3],
    pub weights: [f64; 3],
    /// interpolated, unit
    pub normal: Vec3,
    /// along the normal, m; negative inside
    pub gap: f64,
    /// straight, m
    pub distance: f64,
}

/// A search around a contact point.
#[derive(Clone, Copy)]
struct Query<'a> {
    shape: &'a ContactShape,
    center: usize,
    x: &'a Vec3,
    facing: &'a Vec3,
}

impl DeformedSurface {
    /// The place of the surface nearest to `x` that faces a skin of outward normal `facing`, if a contact point that `allowed` lets pass is within
    /// reach. A place that is surely farther in front than `near` (m) may be passed over.
    ///
    /// Looked for in the triangles around the nearest contact point, which is right where triangles have about the same size. At a sharp edge the
    /// side that faces best is taken. The gap is negative only where the point is inside. Needs [`Self::sort`].
    pub fn nearest(
        &self,
        shape: &ContactShape,
        x: &Vec3,
        facing: &Vec3,
        near: f64,
        mut allowed: impl FnMut(u32) -> bool,
    ) -> Option<Nearest> {
        let mut best = (shape.reach * shape.reach, u32::MAX);
        self.grid.visit(x, |p, at| {
            let d = (at - x).norm_squared();
            let nearer = d < best.0 || d == best.0 && p < best.1 && best.1 != u32::MAX;
            if nearer && allowed(p) {
                best = (d, p);
            }
        });
        if best.1 == u32::MAX {
            return None;
        }
        self.nearest_around(shape, best.1 as usize, x, facing, near)
    }

    /// [`Self::nearest`] where the nearest contact point is known to be `center`.
    pub fn nearest_around(
        &self,
        shape: &ContactShape,
        center: usize,
        x: &Vec3,
        facing: &Vec3,
        near: f64,
    ) -> Option<Nearest> {
        // most points are in front of the surface and too far away
        let ahead = self.normals[center].dot(&(x - self.positions[center]));
        if ahead > near + MAX_HOLLOW_DISTANCE * shape.reach {
            return None;
        }
        let triangles = shape.fans.row(center);
        let from = shape.fans.start(center);
        let ring = &shape.ring[from..from + triangles.len()];
        // the nearest triangle comes first, so that most others are discarded before their normals are computed
        let mut last = FanBlock::default();
        let mut first = (f64::INFINITY, 0);
        for (b, part) in ring.chunks(LANES).enumerate() {
            last = FanBlock::closest(&self.positions, center, part, x);
            for (l, squared) in last.squared.iter().enumerate().take(part.len()) {
                if *squared < first.0 {
                    first = (*squared, b * LANES + l);
                }
            }
        }
        // in front and surely too far
        let direct = x - self.positions[center];
        if ahead > 0.0 && first.0 > near * near && ahead * ahead > 0.25 * direct.norm_squared() {
            return None;
        }
        let (least_squared, first) = first;
        let block_of = |part: &[[u32; 2]]| {
            if ring.len() <= LANES {
                last
            } else {
                FanBlock::closest(&self.positions, center, part, x)
            }
        };
        let query = Query {
            shape,
            center,
            x,
            facing,
        };
        let mut found = None;
        if let Some(part) = ring.chunks(LANES).nth(first / LANES) {
            let place = block_of(part).place(first % LANES);
            self.update_nearest(&query, triangles[first], place, &mut found);
        }
        for (b, part) in ring.chunks(LANES).enumerate() {
            let block = block_of(part);
            for (l, &t) in triangles[b * LANES..].iter().enumerate().take(part.len()) {
                if b * LANES + l != first {
                    self.update_nearest(&query, t, block.place(l), &mut found);
                }
            }
        }
        let place = found?.2;
        let beside = MAX_BESIDE_DISTANCE * shape.spacing;
        let may_be_outside = place.gap < 0.0 && least_squared > beside * beside;
        let reached = least_squared + DISTANCE_TOLERANCE * shape.reach * shape.reach;
        if may_be_outside && self.is_outside(shape, center, x, reached) {
            return self.in_front_of_edge(&place, x, facing);
        }
        Some(place)
    }

    /// The place as seen from a point that is outside, where that still faces it.
    fn in_front_of_edge(&self, place: &Nearest, x: &Vec3, facing: &Vec3) -> Option<Nearest> {
        let corners = place.triangle.iter().zip(place.weights);
        let at: Vec3 = corners.map(|(&p, w)| self.positions[p as usize] * w).sum();
        let normal = (x - at).try_normalize(0.0)?;
        (facing.dot(&normal) <= MAX_FACING_COSINE).then_some(Nearest {
            normal,
            gap: place.distance,
            ..*place
        })
    }

    /// Replaces `found` by the place on triangle `t` if that is nearer, or faces better at the same distance.
    #[inline]
    fn update_nearest(
        &self,
        query: &Query<'_>,
        t: u32,
        (squared, shares): (f64, [f64; 2]),
        found: &mut Option<(f64, f64, Nearest)>,
    ) {
        let Query {
            shape,
            center,
            x,
            facing,
        } = *query;
        let tie = DISTANCE_TOLERANCE * shape.reach * shape.reach;
        if found.as_ref().is_some_and(|f| squared > f.0 + tie) {
            return;
        }
        let triangle = shape.triangles[t as usize];
        let turn = (0..3).find(|&k| triangle[k] as usize == center);
        let turn = turn.unwrap_or(0);
        let mut weights = [0.0; 3];
        weights[turn] = (1.0 - shares[0] - shares[1]).max(0.0);
        weights[(turn + 1) % 3] = shares[0];
        weights[(turn + 2) % 3] = shares[1];
        let (mut at, mut normal) = (Vec3::zeros(), Vec3::zeros());
        for k in 0..3 {
            at += self.positions[triangle[k] as usize] * weights[k];
            normal +=
                self.corner_normals[shape.corner_normals[t as usize][k] as usize] * weights[k];
        }
        let length = normal.norm();
        if length <= f64::MIN_POSITIVE {
            return;
        }
        normal /= length;
        let apart = x - at;
        let (mut gap, distance) = (normal.dot(&apart), apart.norm());
        if gap.abs() < MIN_NORMAL_COSINE * distance {
            // beside the triangle rather than above it: in front of an edge, or, with a negative gap, in front of another side
            if gap <= 0.0 {
                return;
            }
            (normal, gap) = (apart / distance, distance);
        }
        let away = facing.dot(&normal);
        if away > MAX_FACING_COSINE {
            return;
        }
        let nearer = |f: &(f64, f64, Nearest)| squared < f.0 - tie || away < f.1;
        if found.as_ref().is_none_or(nearer) {
            let place = Nearest {
                triangle,
                weights,
                normal,
                gap,
                distance,
            };
            *found = Some((squared, away, place));
        }
    }
}
