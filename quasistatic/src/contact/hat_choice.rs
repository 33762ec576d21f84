//! Chooses the hats of a level that constrain a touched patch.

use crate::greens::hat_weights::HatWeights;

/// A hat is dropped where less than this share of its area lies within the patch, if others reach its vertices.
const MIN_PATCH_SHARE: f64 = 0.5;

/// The hats of a patch; memory is kept between frames.
#[derive(Debug, Clone, Default)]
pub(super) struct HatChoice {
    /// Hat, index of the vertex in the patch, and value of the hat there; ascending.
    pub parts: Vec<(u32, u32, f64)>,
    /// Vertices of the patch that no hat reaches.
    pub uncovered: Vec<u32>,
    /// Number of chosen hats.
    pub hats: usize,
    /// Chosen hats at each vertex of the patch.
    hats_at_vertex: Vec<u32>,
    sum: Vec<f64>,
    /// Share of a hat within the patch and its range of parts, for those below [`MIN_PATCH_SHARE`].
    small: Vec<(f64, u32, u32)>,
}

impl HatChoice {
    /// Chooses hats of `level` for a patch of skin vertices with their areas (m²).
    ///
    /// Hats that lie mostly outside of the patch are dropped, smallest share first, as long as others reach all of their vertices. The values of the other hats are scaled so that they
    /// sum to one at each vertex, as at the boundary of a domain (`Renormalise`). This keeps rows from repeating each other in small patches.
    pub fn choose(&mut self, hats: &HatWeights, level: usize, patch: &[(u32, f64)]) {
        self.parts.clear();
        for (k, &(vertex, _)) in patch.iter().enumerate() {
            let at = hats.at(level, vertex);
            self.parts.extend(at.map(|(hat, h)| (hat, k as u32, h)));
        }
        self.parts.sort_unstable_by_key(|(hat, k, _)| (*hat, *k));
        self.hats_at_vertex.clear();
        self.hats_at_vertex.resize(patch.len(), 0);
        for (_, k, _) in &self.parts {
            self.hats_at_vertex[*k as usize] += 1;
        }
        self.uncovered.clear();
        let uncovered = self
            .hats_at_vertex
            .iter()
            .enumerate()
            .filter(|(_, n)| **n == 0);
        self.uncovered.extend(uncovered.map(|(k, _)| k as u32));
        self.drop_small_hats(hats.areas(level), patch);
        self.sum.clear();
        self.sum.resize(patch.len(), 0.0);
        for (_, k, h) in &self.parts {
            self.sum[*k as usize] += h;
        }
        for (_, k, h) in &mut self.parts {
            *h /= self.sum[*k as usize];
        }
    }

    fn drop_small_hats(&mut self, areas: &[f64], patch: &[(u32, f64)]) {
        self.small.clear();
        self.hats = 0;
        let mut begin = 0;
        for of_hat in self.parts.chunk_by(|a, b| a.0 == b.0) {
            let (first, end) = (begin, begin + of_hat.len());
            begin = end;
            self.hats += 1;
            let inside = of_hat.iter().map(|(_, k, h)| patch[*k as usize].1 * h);
            let share = inside.sum::<f64>() / areas[of_hat[0].0 as usize].max(f64::MIN_POSITIVE);
            if share < MIN_PATCH_SHARE {
                self.small.push((share, first as u32, end as u32));
            }
        }
        self.small
            .sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for &(_, begin, end) in &self.small {
            let of_hat = &mut self.parts[begin as usize..end as usize];
            if of_hat
                .iter()
                .all(|(_, k, _)| self.hats_at_vertex[*k as usize] > 1)
            {
                for (_, k, h) in of_hat {
                    self.hats_at_vertex[*k as usize] -= 1;
                    *h = 0.0;
                }
                self.hats -= 1;
            }
        }
        self.parts.retain(|(_, _, h)| *h > 0.0);
    }
}
