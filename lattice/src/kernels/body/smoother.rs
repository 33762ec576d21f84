//! Smooth velocities of a body in single precision, by the kernel that is best for its shape.

use pulp::{Simd, WithSimd};

use crate::kernels::body::kernel::Kernel;
use crate::kernels::body::parts::SlabPart;
use crate::kernels::body::scratch;
use crate::kernels::body::state::State;
use crate::kernels::body::stiffness_weights::StiffnessWeights;
use crate::kernels::dense::long_smooth::long_smooth;
use crate::kernels::dense::short_smooth::smooth;
use crate::kernels::dense::small_block::small_smooth;
use crate::kernels::dense::smooth_slabs::{SmoothSlabs, SmoothWorkspace};
use crate::kernels::dense::stages::run_out_of_line;
use crate::kernels::irregular::group::Group;
use crate::kernels::irregular::list::ListVelocities;
use crate::kernels::irregular::pieces::Plain;
use crate::kernels::matching::motion_fields::field_of;
use crate::kernels::memory::layout::Layout;
use crate::kernels::vector::pack::Numbers;
use crate::kernels::windows::direct::MAX_DIRECT_HALF_WIDTH;

/// Velocities of a body, and smooth velocity minus velocity.
#[derive(Debug, Clone)]
pub(crate) struct Smoother {
    /// cells per second, in planes of the layout
    pub velocities: Numbers,
    /// smooth velocity minus velocity
    pub changes: Numbers,
    /// changes of the first application
    first_stage: Numbers,
    workspaces: Vec<SmoothWorkspace>,
}

impl Smoother {
    pub fn new(layout: &Layout) -> Self {
        Self {
            velocities: layout.planes(3),
            changes: layout.planes(3),
            first_stage: Numbers::default(),
            workspaces: Vec::new(),
        }
    }

    /// Adds a `share` of the changes to the velocities, and stores the changes for [`Self::add_first_stage`].
    pub fn start_second_stage(&mut self, share: f32) {
        for (v, change) in self.velocities.iter_mut().zip(self.changes.iter()) {
            *v += share * change;
        }
        self.first_stage.clone_from(&self.changes);
    }

    /// Adds the changes of the first application.
    pub fn add_first_stage(&mut self) {
        for (change, first) in self.changes.iter_mut().zip(self.first_stage.iter()) {
            *change += first;
        }
    }

    /// Writes the changes for the positions of the last goals; `state` has the centres of their regions.
    pub fn apply(&mut self, kernel: &mut Kernel, state: &State) {
        if let Some(compact) = &kernel.compact {
            let weights = StiffnessWeights::planes(kernel.stiffness_weights.as_deref());
            compact.smooth(
                kernel.level,
                &kernel.layout,
                (&kernel.constants, weights),
                state,
                &self.velocities,
                &mut self.changes,
            );
            kernel.correct_for_weights(&self.velocities, &mut self.changes);
            return;
        }
        let (positions, velocities) = (&state.positions, &self.velocities);
        kernel.sum_separate_regions(Plain, |share, at| {
            let vector = |from: &[f32]| at.map(|at| from[at]);
            field_of(share, vector(positions), vector(velocities))
        });
        self.find_motions(kernel, state);
        let plane = kernel.layout.plane;
        let (moving, changes) = ((&*state.positions, &*self.velocities), &mut self.changes);
        kernel.finish_separate_regions(Plain, |place, share, sum| {
            write_change(plane, place, share, sum, moving, changes);
        });
        kernel.correct_for_weights(&self.velocities, &mut self.changes);
    }

    /// Finds the rigid velocities of all regions: changes from those that are boxes, and the contributions of the sources.
    fn find_motions(&mut self, kernel: &mut Kernel, state: &State) {
        let (parts, small) = (kernel.part_count(), kernel.layout.is_small());
        while !small && self.workspaces.len() < parts {
            self.workspaces.push(SmoothWorkspace::new(&kernel.layout));
        }
        let (velocities, workspaces) = (&self.velocities, &mut self.workspaces);
        let outputs: [&mut [f32]; 3] = [&mut self.changes, &mut [], &mut []];
        kernel.with_all_slabs(outputs, |kernel, separate, all| {
            let weights = StiffnessWeights::planes(kernel.stiffness_weights.as_deref());
            let work = |part: SlabPart<'_>, workspace: &mut SmoothWorkspace| {
                let [changes, ..] = part.outputs;
                kernel.level.run_vectors(Smooth(SmoothSlabs {
                    layout: &kernel.layout,
                    constants: &kernel.constants,
                    weights,
                    positions: &state.positions,
                    velocities,
                    centers: &state.centers,
                    range: part.range,
                    changes,
                    separate,
                    contributions: part.contributions,
                    values: part.values,
                    workspace,
                }));
            };
            if small {
                scratch::with(&kernel.layout, |scratch| work(all, &mut scratch.smooth));
            } else {
                all.run(&mut workspaces[..parts], &work);
            }
        });
    }
}

/// Writes the change of the particle at a place from the summed rigid motions `s` of its regions.
#[inline(always)]
fn write_change(
    plane: usize,
    (slab, at): (usize, usize),
    share: f32,
    s: &Group,
    (positions, velocities): (&[f32], &[f32]),
    changes: &mut [f32],
) {
    let place = |c: usize| (slab * 3 + c) * plane + at;
    let x = [0, 1, 2].map(|c| positions[place(c)]);
    let angular_velocity = [s[0][3], s[1][0], s[1][1]];
    let rotation = [
        angular_velocity[1] * x[2] - angular_velocity[2] * x[1],
        angular_velocity[2] * x[0] - angular_velocity[0] * x[2],
        angular_velocity[0] * x[1] - angular_velocity[1] * x[0],
    ];
    for c in 0..3 {
        let at = place(c);
        changes[at] = (s[0][c] + rotation[c]) * share - velocities[at];
    }
}

struct Smooth<'a>(SmoothSlabs<'a>);

impl WithSimd for Smooth<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let small = self.0.layout.is_small();
        match self.0.layout.half_width {
            1 if small => small_smooth::<S, 1>(simd, self.0),
            2 if small => small_smooth::<S, 2>(simd, self.0),
            _ if small => small_smooth::<S, MAX_DIRECT_HALF_WIDTH>(simd, self.0),
            _ if self.0.layout.is_list() => run_out_of_line(simd, ListVelocities(self.0)),
            _ if self.0.layout.is_long() => long_smooth(simd, self.0),
            _ => smooth(simd, self.0),
        }
    }
}
