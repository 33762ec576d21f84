//! What stuffing asks of a lattice, uniform or graded.

use pliant_core::asset::Progress;
use pliant_core::math::Vec3;

use crate::error::MeshingError;
use crate::geometry::solid::Solid;

/// Tetrahedra that fill space around a body, of which the parts inside will be kept.
pub trait Background: Sync {
    /// Number of sites.
    fn site_count(&self) -> usize;

    /// Position of a site, m.
    fn position(&self, site: u32) -> Vec3;

    /// Edge of the smallest cell, m.
    fn finest(&self) -> f64;

    /// Writes the sites that share an edge with `site` to `out`.
    fn neighbours(&self, site: u32, out: &mut Vec<u32>);

    /// Whether two neighbouring sites are joined by a long edge (both corners or both centres of cells).
    fn is_long(&self, a: u32, b: u32) -> bool;

    /// All tetrahedra that `keep` accepts, positively oriented, in a fixed order.
    fn tetrahedra(&self, keep: &(dyn Fn(&[u32; 4]) -> bool + Sync)) -> Vec<[u32; 4]>;

    /// Finds out which sites are inside.
    ///
    /// # Errors
    /// [`MeshingError::Cancelled`].
    fn sample<S: Solid>(&self, solid: &S, progress: &Progress) -> Result<Signs, MeshingError>;
}

/// Which sites are inside, and the distances where they were computed.
#[derive(Debug, Clone, Default)]
pub struct Signs {
    /// Whether each site is inside.
    pub inside: Vec<bool>,
    /// signed distances near the border, ascending by site, m
    distances: Vec<(u32, f64)>,
}

impl Signs {
    /// Signs of all sites, and `distances` (m) for those near the border in any order.
    pub fn new(inside: Vec<bool>, mut distances: Vec<(u32, f64)>) -> Self {
        distances.sort_unstable_by_key(|&(s, _)| s);
        Self { inside, distances }
    }

    /// Signed distance at a site near the border, m; `None` far from it.
    pub fn distance(&self, site: u32) -> Option<f64> {
        let at = self
            .distances
            .binary_search_by_key(&site, |&(s, _)| s)
            .ok()?;
        Some(self.distances[at].1)
    }

    /// Fills single outside sites whose neighbours are all inside: bubbles that no lattice of this size can show.
    pub fn fill_bubbles(&mut self, background: &impl Background) {
        let mut around = Vec::new();
        let mut enclosed = Vec::new();
        for &(s, _) in &self.distances {
            if self.inside[s as usize] {
                continue;
            }
            background.neighbours(s, &mut around);
            if !around.is_empty() && around.iter().all(|&n| self.inside[n as usize]) {
                enclosed.push(s);
            }
        }
        for s in enclosed {
            self.inside[s as usize] = true;
        }
    }
}
