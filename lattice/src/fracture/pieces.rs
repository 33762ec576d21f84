//! Which particles still hang together.
//!
//! A broken link parts nothing while both ends are linked with a third particle. Otherwise the pieces are found anew, a share of the particles in
//! each frame, so that no frame waits for it. Links that break meanwhile are either not yet seen or start another search: labels are never too
//! fine, and right as soon as breaking stops.

use petgraph::unionfind::UnionFind;

use crate::sites::{NONE, Sites};

/// Particles whose links are followed in a frame.
const PARTICLES: usize = 8192;

/// The search for connected pieces.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pieces {
    /// whether a link has broken that may have parted something since the search began
    outdated: bool,
    search: Option<Search>,
}

#[derive(Debug, Clone)]
struct Search {
    union: UnionFind<u32>,
    next: usize,
}

impl Pieces {
    /// The links between these ends are broken now.
    pub fn broke(&mut self, sites: &Sites, links: &[[u32; 2]]) {
        let mut around = Vec::new();
        for [p, q] in links {
            if self.outdated {
                return;
            }
            around.clear();
            sites.for_each_linked(*p as usize, |k| around.push(k));
            let mut shared = false;
            sites.for_each_linked(*q as usize, |k| shared |= around.contains(&k));
            self.outdated = !shared;
        }
    }

    /// Goes on for a frame's share, or to the end; returns the piece of each particle, numbered by first particle, when it is known anew.
    pub fn advance(&mut self, sites: &Sites, to_the_end: bool) -> Option<Vec<u32>> {
        if self.search.is_none() && self.outdated {
            self.outdated = false;
            self.search = Some(Search {
                union: UnionFind::new(sites.len()),
                next: 0,
            });
        }
        let search = self.search.as_mut()?;
        let share = if to_the_end { sites.len() } else { PARTICLES };
        let end = (search.next + share).min(sites.len());
        for p in search.next..end {
            sites.for_each_linked(p, |q| {
                // each link is seen from both ends
                if q > p as u32 {
                    search.union.union(p as u32, q);
                }
            });
        }
        search.next = end;
        if end < sites.len() {
            return None;
        }
        let mut union = self.search.take()?.union;
        let mut label = vec![NONE; sites.len()];
        let mut next = 0;
        let number = |p: u32| {
            let root = union.find_mut(p) as usize;
            if label[root] == NONE {
                label[root] = next;
                next += 1;
            }
            label[root]
        };
        Some((0..sites.len() as u32).map(number).collect())
    }

    /// Whether pieces are not known for sure.
    pub fn is_searching(&self) -> bool {
        self.outdated || self.search.is_some()
    }
}
