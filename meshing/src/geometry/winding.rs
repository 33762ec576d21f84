//! Generalised winding number of a triangle surface in O(log n) a query: how often the surface encloses a point.

use pliant_core::math::Vec3;

const MAX_LEAF_TRIANGLES: usize = 8;
/// A cluster is taken as a whole when it is farther away than this many of its radii (β of Barill et al. 2018, who use
/// 2; a little more keeps the error below 1e-3).
const OPENING_RATIO: f64 = 3.2;

/// Tree of clusters of triangles with their moments.
///
/// For a closed surface with outward triangles the winding number is 1 inside and 0 outside; across a hole it changes
/// smoothly (Jacobson et al. 2013). Far clusters are replaced by the Taylor series of their dipole field up to second
/// order (Barill et al. 2018, "Fast winding numbers for soups and clouds", equation 13); near triangles enter with their
/// exact solid angle (van Oosterom and Strackee 1983).
#[derive(Debug, Clone)]
pub struct WindingNumber {
    clusters: Vec<Cluster>,
    /// corners in leaf order
    corners: Vec<[Vec3; 3]>,
}

#[derive(Debug, Clone)]
struct Cluster {
    center: Vec3,
    /// squared distance beyond which the series is used
    far_squared: f64,
    moments: Moments,
    /// leaf: first triangle; inner: index of the right child (the left one follows its parent)
    first_or_right: u32,
    /// number of triangles of a leaf, 0 for inner clusters
    count: u32,
}

/// Integrals over a cluster with r measured from its centre and n the normal.
#[derive(Debug, Clone, Default)]
struct Moments {
    /// ∫ n
    dipole: Vec3,
    /// trace and symmetric part (xx, yy, zz, xy, xz, yz) of ∫ n rᵀ
    trace: f64,
    second: [f64; 6],
    /// contraction 2 T_iik + T_kjj of T = ∫ n r r
    contracted: Vec3,
    /// coefficients of the cubic form T(d, d, d): xxx yyy zzz xxy xxz yyx yyz zzx zzy xyz
    cubic: [f64; 10],
}

impl WindingNumber {
    /// Builds the tree over `triangles`, whose vertex numbers must be in range. Cost O(n log² n).
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let all: Vec<[Vec3; 3]> = triangles
            .iter()
            .map(|t| t.map(|v| positions[v as usize]))
            .collect();
        let centers: Vec<Vec3> = all.iter().map(|c| (c[0] + c[1] + c[2]) / 3.0).collect();
        let mut order: Vec<u32> = (0..all.len() as u32).collect();
        let mut clusters = Vec::with_capacity(all.len() / 2 + 1);
        if !order.is_empty() {
            build(&all, &centers, &mut order, 0, &mut clusters);
        }
        let corners = order.iter().map(|&t| all[t as usize]).collect();
        Self { clusters, corners }
    }

    /// Winding number at `point`; 0 without triangles. On the surface itself the value is between the two sides.
    pub fn at(&self, point: &Vec3) -> f64 {
        let mut solid_angle = 0.0;
        let mut near = HalfAngles::default();
        if self.clusters.is_empty() {
            return 0.0;
        }
        let mut stack = [0_u32; 64];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let at = stack[top];
            let cluster = &self.clusters[at as usize];
            let d = cluster.center - point;
            let distance_squared = d.norm_squared();
            if distance_squared > cluster.far_squared {
                solid_angle += cluster.moments.solid_angle(&d, distance_squared);
            } else if cluster.count > 0 {
                let from = cluster.first_or_right as usize;
                for corners in &self.corners[from..from + cluster.count as usize] {
                    near.add(point, corners);
                }
            } else {
                stack[top] = cluster.first_or_right;
                stack[top + 1] = at + 1;
                top += 2;
            }
        }
        (solid_angle + near.solid_angle()) / (4.0 * std::f64::consts::PI)
    }
}

/// Imaginary and real part of a complex number whose argument is half the solid angle of a triangle seen from `point`, positive when its back is seen (van Oosterom and
/// Strackee 1983, eq. 8).
pub(crate) fn half_angle(point: &Vec3, corners: &[Vec3; 3]) -> (f64, f64) {
    let [a, b, c] = corners.map(|x| x - point);
    let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
    let im = a.dot(&b.cross(&c));
    let re = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
    (im, re)
}

/// Sum of solid angles with few arctangents: half of each is the argument of a complex number ([`half_angle`]), and as long as both factors lie in the right half plane, the argument of their product is the sum of their arguments.
#[derive(Debug)]
struct HalfAngles {
    sum: f64,
    re: f64,
    im: f64,
}

impl Default for HalfAngles {
    fn default() -> Self {
        Self {
            sum: 0.0,
            re: 1.0,
            im: 0.0,
        }
    }
}

impl HalfAngles {
    fn add(&mut self, point: &Vec3, corners: &[Vec3; 3]) {
        let (im, re) = half_angle(point, corners);
        if im == 0.0 {
            // in the triangle's plane: no solid angle
            return;
        }
        if self.re > 0.0 && re > 0.0 {
            (self.re, self.im) = (self.re * re - self.im * im, self.re * im + self.im * re);
        } else {
            self.sum += self.im.atan2(self.re);
            (self.re, self.im) = (re, im);
        }
        // products of cubed lengths would soon overflow or underflow
        let size = self.re.abs() + self.im.abs();
        if !(1e-60..=1e60).contains(&size) && size > 0.0 {
            (self.re, self.im) = (self.re / size, self.im / size);
        }
    }

    fn solid_angle(&self) -> f64 {
        2.0 * (self.sum + self.im.atan2(self.re))
    }
}

impl Moments {
    /// Adds one triangle, with corners relative to the cluster's centre.
    fn add(&mut self, corners: [Vec3; 3]) {
        let [a, b, c] = corners;
        let n = (b - a).cross(&(c - a)) * 0.5;
        let sum = a + b + c;
        let m = sum / 3.0;
        self.dipole += n;
        self.trace += n.dot(&m);
        let [x, y, z] = [0, 1, 2];
        let mixed = |i: usize, j: usize| 0.5 * (n[i] * m[j] + n[j] * m[i]);
        for (slot, (i, j)) in [(x, x), (y, y), (z, z), (x, y), (x, z), (y, z)]
            .into_iter()
            .enumerate()
        {
            self.second[slot] += mixed(i, j);
        }
        // ∫ r rᵀ over a triangle of unit area
        let s = (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose())
            / 12.0;
        self.contracted += (s * n) * 2.0 + n * s.trace();
        let cubed = |i: usize| n[i] * s[(i, i)];
        let squared = |i: usize, j: usize| n[j] * s[(i, i)] + 2.0 * n[i] * s[(i, j)];
        let terms = [
            cubed(x),
            cubed(y),
            cubed(z),
            squared(x, y),
            squared(x, z),
            squared(y, x),
            squared(y, z),
            squared(z, x),
            squared(z, y),
            2.0 * (n[x] * s[(y, z)] + n[y] * s[(x, z)] + n[z] * s[(x, y)]),
        ];
        for (slot, term) in terms.into_iter().enumerate() {
            self.cubic[slot] += term;
        }
    }

    /// Solid angle of the cluster whose centre is at `d` from the query.
    fn solid_angle(&self, d: &Vec3, distance_squared: f64) -> f64 {
        let inverse2 = 1.0 / distance_squared;
        let inverse3 = inverse2 * inverse2.sqrt();
        let inverse5 = inverse3 * inverse2;
        let (x, y, z) = (d.x, d.y, d.z);
        let [xx, yy, zz, xy, xz, yz] = self.second;
        let quadratic =
            xx * x * x + yy * y * y + zz * z * z + 2.0 * (xy * x * y + xz * x * z + yz * y * z);
        let k = &self.cubic;
        let cubic = x * x * (k[0] * x + k[3] * y + k[4] * z)
            + y * y * (k[1] * y + k[5] * x + k[6] * z)
            + z * z * (k[2] * z + k[7] * x + k[8] * y)
            + k[9] * x * y * z;
        (self.dipole.dot(d) + self.trace) * inverse3
            - (3.0 * quadratic + 1.5 * self.contracted.dot(d)) * inverse5
            + 7.5 * cubic * inverse5 * inverse2
    }
}

/// Builds the clusters of `order`, the triangles from number `first` in leaf order on.
fn build(
    all: &[[Vec3; 3]],
    centers: &[Vec3],
    order: &mut [u32],
    first: usize,
    clusters: &mut Vec<Cluster>,
) {
    let mut weighted = Vec3::zeros();
    let mut plain = Vec3::zeros();
    let mut area = 0.0;
    let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    for &t in order.iter() {
        let [a, b, c] = all[t as usize];
        let (w, m) = ((b - a).cross(&(c - a)).norm(), centers[t as usize]);
        weighted += m * w;
        plain += m;
        area += w;
        (low, high) = (low.inf(&m), high.sup(&m));
    }
    let center = if area > 0.0 {
        weighted / area
    } else {
        plain / order.len() as f64
    };
    let mut moments = Moments::default();
    let mut radius_squared = 0.0_f64;
    for &t in order.iter() {
        let relative = all[t as usize].map(|x| x - center);
        moments.add(relative);
        for x in relative {
            radius_squared = radius_squared.max(x.norm_squared());
        }
    }
    let parent = clusters.len();
    clusters.push(Cluster {
        center,
        far_squared: OPENING_RATIO * OPENING_RATIO * radius_squared,
        moments,
        first_or_right: first as u32,
        count: order.len() as u32,
    });
    if order.len() <= MAX_LEAF_TRIANGLES {
        return;
    }
    let axis = (high - low).imax();
    let half = order.len() / 2;
    order.select_nth_unstable_by(half, |a, b| {
        centers[*a as usize][axis]
            .total_cmp(&centers[*b as usize][axis])
            .then(a.cmp(b))
    });
    let (left, right) = order.split_at_mut(half);
    build(all, centers, left, first, clusters);
    clusters[parent].first_or_right = clusters.len() as u32;
    clusters[parent].count = 0;
    build(all, centers, right, first + half, clusters);
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::mesh::procedural::{CellStyle, box_surface};

    /// Solid angle of a triangle seen from `point`, positive when its back is seen (van Oosterom and Strackee 1983).
    fn triangle_solid_angle(point: &Vec3, corners: &[Vec3; 3]) -> f64 {
        let [a, b, c] = corners.map(|x| x - point);
        let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
        let numerator = a.dot(&b.cross(&c));
        let denominator = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
        2.0 * numerator.atan2(denominator)
    }

    #[test]
    fn the_tree_agrees_with_the_direct_sum_and_gets_every_sign_right() {
        let size = Vec3::new(1.0, 0.5, 0.7);
        let mut surface = box_surface(size, [14, 9, 11], CellStyle::Kuhn);
        // open and closed: a hole makes the values fractional
        for hole in [0, 150] {
            surface.triangles.truncate(surface.triangles.len() - hole);
            let tree = WindingNumber::new(&surface.positions, &surface.triangles);
            for k in 0..400 {
                let t = k as f64;
                let p = Vec3::new((t * 0.7).sin(), (t * 1.3).sin(), (t * 2.1).cos()) * 0.8;
                let direct = (0..surface.triangles.len())
                    .map(|f| triangle_solid_angle(&p, &surface.corners(f)))
                    .sum::<f64>()
                    / (4.0 * std::f64::consts::PI);
                let fast = tree.at(&p);
                assert!((fast - direct).abs() < 1e-3, "{fast} {direct}");
                if hole == 0 {
                    let inside = (0..3).all(|a| p[a].abs() < size[a] * 0.5);
                    assert_eq!(fast > 0.5, inside);
                }
            }
        }
        assert_eq!(WindingNumber::new(&[], &[]).at(&Vec3::zeros()), 0.0);
    }

    #[test]
    fn the_series_converges_as_its_order_says() {
        // one cluster of a few triangles seen from twice the distance: the relative error falls like 1/r³
        let corners = [
            [
                Vec3::zeros(),
                Vec3::new(0.3, 0.1, 0.0),
                Vec3::new(0.0, 0.4, 0.2),
            ],
            [
                Vec3::new(0.3, 0.1, 0.0),
                Vec3::new(0.2, 0.5, -0.1),
                Vec3::new(0.0, 0.4, 0.2),
            ],
        ];
        let center = Vec3::new(0.12, 0.24, 0.05);
        let mut moments = Moments::default();
        for c in corners {
            moments.add(c.map(|x| x - center));
        }
        let error = |distance: f64| {
            let q = center + Vec3::new(0.4, -0.5, 0.77).normalize() * distance;
            let exact: f64 = corners.iter().map(|c| triangle_solid_angle(&q, c)).sum();
            let d = center - q;
            ((moments.solid_angle(&d, d.norm_squared()) - exact) / exact).abs()
        };
        let order = (error(2.0) / error(4.0)).log2();
        assert!(order > 2.7, "order {order}");
    }
}
