//! Goals of a body in single precision, by the kernel that is best for its shape.

use std::sync::Arc;

use pliant_core::aligned::Aligned;
use pulp::{Simd, WithSimd};

use crate::asset::LatticeAsset;
use crate::kernels::body::parts::SlabPart;
use crate::kernels::body::prepared::Prepared;
use crate::kernels::body::scratch;
use crate::kernels::body::state::State;
use crate::kernels::body::stiffness_weights::StiffnessWeights;
use crate::kernels::compact::program::Compact;
use crate::kernels::dense::goal_slabs::{Slabs, Workspace};
use crate::kernels::dense::long_goals::LongGoals;
use crate::kernels::dense::short_goals::ShortGoals;
use crate::kernels::dense::small_block::small_goals;
use crate::kernels::dense::stages::run_out_of_line;
use crate::kernels::irregular::changed_regions::ChangedRegions;
use crate::kernels::irregular::exchange::SeparateRegions;
use crate::kernels::irregular::group::{Group, ZERO_GROUP};
use crate::kernels::irregular::irregular_part::IrregularPart;
use crate::kernels::irregular::list::ListTransforms;
use crate::kernels::irregular::listed::Listed;
use crate::kernels::irregular::pieces::Distances;
use crate::kernels::memory::box_regions::{box_regions, suits_block};
use crate::kernels::memory::channels::CONSTANTS;
use crate::kernels::memory::constants::{constants, constants_of};
use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::level::Level;
use crate::kernels::vector::pack::Numbers;
use crate::kernels::windows::direct::MAX_DIRECT_HALF_WIDTH;
use crate::numerics::parallel::PARALLEL_THRESHOLD;

/// Fewest slabs of a thread, as a number and in half-widths: a thread repeats the regions of as many slabs as the half-width on either side.
const MIN_SLABS_PER_THREAD: usize = 8;
const MIN_SLABS_PER_HALF_WIDTH: usize = 2;

/// Most places of a block that is stored in one slab: all its planes stay in the nearest caches.
const MAX_SMALL_PLANE: usize = 1024;

/// Constants and buffers for the goals of a lattice.
#[derive(Debug, Clone)]
pub(crate) struct Kernel {
    pub level: Level,
    pub layout: Layout,
    pub constants: Arc<Numbers>,
    /// regions that are not boxes
    pub irregular: Option<Box<IrregularPart>>,
    /// sums of a small body
    pub compact: Option<Arc<Compact>>,
    /// regions that broken links changed after the preparation
    pub changed_regions: Option<Box<ChangedRegions>>,
    /// contributions of the regions of the particles in regions that are not boxes, by source
    pub values: Aligned<Group>,
    /// contributions of the regions of the particles in changed regions, by slab and place; empty in a list, where `values` has those of all
    pub contributions: Vec<Group>,
    pub(crate) stiffness_weights: Option<Arc<StiffnessWeights>>,
    workspaces: Vec<Workspace>,
    pub parallel: bool,
}

impl Kernel {
    /// Prepares a lattice: slabs if the block is well filled and most regions are boxes, else lists. Kernels of one lattice share what the first of them prepares, and must have its `level`.
    pub fn new(asset: &LatticeAsset, level: Level) -> Self {
        let boxes = box_regions(asset);
        let block = suits_block(asset, &boxes);
        let shared = Prepared::get_or_init(asset, || {
            let plain = block && !boxes.contains(&false);
            let small = Layout::small_block(asset);
            let few = if plain {
                Compact::suits_block(asset)
            } else {
                asset.particle_count() <= MAX_SMALL_PLANE
            };
            if plain
                && !few
                && small.plane <= MAX_SMALL_PLANE
                && asset.half_width <= MAX_DIRECT_HALF_WIDTH
            {
                return (small, None);
            }
            match Compact::new(asset).filter(|_| few) {
                Some(compact) => (Layout::list(asset), Some(compact)),
                None if block => (Layout::block(asset, level.lanes()), None),
                None => (Layout::list(asset), None),
            }
        });
        let block = !shared.layout.is_list();
        let mut kernel = Self {
            level,
            layout: shared.layout,
            constants: shared.constants,
            irregular: None,
            compact: shared.compact,
            changed_regions: None,
            values: Aligned::default(),
            contributions: Vec::new(),
            stiffness_weights: shared.stiffness_weights,
            workspaces: Vec::new(),
            parallel: asset.particle_count() > PARALLEL_THRESHOLD,
        };
        if kernel.compact.is_none() && (!block || boxes.contains(&false)) {
            kernel.sum_by_list(asset, |p| !block || !boxes[p]);
        }
        let is_changed = |p: &u32| {
            let region = asset.region_of[*p as usize];
            asset.plan.changed.runs(region as usize).is_some()
        };
        let all = 0..asset.particle_count() as u32;
        let changed: Vec<u32> = all.filter(is_changed).collect();
        kernel.update(asset, &changed, &[]);
        kernel
    }

    /// Updates the regions of the particles `regions` and the constants of `particles` from a lattice whose links were broken.
    pub fn update(&mut self, asset: &LatticeAsset, regions: &[u32], particles: &[u32]) {
        if !regions.is_empty() || !particles.is_empty() {
            self.discard_compact(asset);
        }
        let layout = &self.layout;
        if !regions.is_empty() {
            // a list has the contributions of all regions by source
            if !layout.is_list() {
                let places = layout.slabs * layout.plane;
                self.contributions.resize(places, ZERO_GROUP);
            }
            let changed_regions = self
                .changed_regions
                .get_or_insert_with(|| Box::new(ChangedRegions::new(asset, layout)));
            for &p in regions {
                changed_regions.update(asset, layout, p);
            }
        }
        if let Some(stiffness_weights) = &mut self.stiffness_weights {
            let stiffness_weights = Arc::make_mut(stiffness_weights);
            for &p in regions.iter().chain(particles) {
                stiffness_weights.update(asset, layout, p);
            }
        }
        if !particles.is_empty() {
            let mean = asset.mass.iter().sum::<f64>() / asset.particle_count() as f64;
            let constants = Arc::make_mut(&mut self.constants);
            for &p in particles {
                let (slab, at) = layout.place(p as usize, &asset.sites[p as usize]);
                for (c, value) in constants_of(asset, p as usize, mean).iter().enumerate() {
                    constants[(slab * CONSTANTS + c) * layout.plane + at] = *value as f32;
                }
            }
        }
    }

    /// Replaces the program of a compact body by sums that can be updated as links break.
    fn discard_compact(&mut self, asset: &LatticeAsset) {
        if self.compact.take().is_some() {
            self.constants = Arc::new(constants(asset, &self.layout));
            self.sum_by_list(asset, |_| true);
        }
    }

    /// Sums the regions of the particles for which `choose` is true by a list.
    fn sum_by_list(&mut self, asset: &LatticeAsset, choose: impl Fn(usize) -> bool) {
        let listed = Listed::new(asset, self.level, choose);
        self.values = Aligned::zeros(listed.sources.len());
        self.irregular = Some(Box::new(IrregularPart::new(asset, &self.layout, listed)));
    }

    /// Writes goal minus position to the offsets of `state`, and rotates its regions.
    pub fn goals(&mut self, state: &mut State) {
        if let Some(compact) = &self.compact {
            let weights = StiffnessWeights::planes(self.stiffness_weights.as_deref());
            compact.goals(self.level, &self.layout, (&self.constants, weights), state);
            self.correct_for_weights(&state.positions, &mut state.offsets);
            std::mem::swap(&mut state.rotations, &mut state.rotated);
            return;
        }
        let positions = &state.positions;
        self.sum_separate_regions(Distances, |share, at| {
            let x = at.map(|at| positions[at] * share);
            let mut field = ZERO_GROUP;
            field[0][..3].copy_from_slice(&x);
            field
        });
        self.match_regions(state);
        self.offsets_of_separate_regions(state);
        self.correct_for_weights(&state.positions, &mut state.offsets);
        std::mem::swap(&mut state.rotations, &mut state.rotated);
    }

    /// Corrects the `change` of a `value` (three planes a slab each) for stiffness weights.
    pub fn correct_for_weights(&self, value: &[f32], change: &mut [f32]) {
        if let Some(stiffness_weights) = &self.stiffness_weights {
            stiffness_weights.add_missing(&self.layout, value, change, self.parallel);
        }
    }

    /// Number of parts into which threads divide the slabs. Each slab of a list is a part, because it needs no other slab.
    pub fn part_count(&self) -> usize {
        if !self.parallel {
            return 1;
        }
        if self.layout.is_list() {
            return self.layout.slabs;
        }
        let smallest = MIN_SLABS_PER_THREAD.max(MIN_SLABS_PER_HALF_WIDTH * self.layout.half_width);
        let threads = rayon::current_num_threads().max(1);
        (self.layout.slabs / smallest).clamp(1, threads)
    }

    /// Matches all regions: goals from those that are boxes, and the contributions of the sources.
    fn match_regions(&mut self, state: &mut State) {
        let parts = self.part_count();
        let small = self.layout.is_small();
        let mut workspaces = std::mem::take(&mut self.workspaces);
        while !small && workspaces.len() < parts {
            workspaces.push(Workspace::new(&self.layout));
        }
        let (positions, rotations) = (&state.positions, &state.rotations);
        let outputs: [&mut [f32]; 3] = [&mut state.rotated, &mut state.offsets, &mut state.centers];
        self.with_all_slabs(outputs, |kernel, separate, all| {
            let weights = StiffnessWeights::planes(kernel.stiffness_weights.as_deref());
            let work = |part: SlabPart<'_>, workspace: &mut Workspace| {
                let [rotated, offsets, centers] = part.outputs;
                kernel.level.run_vectors(Goals(Slabs {
                    layout: &kernel.layout,
                    constants: &kernel.constants,
                    weights,
                    positions,
                    rotations,
                    range: part.range,
                    rotated,
                    offsets,
                    centers,
                    separate,
                    contributions: part.contributions,
                    values: part.values,
                    workspace,
                }));
            };
            if small {
                scratch::with(&kernel.layout, |scratch| work(all, &mut scratch.goals));
            } else {
                all.run(&mut workspaces[..parts], &work);
            }
        });
        self.workspaces = workspaces;
    }

    /// Calls `work` with the separate regions and with all slabs, which write to `outputs`.
    pub fn with_all_slabs(
        &mut self,
        outputs: [&mut [f32]; 3],
        work: impl FnOnce(&Self, SeparateRegions<'_>, SlabPart<'_>),
    ) {
        let mut values = std::mem::take(&mut self.values);
        let mut contributions = std::mem::take(&mut self.contributions);
        let separate = SeparateRegions {
            irregular: self.irregular.as_deref(),
            changed_regions: self.changed_regions.as_deref(),
        };
        let all = SlabPart {
            range: 0..self.layout.slabs,
            outputs,
            contributions: &mut contributions,
            values: &mut values,
            source_starts: separate.source_starts(),
        };
        work(self, separate, all);
        (self.values, self.contributions) = (values, contributions);
    }
}

struct Goals<'a>(Slabs<'a>);

impl WithSimd for Goals<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let small = self.0.layout.is_small();
        match self.0.layout.half_width {
            1 if small => small_goals::<S, 1>(simd, self.0),
            2 if small => small_goals::<S, 2>(simd, self.0),
            _ if small => small_goals::<S, MAX_DIRECT_HALF_WIDTH>(simd, self.0),
            _ if self.0.layout.is_list() => run_out_of_line(simd, ListTransforms(self.0)),
            _ if self.0.layout.is_long() => run_out_of_line(simd, LongGoals(self.0)),
            _ => run_out_of_line(simd, ShortGoals(self.0)),
        }
    }
}
