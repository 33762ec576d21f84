//! Sliding sums along x, y and z of the block (Rivers and James 2007, section 3.1, Eq. 5 to 7).
//!
//! `X(x) = X(x−1) − v(x−w−1) + v(x+w)` costs two additions an axis and channel, whatever the half-width. Sums restart every
//! [`RESTART`] sites, which bounds round-off and lets threads work on separate slabs with the same bits. Distinct regions that are not
//! boxes are computed from bars, plates and cubes.

use rayon::prelude::*;

use crate::asset::LatticeAsset;
use crate::asset::sum_plan::SumPlan;
use crate::step::summation::bar_plate_cube;
use crate::step::summation::scratch::Scratch;

/// Sites after which a sliding sum restarts.
const RESTART: usize = 32;

/// Data of a lattice for sliding sums.
#[derive(Debug, Clone)]
pub(crate) struct RunningPlan {
    half_width: usize,
    dims: [usize; 3],
    /// particles of each row of the block and where the rows begin
    row_starts: Vec<u32>,
    /// x of each particle
    x: Vec<u16>,
    /// distinct box regions: their number and the site that carries the sum, by slab
    boxes: Vec<[u32; 2]>,
    slab_starts: Vec<u32>,
    /// the other regions and their plan
    irregular: Vec<u32>,
    plan: SumPlan,
}

impl RunningPlan {
    pub fn new(asset: &LatticeAsset) -> Self {
        let [nx, ny, nz] = asset.dims;
        let mut row_starts = vec![0u32; ny * nz + 1];
        for site in &asset.sites {
            row_starts[usize::from(site[2]) * ny + usize::from(site[1]) + 1] += 1;
        }
        for row in 0..ny * nz {
            row_starts[row + 1] += row_starts[row];
        }
        let (mut boxes, mut slab_starts) = (Vec::new(), vec![0u32; nz + 1]);
        let mut irregular = Vec::new();
        let mut seen = 0;
        for (particle, &region) in asset.region_of.iter().enumerate() {
            // regions are numbered by their first particle
            if region != seen {
                continue;
            }
            seen += 1;
            if asset.is_box[region as usize] {
                let [x, y, z] = asset.sites[particle].map(usize::from);
                boxes.push([region, (y * nx + x) as u32]);
                slab_starts[z + 1] += 1;
            } else {
                irregular.push(region);
            }
        }
        for z in 0..nz {
            slab_starts[z + 1] += slab_starts[z];
        }
        Self {
            half_width: asset.half_width,
            dims: asset.dims,
            row_starts,
            x: asset.sites.iter().map(|s| s[0]).collect(),
            boxes,
            slab_starts,
            plan: asset.plan.part(&irregular),
            irregular,
        }
    }

    /// Writes the sum of `field` over every distinct region to `out`.
    pub fn sum<const C: usize>(
        &self,
        field: &[[f64; C]],
        scratch: &mut Scratch<C>,
        out: &mut [[f64; C]],
        parallel: bool,
    ) {
        let [nx, ny, nz] = self.dims;
        scratch.rows.resize(nx * ny * nz, [0.0; C]);
        scratch.slabs.resize(nx * ny * nz, [0.0; C]);
        scratch.row.resize(nx, [0.0; C]);
        scratch.slab.resize(nx * ny, [0.0; C]);
        for (row, sums) in scratch.rows.chunks_mut(nx).enumerate() {
            self.along_x(row, field, &mut scratch.row, sums);
        }
        let rows = &scratch.rows;
        let slab = nx * ny;
        if parallel {
            scratch
                .slabs
                .par_chunks_mut(slab)
                .zip(rows.par_chunks(slab))
                .for_each(|(sums, rows)| self.along_y(rows, sums));
        } else {
            for (sums, rows) in scratch.slabs.chunks_mut(slab).zip(rows.chunks(slab)) {
                self.along_y(rows, sums);
            }
        }
        self.along_z(&scratch.slabs, &mut scratch.slab, out);
        let mut irregular = std::mem::take(&mut scratch.irregular);
        irregular.resize(self.irregular.len(), [0.0; C]);
        bar_plate_cube::sum(&self.plan, field, scratch, &mut irregular, parallel);
        for (&region, sum) in self.irregular.iter().zip(&irregular) {
            out[region as usize] = *sum;
        }
        scratch.irregular = irregular;
    }

    fn along_x<const C: usize>(
        &self,
        row: usize,
        field: &[[f64; C]],
        dense: &mut [[f64; C]],
        sums: &mut [[f64; C]],
    ) {
        let particles = self.row_starts[row] as usize..self.row_starts[row + 1] as usize;
        if particles.is_empty() {
            sums.fill([0.0; C]);
            return;
        }
        dense.fill([0.0; C]);
        for p in particles {
            dense[usize::from(self.x[p])] = field[p];
        }
        let mut total = [0.0; C];
        slide(self.half_width, dense.len(), |step| match step {
            Operation::Clear => total = [0.0; C],
            Operation::Enter(at) => add(&mut total, &dense[at]),
            Operation::Leave(at) => subtract(&mut total, &dense[at]),
            Operation::Write(at) => sums[at] = total,
        });
    }

    fn along_y<const C: usize>(&self, rows: &[[f64; C]], sums: &mut [[f64; C]]) {
        let [nx, ny, _] = self.dims;
        let w = self.half_width;
        for y in 0..ny {
            let (done, rest) = sums.split_at_mut(y * nx);
            let target = &mut rest[..nx];
            let row = |at: usize| &rows[at * nx..(at + 1) * nx];
            if y % RESTART == 0 {
                target.fill([0.0; C]);
                for at in y.saturating_sub(w)..=(y + w).min(ny - 1) {
                    add_all(target, row(at));
                }
                continue;
            }
            target.copy_from_slice(&done[(y - 1) * nx..]);
            if y + w < ny {
                add_all(target, row(y + w));
            }
            if y > w {
                subtract_all(target, row(y - w - 1));
            }
        }
    }

    fn along_z<const C: usize>(
        &self,
        slabs: &[[f64; C]],
        total: &mut [[f64; C]],
        out: &mut [[f64; C]],
    ) {
        let size = self.dims[0] * self.dims[1];
        let slab = |at: usize| &slabs[at * size..(at + 1) * size];
        slide(self.half_width, self.dims[2], |step| match step {
            Operation::Clear => total.fill([0.0; C]),
            Operation::Enter(at) => add_all(total, slab(at)),
            Operation::Leave(at) => subtract_all(total, slab(at)),
            Operation::Write(at) => {
                let range = self.slab_starts[at] as usize..self.slab_starts[at + 1] as usize;
                for &[region, site] in &self.boxes[range] {
                    out[region as usize] = total[site as usize];
                }
            }
        });
    }
}

/// An operation on a sliding sum; the number is an index along its axis.
enum Operation {
    Clear,
    Enter(usize),
    Leave(usize),
    Write(usize),
}

/// Slides a window of half-width `w` over `0..n`.
#[inline(always)]
fn slide(w: usize, n: usize, mut act: impl FnMut(Operation)) {
    for at in 0..n {
        if at % RESTART == 0 {
            act(Operation::Clear);
            for k in at.saturating_sub(w)..=(at + w).min(n - 1) {
                act(Operation::Enter(k));
            }
        } else {
            if at + w < n {
                act(Operation::Enter(at + w));
            }
            if at > w {
                act(Operation::Leave(at - w - 1));
            }
        }
        act(Operation::Write(at));
    }
}

#[inline(always)]
fn add<const C: usize>(total: &mut [f64; C], value: &[f64; C]) {
    for c in 0..C {
        total[c] += value[c];
    }
}

#[inline(always)]
fn subtract<const C: usize>(total: &mut [f64; C], value: &[f64; C]) {
    for c in 0..C {
        total[c] -= value[c];
    }
}

fn add_all<const C: usize>(totals: &mut [[f64; C]], values: &[[f64; C]]) {
    for (t, v) in totals.iter_mut().zip(values) {
        add(t, v);
    }
}

fn subtract_all<const C: usize>(totals: &mut [[f64; C]], values: &[[f64; C]]) {
    for (t, v) in totals.iter_mut().zip(values) {
        subtract(t, v);
    }
}
