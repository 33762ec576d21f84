//! Groups of the corners of a cut tetrahedron, and their shares of its volume.

use pliant_core::mesh::quadratic::EDGES;

/// Least share of a copy of the volume of its tetrahedron. The shares of the other copies are reduced, so that the sum is one.
///
/// A share scales mass and stiffness alike, so that no step gets shorter by a small one. But contact with a node of negligible mass is badly conditioned.
pub(super) const MIN_SHARE: f64 = 0.01;

/// The corners that uncut edges connect, named by the lowest of them.
pub(super) fn groups(cut: [bool; 6]) -> [u8; 4] {
    let mut group = [0, 1, 2, 3];
    for _ in 0..3 {
        for ([i, j], cut) in EDGES.into_iter().zip(cut) {
            if !cut {
                let lowest = group[i].min(group[j]);
                (group[i], group[j]) = (lowest, lowest);
            }
        }
    }
    group
}

/// The share of the volume that each group has, at its lowest corner; they sum to one. `part(i, j)` is the share of corner `i` of the edge to `j`.
///
/// Exact for corners on two sides of a plane: a corner alone has the product of its three parts, two corners have a wedge.
pub(super) fn volume_shares(group: &[u8; 4], part: impl Fn(usize, usize) -> f64) -> [f64; 4] {
    let members = |g: usize| (0..4).filter(move |&i| group[i] as usize == g);
    let shares = [0, 1, 2, 3].map(|g| {
        let others: Vec<usize> = (0..4).filter(|&i| group[i] as usize != g).collect();
        let corner = |i: usize| -> f64 { (0..4).filter(|&j| j != i).map(|j| part(i, j)).product() };
        let own: Vec<usize> = members(g).collect();
        match (own.as_slice(), others.as_slice()) {
            ([], _) => 0.0,
            ([a], _) => corner(*a),
            ([a, b], [c, d]) => {
                let (ac, ad, bc, bd) = (part(*a, *c), part(*a, *d), part(*b, *c), part(*b, *d));
                ac * ad * (1.0 - bd) + ac * (1.0 - bc) * bd + bc * bd
            }
            (_, [d]) => 1.0 - corner(*d),
            _ => 1.0,
        }
    });
    bound_shares(shares)
}

/// The same shares with a sum of one and none of them below [`MIN_SHARE`].
fn bound_shares(mut shares: [f64; 4]) -> [f64; 4] {
    let is_there = shares.map(|s| s > 0.0);
    for _ in 0..4 {
        let small = |s: f64| s <= MIN_SHARE;
        let there = || (0..4).filter(|&g| is_there[g]);
        let count = there().filter(|&g| small(shares[g])).count();
        let rest: f64 = there().map(|g| shares[g]).filter(|s| !small(*s)).sum();
        let scale = (1.0 - MIN_SHARE * count as f64) / rest;
        for g in 0..4 {
            if is_there[g] {
                let share = shares[g];
                shares[g] = if small(share) {
                    MIN_SHARE
                } else {
                    share * scale
                };
            }
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_what_uncut_edges_connect() {
        let cut = |edges: &[[usize; 2]]| EDGES.map(|e| edges.contains(&e));
        assert_eq!(groups(cut(&[])), [0, 0, 0, 0]);
        assert_eq!(groups(cut(&[[0, 1], [0, 2]])), [0, 0, 0, 0]);
        assert_eq!(groups(cut(&[[0, 1], [0, 2], [0, 3]])), [0, 1, 1, 1]);
        let middle = cut(&[[0, 1], [0, 2], [1, 3], [2, 3]]);
        assert_eq!(groups(middle), [0, 1, 1, 0]);
        // corners that only a chain of edges connects: 3-0, 0-1, 1-2
        assert_eq!(groups(cut(&[[0, 2], [1, 3], [2, 3]])), [0, 0, 0, 0]);
        assert_eq!(groups([true; 6]), [0, 1, 2, 3]);
    }

    #[test]
    fn shares_are_the_volumes_on_both_sides_of_a_plane() {
        // heights of the corners over a plane; an edge is cut at the share h_i / (h_i - h_j)
        for heights in [[0.3, -0.2, -0.5, -0.1], [0.3, 0.2, -0.5, -0.1]] {
            let group = heights.map(|h| u8::from(h < 0.0 && heights[1] < 0.0));
            let group = match heights[1] > 0.0 {
                true => [0, 0, 2, 2],
                false => group,
            };
            let part = |i: usize, j: usize| heights[i] / (heights[i] - heights[j]);
            let shares = volume_shares(&group, part);
            // by counting points of a fine grid of barycentric coordinates
            let n = 80;
            let (mut above, mut all) = (0.0, 0.0);
            for i in 0..n {
                for j in 0..n - i {
                    for k in 0..n - i - j {
                        let at = |m: usize| (m as f64 + 0.25) / n as f64;
                        let [a, b, c] = [at(i), at(j), at(k)];
                        let d = 1.0 - a - b - c;
                        let height =
                            a * heights[0] + b * heights[1] + c * heights[2] + d * heights[3];
                        all += 1.0;
                        above += f64::from(u8::from(height > 0.0));
                    }
                }
            }
            assert!(
                (shares[0] - above / all).abs() < 0.01,
                "{shares:?} {}",
                above / all
            );
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn slivers_are_bounded_and_the_sum_is_kept() {
        let shares = volume_shares(&[0, 1, 1, 1], |i, _| if i == 0 { 1e-6 } else { 1.0 - 1e-6 });
        assert_eq!(shares[0], MIN_SHARE);
        assert!((shares[1] - (1.0 - MIN_SHARE)).abs() < 1e-15);
        let four = volume_shares(&[0, 1, 2, 3], |i, _| [1e-3, 0.5, 0.5, 0.5][i]);
        assert!((four.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        assert!(four.iter().all(|s| *s >= MIN_SHARE));
    }
}
