//! A block that breaks link by link: frames that break links, and steps with broken links.

use std::hint::black_box;
use std::sync::Arc;

use pliant_core::asset::Progress;
use pliant_core::bench::{BenchCase, Work};
use pliant_core::math::Vec3;
use pliant_core::mesh::VoxelGrid;
use pliant_core::mesh::procedural::{CellStyle, box_surface};

use crate::asset::LatticeAsset;
use crate::bake::assemble::assemble;
use crate::bake::embedding::embed;
use crate::bake::particles::find;
use crate::benchmark::blocks::{pace, step_work};
use crate::benchmark::stepped_body::SteppedBody;
use crate::error::LatticeError;
use crate::fracture::limits::Fracture;
use crate::fracture::pieces::Pieces;
use crate::fracture::skin::CutSkin;
use crate::fracture::strain::Links;
use crate::fracture::topology::Topology;

/// The work of a frame with breaks, without its steps, on a full block with unit cells.
struct BreakingBlock {
    asset: Arc<LatticeAsset>,
    topology: Topology,
    links: Links,
    pieces: Pieces,
    skin: Option<CutSkin>,
    body: SteppedBody,
    /// links in the order in which they break: cracks that run through the block
    queue: Vec<[u32; 2]>,
    next: usize,
}

impl BreakingBlock {
    fn new(particles: [usize; 3], half_width: usize) -> Result<Self, LatticeError> {
        let dims = particles.map(|n| n.saturating_sub(1));
        let size = Vec3::from(dims.map(|n| n as f64));
        let grid = VoxelGrid::new(size * -0.5, 1.0, dims, vec![true; dims.iter().product()]);
        let (sites, block) = find(&grid)?;
        let skin = box_surface(size, dims, CellStyle::Kuhn);
        let embedding = embed(&skin.positions, &grid, &sites, &block);
        let mass = vec![1.0; sites.len()];
        let mut asset = assemble(&grid, sites, &block, half_width, mass, &Progress::new())?;
        asset.embedding = embedding;
        asset.skin = Arc::new(skin);
        let topology = Topology::new(&asset);
        let mut queue = Vec::new();
        for p in 0..asset.particle_count() {
            topology.sites().for_each_linked(p, |q| {
                if asset.sites[q as usize][0] == asset.sites[p][0] + 1 {
                    queue.push([p as u32, q]);
                }
            });
        }
        // plane by plane, each from one side to the other
        queue.sort_by_key(|[p, q]| {
            let [x, y, z] = asset.sites[*p as usize];
            (7 * x % dims[0] as u16, y, z, *q)
        });
        let asset = Arc::new(asset);
        Ok(Self {
            links: Links::new(&asset, topology.sites()),
            pieces: Pieces::default(),
            skin: CutSkin::new(&asset, topology.sites()),
            body: SteppedBody::new(Arc::clone(&asset), pace(0.0))?,
            topology,
            queue,
            next: 0,
            asset,
        })
    }

    /// Searches all links, breaks `count`, and updates regions, sums, skin and pieces. Returns the number of changed particles and overstrained links.
    fn frame(&mut self, count: usize) -> usize {
        let overstrained =
            self.links
                .find_overstrained(&Fracture::default(), &self.asset.rest, &Vec3::zeros());
        let end = (self.next + count).min(self.queue.len());
        let ends = &self.queue[self.next..end];
        self.next = end;
        for link in ends {
            self.links.remove(*link);
        }
        let asset = Arc::make_mut(&mut self.asset);
        let change = self.topology.cut(asset, ends, |_, _| 0.0);
        self.body.update(asset, &change.regions, &change.particles);
        self.pieces.note_broken(self.topology.sites(), ends);
        if let Some(component) = self.pieces.find(&self.links) {
            asset.component = component;
        }
        if let Some(skin) = &mut self.skin {
            skin.update(asset, self.topology.sites(), ends, &[]);
        }
        change.particles.len() + overstrained.len()
    }

    /// One step of the body as it is now.
    fn step(&mut self) {
        // a step that diverges ends the measurement, not the program
        let _ = self.body.step();
    }
}

/// A frame that breaks links.
pub(crate) fn fracture(particles: [usize; 3], breaks: usize) -> Result<BenchCase, String> {
    let mut block = BreakingBlock::new(particles, 1).map_err(|e| e.to_string())?;
    let links = (13 * block.asset.particle_count()) as f64;
    let work = Work {
        // ends of all links
        bytes: 8.0 * links,
        flops: 9.0 * links,
        double: true,
    };
    Ok(BenchCase::new(breaks, 1.0, work, move || {
        black_box(block.frame(breaks));
    }))
}

/// A step of a body with broken links.
pub(crate) fn with_broken_links(particles: [usize; 3], breaks: usize) -> Result<BenchCase, String> {
    let mut block = BreakingBlock::new(particles, 1).map_err(|e| e.to_string())?;
    block.frame(breaks);
    let count = block.asset.particle_count();
    let work = step_work(count, false);
    Ok(BenchCase::new(breaks, count as f64, work, move || {
        block.step();
    }))
}
