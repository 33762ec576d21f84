//! Which hats of a level constrain a touched patch.

use crate::greens::hat_weights::HatWeights;

/// Share of its area within the patch below which a hat is left out where others reach its vertices.
const ENOUGH: f64 = 0.5;

/// The hats of a patch; memory is kept between frames.
#[derive(Debug, Clone, Default)]
pub(super) struct HatChoice {
    /// Hat, number of the vertex in the patch, and value of the hat there; ascending.
    pub parts: Vec<(u32, u32, f64)>,
    /// Vertices of the patch that no hat reaches.
    pub uncovered: Vec<u32>,
    /// Number of chosen hats.
    pub hats: usize,
    /// Chosen hats at each vertex of the patch.
    cover: Vec<u32>,
    sum: Vec<f64>,
    /// Share of a hat within the patch and its range of parts, for those below [`ENOUGH`].
    small: Vec<(f64, u32, u32)>,
}

impl HatChoice {
    /// Chooses hats of `level` for a patch of skin vertices with their areas (m²).
    ///
    /// A hat that lies mostly outside the patch is left out, smallest share first, as long as others reach all of its vertices; what remains is scaled up so that the values of each vertex
    /// sum to one. This is how hats are cut at the rim of a domain (`Renormalise`), and keeps rows from repeating each other in small patches.
    pub fn choose(&mut self, hats: &HatWeights, level: usize, patch: &[(u32, f64)]) {
        self.parts.clear();
        for (k, &(vertex, _)) in patch.iter().enumerate() {
            let at = hats.at(level, vertex);
            self.parts.extend(at.map(|(hat, h)| (hat, k as u32, h)));
        }
        self.parts.sort_unstable_by_key(|(hat, k, _)| (*hat, *k));
        self.cover.clear();
        self.cover.resize(patch.len(), 0);
        for (_, k, _) in &self.parts {
            self.cover[*k as usize] += 1;
        }
        self.uncovered.clear();
        let uncovered = self.cover.iter().enumerate().filter(|(_, n)| **n == 0);
        self.uncovered.extend(uncovered.map(|(k, _)| k as u32));
        self.leave_small_ones_out(hats.areas(level), patch);
        self.sum.clear();
        self.sum.resize(patch.len(), 0.0);
        for (_, k, h) in &self.parts {
            self.sum[*k as usize] += h;
        }
        for (_, k, h) in &mut self.parts {
            *h /= self.sum[*k as usize];
        }
    }

    fn leave_small_ones_out(&mut self, areas: &[f64], patch: &[(u32, f64)]) {
        self.small.clear();
        self.hats = 0;
        let mut begin = 0;
        for of_hat in self.parts.chunk_by(|a, b| a.0 == b.0) {
            let (first, end) = (begin, begin + of_hat.len());
            begin = end;
            self.hats += 1;
            let inside = of_hat.iter().map(|(_, k, h)| patch[*k as usize].1 * h);
            let share = inside.sum::<f64>() / areas[of_hat[0].0 as usize].max(f64::MIN_POSITIVE);
            if share < ENOUGH {
                self.small.push((share, first as u32, end as u32));
            }
        }
        self.small
            .sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for &(_, begin, end) in &self.small {
            let of_hat = &mut self.parts[begin as usize..end as usize];
            if of_hat.iter().all(|(_, k, _)| self.cover[*k as usize] > 1) {
                for (_, k, h) in of_hat {
                    self.cover[*k as usize] -= 1;
                    *h = 0.0;
                }
                self.hats -= 1;
            }
        }
        self.parts.retain(|(_, _, h)| *h > 0.0);
    }
}
