//! Hats of coarse levels at skin vertices: the hats that reach a vertex, and their values there.

use pliant_compression::transform::{TransformSpec, WaveletTransform};
use pliant_core::mesh::{WeightedRows, merge_duplicates};

use super::matrix::GreensMatrix;
use super::skin_rows::SkinRows;

/// The interpolating hats of all levels but the finest, on the skin of a body whose columns are wavelets.
#[derive(Debug, Clone, PartialEq)]
pub struct HatWeights {
    /// Coarse first.
    levels: Vec<LevelHats>,
}

/// The hats of one level.
#[derive(Debug, Clone, PartialEq)]
struct LevelHats {
    /// Hats that reach each skin vertex, and their values there.
    rows: WeightedRows,
    /// Integral of each hat over the skin, m².
    areas: Vec<f64>,
}

impl HatWeights {
    /// The hats of a body whose skin has these areas (m²); none without wavelets, or with a single level. Cost: a few products a vertex and level.
    pub fn new(greens: &GreensMatrix, skin: &SkinRows, areas: &[f64]) -> Option<Self> {
        let columns = greens.wavelet_columns()?;
        let domain = columns.matrix.transform().domain();
        let mut inside = vec![false; columns.areas.len()];
        for &v in domain.vertices() {
            *inside.get_mut(v as usize)? = true;
        }
        let spec = TransformSpec::HATS;
        let areas_of_boundary = Some(&columns.areas[..]);
        let hats =
            WaveletTransform::new(&columns.hierarchy, &inside, areas_of_boundary, &spec).ok()?;
        let levels = (0..domain.finest()).map(|level| LevelHats::new(&hats, level, skin, areas));
        let levels: Vec<LevelHats> = levels.collect();
        (!levels.is_empty()).then_some(Self { levels })
    }

    /// The finest level, which has no hats, because each vertex is constrained by itself.
    pub fn finest(&self) -> usize {
        self.levels.len()
    }

    /// Hats of `level` that reach a skin vertex, ascending, and their values there.
    pub fn at(&self, level: usize, vertex: u32) -> impl Iterator<Item = (u32, f64)> + '_ {
        let (hats, values) = self.levels[level].rows.row(vertex as usize);
        hats.iter().copied().zip(values.iter().copied())
    }

    /// Integral of each hat of `level` over the skin, m².
    pub fn areas(&self, level: usize) -> &[f64] {
        &self.levels[level].areas
    }
}

impl LevelHats {
    fn new(transform: &WaveletTransform, level: usize, skin: &SkinRows, areas: &[f64]) -> Self {
        let at_nodes = transform.hats_at_rows(level);
        let mut made = Self {
            rows: WeightedRows::default(),
            areas: vec![0.0; transform.domain().rows_to(level)],
        };
        let mut parts: Vec<(u32, f64)> = Vec::new();
        for (vertex, area) in (0..skin.len()).zip(areas) {
            parts.clear();
            let (nodes, weights) = skin.row(vertex);
            for (&node, &weight) in nodes.iter().zip(weights) {
                let hats = at_nodes.get(node as usize).into_iter().flatten();
                parts.extend(hats.map(|(hat, value)| (*hat, weight * value)));
            }
            // fits of a skin between nodes can have small negative weights, which a pressure must not have
            parts.retain(|(_, value)| *value > 0.0);
            parts.sort_by_key(|(hat, _)| *hat);
            merge_duplicates(&mut parts);
            for &(hat, value) in &parts {
                made.areas[hat as usize] += area * value;
            }
            made.rows.push(parts.iter().copied());
        }
        made
    }
}
