//! Share of the ambient light for each vertex, as a byte.

/// Shares of the ambient light that reach a skin, 0 (none) to 255 (nothing hides any).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkinOcclusion {
    pub(super) drawn: Vec<u8>,
    skin: Vec<u8>,
}

impl SkinOcclusion {
    /// From shares (0 to 1) of the vertices to draw, each of which follows the vertex `source` of a skin with `count` vertices.
    pub fn new(shares: &[f32], source: &[u32], count: usize) -> Self {
        let mut sums = vec![(0.0_f32, 0.0_f32); count];
        for (&v, share) in source.iter().zip(shares) {
            if let Some((sum, copies)) = sums.get_mut(v as usize) {
                *sum += share;
                *copies += 1.0;
            }
        }
        let mean = |&(sum, copies): &(f32, f32)| if copies > 0.0 { sum / copies } else { 1.0 };
        Self {
            drawn: shares.iter().map(|&share| code(share)).collect(),
            skin: sums.iter().map(|entry| code(mean(entry))).collect(),
        }
    }

    /// Share of the drawn vertex `k`; the full light where it is unknown.
    pub fn drawn_share(&self, k: usize) -> u8 {
        self.drawn.get(k).copied().unwrap_or(u8::MAX)
    }

    /// Mean share of the drawn vertices that follow `vertex` of the skin; the full light for the inside of a body, and where
    /// it is unknown.
    pub fn skin_share(&self, vertex: Option<usize>) -> u8 {
        let known = vertex.and_then(|v| self.skin.get(v).copied());
        known.unwrap_or(u8::MAX)
    }
}

fn code(share: f32) -> u8 {
    (share.clamp(0.0, 1.0) * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vertex_of_the_skin_has_the_mean_of_its_copies() {
        let occlusion = SkinOcclusion::new(&[0.2, 1.0, 0.6], &[1, 2, 1], 4);
        assert_eq!([0, 1, 2].map(|k| occlusion.drawn_share(k)), [51, 255, 153]);
        assert_eq!(occlusion.skin_share(Some(1)), 102);
        // a vertex that is not drawn, the inside of a body, and what does not belong to this skin
        for vertex in [Some(0), Some(2), None, Some(9)] {
            assert_eq!(occlusion.skin_share(vertex), 255, "{vertex:?}");
        }
        assert_eq!(occlusion.drawn_share(3), 255);
    }
}
