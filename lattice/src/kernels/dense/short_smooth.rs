//! Smooth velocities of a dense lattice in one pass over memory: the damping operator of [`crate::step::damping::region_average`], slab by slab.
//!
//! Twelve sums go in (momentum, angular momentum and second moments about the centre of the body) and six come back, by the same rings of
//! slabs as in [`crate::kernels::dense::short_goals`].

use std::ops::Range;

use pulp::Simd;

use crate::kernels::body::stiffness_weights::{firmness_of, weigh};
use crate::kernels::dense::long_goals::Sliding;
use crate::kernels::dense::short_goals::{ring, total};
use crate::kernels::irregular::changed_regions::Cracks;
use crate::kernels::irregular::listed::Group;
use crate::kernels::matching::angular_velocity::rigid_velocity;
use crate::kernels::matching::regions::Irregular;
use crate::kernels::memory::layout::{CONSTANTS, Layout};
use crate::kernels::vector::pack::{Numbers, Pack, packs, packs_mut};
use crate::kernels::windows::direct::{Run, sum};

/// Sums of a region.
pub(crate) const SUMS: usize = 12;
/// What a region says: velocity at the centre of the body and spin.
pub(crate) const RIGID: usize = 6;

/// What one thread needs to work on a range of slabs.
#[derive(Debug, Clone)]
pub(crate) struct SmoothWorkspace {
    pub first: Numbers,
    pub second: Numbers,
    pub zeros: Numbers,
    pub sums: Numbers,
    pub fields: Numbers,
    pub rows: Numbers,
    pub rigid: Numbers,
    pub sliding: Sliding,
}

impl SmoothWorkspace {
    pub fn new(layout: &Layout) -> Self {
        let list = layout.is_list();
        let long = layout.is_long();
        let slabs = layout.ring_slabs();
        let (plane, padded) = (layout.plane, layout.padded());
        Self {
            first: Numbers::zeros(if long { 0 } else { slabs * SUMS * plane }),
            second: Numbers::zeros(slabs * RIGID * plane),
            zeros: Numbers::zeros(plane),
            sums: Numbers::zeros(SUMS * plane),
            fields: Numbers::zeros(if list || long { 0 } else { SUMS * padded }),
            rows: Numbers::zeros(if long { 0 } else { padded }),
            rigid: Numbers::zeros(RIGID * padded),
            sliding: if long {
                Sliding::new(layout, SUMS, RIGID)
            } else {
                Sliding::default()
            },
        }
    }
}

/// The parts of a body that a range of slabs reads and writes.
pub(crate) struct SmoothSlabs<'a> {
    pub layout: &'a Layout,
    pub constants: &'a [f32],
    /// a plane a slab, what regions weigh; empty where nothing is painted
    pub firmness: &'a [f32],
    /// three planes a slab each: cells, cells per second, cells
    pub positions: &'a [f32],
    pub velocities: &'a [f32],
    pub centers: &'a [f32],
    pub range: Range<usize>,
    /// smooth velocity minus velocity, three planes a slab, to be written
    pub changes: &'a mut [f32],
    pub irregular: Option<Irregular<'a>>,
    pub cracks: Option<&'a Cracks>,
    /// what the sources of cracks in these slabs say, by slab and place, to be written
    pub said: &'a mut [Group],
    pub values: &'a mut [Group],
    pub workspace: &'a mut SmoothWorkspace,
}

/// Runs the pipeline over the range.
#[inline(always)]
pub(crate) fn smooth<S: Simd, const W: usize>(simd: S, slabs: SmoothSlabs<'_>) {
    let SmoothSlabs {
        layout,
        constants,
        firmness,
        positions,
        velocities,
        centers,
        range,
        changes,
        irregular,
        cracks,
        said,
        values,
        workspace,
        ..
    } = slabs;
    let (plane, nz) = (layout.plane, layout.slabs);
    let fields = range.start.saturating_sub(2 * W)..(range.end + 2 * W).min(nz);
    let fits = range.start.saturating_sub(W)..(range.end + W).min(nz);
    let of = |from, slab: usize, count: usize| planes(from, slab, count, plane);
    for z in fields.start..range.end + 2 * W {
        if z < fields.end {
            let at = (of(positions, z, 3), of(velocities, z, 3));
            let share = of(constants, z, CONSTANTS);
            collect::<S, W>(simd, layout, at, share, workspace, z % (2 * W + 1));
        }
        let Some(fit) = z.checked_sub(W) else {
            continue;
        };
        if fits.contains(&fit) {
            add_along_z::<S, W>(simd, layout, workspace, fit);
            if let Some(irregular) = irregular {
                replace_sums(&irregular, fit, plane, &mut workspace.sums);
            }
            if let Some(cracks) = cracks {
                let sums = &mut workspace.sums;
                cracks.replace(fit, |group, at| put_sums(group, at, plane, sums));
            }
            let constants = of(constants, fit, CONSTANTS);
            let SmoothWorkspace { sums, rigid, .. } = workspace;
            rigid_velocities(simd, layout, constants, of(centers, fit, 3), sums, rigid);
            let firmness = firmness_of(firmness, fit, plane);
            weigh(layout, firmness, RIGID, rigid);
            if let Some(irregular) = irregular.filter(|_| range.contains(&fit)) {
                let first = irregular.source_starts[range.start] as usize;
                keep_rigid(&irregular, fit, layout, rigid, first, values);
            }
            if let Some(cracks) = cracks.filter(|_| range.contains(&fit)) {
                let said = &mut said[(fit - range.start) * plane..][..plane];
                cracks.keep(fit, said, |at| rigid_at(layout, rigid, at));
            }
            spread::<S, W>(simd, layout, workspace, fit % (2 * W + 1));
        }
        let Some(goal) = fit.checked_sub(W) else {
            continue;
        };
        if range.contains(&goal) {
            let at = (of(positions, goal, 3), of(velocities, goal, 3));
            let inverse = of(constants, goal, CONSTANTS);
            let out = &mut changes[(goal - range.start) * 3 * plane..][..3 * plane];
            changes_of::<S, W>(simd, layout, workspace, goal, inverse, at, out);
        }
    }
}

/// Puts the sums of regions that are not boxes where those of their boxes are.
pub(crate) fn replace_sums(irregular: &Irregular<'_>, slab: usize, plane: usize, sums: &mut [f32]) {
    let starts = &irregular.target_starts[slab..slab + 2];
    let targets = starts[0] as usize..starts[1] as usize;
    let places = &irregular.target_places[targets.clone()];
    for (group, at) in irregular.sums[targets].iter().zip(places) {
        put_sums(group, *at as usize, plane, sums);
    }
}

/// Keeps what is said of particles in regions that are not boxes.
pub(crate) fn keep_rigid(
    irregular: &Irregular<'_>,
    slab: usize,
    layout: &Layout,
    rigid: &[f32],
    first: usize,
    values: &mut [Group],
) {
    let starts = &irregular.source_starts[slab..slab + 2];
    let sources = starts[0] as usize..starts[1] as usize;
    let values = &mut values[sources.start - first..sources.end - first];
    for (out, at) in values.iter_mut().zip(&irregular.source_places[sources]) {
        *out = rigid_at(layout, rigid, *at as usize);
    }
}

/// The planes of one slab.
#[inline(always)]
fn planes(from: &[f32], slab: usize, count: usize, plane: usize) -> &[f32] {
    &from[slab * count * plane..][..count * plane]
}

/// Writes the sums of a region to place `at` of its slab.
#[inline(always)]
pub(crate) fn put_sums(group: &Group, at: usize, plane: usize, sums: &mut [f32]) {
    for c in 0..SUMS {
        sums[c * plane + at] = group[c / 4][c % 4];
    }
}

/// What the region of place `at` of a slab says.
#[inline(always)]
pub(crate) fn rigid_at(layout: &Layout, rigid: &[f32], at: usize) -> Group {
    let mut out = [[0.0; 4]; 4];
    for c in 0..RIGID {
        out[c / 4][c % 4] = rigid[c * layout.padded() + layout.margin + at];
    }
    out
}

/// The sums of one particle of position `x` and velocity `v`.
#[inline(always)]
pub(crate) fn field_of(share: f32, x: [f32; 3], v: [f32; 3]) -> Group {
    let a = v.map(|v| v * share);
    let b = x.map(|x| x * share);
    [
        [a[0], a[1], a[2], x[1] * a[2] - x[2] * a[1]],
        [
            x[2] * a[0] - x[0] * a[2],
            x[0] * a[1] - x[1] * a[0],
            b[0] * x[0],
            b[0] * x[1],
        ],
        [b[0] * x[2], b[1] * x[1], b[1] * x[2], b[2] * x[2]],
        [0.0; 4],
    ]
}

/// The sums of single particles of one slab, in padded planes.
#[inline(always)]
pub(crate) fn write_fields<S: Simd>(
    simd: S,
    layout: &Layout,
    (positions, velocities): (&[f32], &[f32]),
    share: &[f32],
    fields: &mut [f32],
) {
    let (plane, padded, margin) = (layout.plane, layout.padded(), layout.margin);
    let share = packs::<S>(share, 0, plane);
    let x: [&[S::f32s]; 3] = [0, 1, 2].map(|c| packs::<S>(positions, c * plane, plane));
    let v: [&[S::f32s]; 3] = [0, 1, 2].map(|c| packs::<S>(velocities, c * plane, plane));
    let mut targets = fields.chunks_exact_mut(padded);
    let out: [&mut [S::f32s]; SUMS] = [(); SUMS].map(|()| {
        let padded = targets.next().unwrap_or_default();
        packs_mut::<S>(padded, margin, plane)
    });
    for j in 0..share.len() {
        let load = |from: &[S::f32s]| Pack::new(simd, from[j]);
        let position = [load(x[0]), load(x[1]), load(x[2])];
        let fields = fields_of(load(share), position, [load(v[0]), load(v[1]), load(v[2])]);
        for c in 0..SUMS {
            out[c][j] = fields[c].value;
        }
    }
}

/// The sums of single particles.
#[inline(always)]
pub(crate) fn fields_of<S: Simd>(
    m: Pack<S>,
    [x, y, z]: [Pack<S>; 3],
    [vx, vy, vz]: [Pack<S>; 3],
) -> [Pack<S>; SUMS] {
    let (ax, ay, az) = (vx * m, vy * m, vz * m);
    let (bx, by, bz) = (x * m, y * m, z * m);
    [
        ax,
        ay,
        az,
        z.times_from(ay, y * az),
        x.times_from(az, z * ax),
        y.times_from(ax, x * ay),
        bx * x,
        bx * y,
        bx * z,
        by * y,
        by * z,
        bz * z,
    ]
}

/// Window sums along y and x of the fields of one slab.
#[inline(always)]
fn collect<S: Simd, const W: usize>(
    simd: S,
    layout: &Layout,
    (positions, velocities): (&[f32], &[f32]),
    share: &[f32],
    workspace: &mut SmoothWorkspace,
    slot: usize,
) {
    let (plane, padded, margin) = (layout.plane, layout.padded(), layout.margin);
    let SmoothWorkspace {
        first,
        fields,
        rows,
        ..
    } = workspace;
    write_fields(simd, layout, (positions, velocities), share, fields);
    let along = |stride| Run {
        at: margin,
        stride,
        count: plane,
    };
    let ring = &mut first[slot * SUMS * plane..][..SUMS * plane];
    for (c, out) in ring.chunks_exact_mut(plane).enumerate() {
        let field = &fields[c * padded..][..padded];
        sum::<S, W>(simd, along(layout.pitch), field, rows, margin);
        sum::<S, W>(simd, along(1), rows, out, 0);
    }
}

#[inline(always)]
fn add_along_z<S: Simd, const W: usize>(
    simd: S,
    layout: &Layout,
    workspace: &mut SmoothWorkspace,
    z: usize,
) {
    let plane = layout.plane;
    let SmoothWorkspace {
        first, zeros, sums, ..
    } = workspace;
    for (c, sums) in sums.chunks_exact_mut(plane).enumerate() {
        let (sides, middle) = ring::<S, W>(layout, first, zeros, SUMS, z, c);
        let out = packs_mut::<S>(sums, 0, plane);
        for (j, to) in out.iter_mut().enumerate() {
            *to = total(simd, &sides, middle, j).value;
        }
    }
}

/// What the regions of a slab say, in padded planes.
#[inline(always)]
pub(crate) fn rigid_velocities<S: Simd>(
    simd: S,
    layout: &Layout,
    constants: &[f32],
    centers: &[f32],
    sums: &[f32],
    rigid: &mut [f32],
) {
    let (plane, padded, margin) = (layout.plane, layout.padded(), layout.margin);
    let inverse_mass = packs::<S>(constants, plane, plane);
    let c: [&[S::f32s]; 3] = [0, 1, 2].map(|k| packs::<S>(centers, k * plane, plane));
    let mut s = [inverse_mass; SUMS];
    for (k, s) in s.iter_mut().enumerate() {
        *s = packs::<S>(sums, k * plane, plane);
    }
    let mut targets = rigid.chunks_exact_mut(padded);
    let out: [&mut [S::f32s]; RIGID] = [(); RIGID].map(|()| {
        let padded = targets.next().unwrap_or_default();
        packs_mut::<S>(padded, margin, plane)
    });
    let zero = Pack::splat(simd, 0.0);
    for j in 0..inverse_mass.len() {
        let load = |from: &[S::f32s]| Pack::new(simd, from[j]);
        let inverse = load(inverse_mass);
        let mut sums = [zero; SUMS];
        for k in 0..SUMS {
            sums[k] = load(s[k]);
        }
        let center = [load(c[0]), load(c[1]), load(c[2])];
        let (velocity, spin) = rigid_velocity(&sums, inverse, &center);
        let occupied = simd.greater_than_f32s(inverse.value, zero.value);
        for k in 0..3 {
            out[k][j] = simd.select_f32s(occupied, velocity[k].value, zero.value);
            out[3 + k][j] = simd.select_f32s(occupied, spin[k].value, zero.value);
        }
    }
}

/// Window sums along y and x of what the regions of a slab say.
#[inline(always)]
fn spread<S: Simd, const W: usize>(
    simd: S,
    layout: &Layout,
    workspace: &mut SmoothWorkspace,
    slot: usize,
) {
    let (plane, padded, margin) = (layout.plane, layout.padded(), layout.margin);
    let SmoothWorkspace {
        second,
        rigid,
        rows,
        ..
    } = workspace;
    let along = |stride| Run {
        at: margin,
        stride,
        count: plane,
    };
    let ring = &mut second[slot * RIGID * plane..][..RIGID * plane];
    for (c, out) in ring.chunks_exact_mut(plane).enumerate() {
        let field = &rigid[c * padded..][..padded];
        sum::<S, W>(simd, along(layout.pitch), field, rows, margin);
        sum::<S, W>(simd, along(1), rows, out, 0);
    }
}

/// Smooth velocity minus velocity of slab `z`.
#[inline(always)]
fn changes_of<S: Simd, const W: usize>(
    simd: S,
    layout: &Layout,
    workspace: &SmoothWorkspace,
    z: usize,
    constants: &[f32],
    (positions, velocities): (&[f32], &[f32]),
    out: &mut [f32],
) {
    let plane = layout.plane;
    let SmoothWorkspace { second, zeros, .. } = workspace;
    let inverse = packs::<S>(constants, 5 * plane, plane);
    let x: [&[S::f32s]; 3] = [0, 1, 2].map(|c| packs::<S>(positions, c * plane, plane));
    let v: [&[S::f32s]; 3] = [0, 1, 2].map(|c| packs::<S>(velocities, c * plane, plane));
    let mut rings = [ring::<S, W>(layout, second, zeros, RIGID, z, 0); RIGID];
    for (c, slot) in rings.iter_mut().enumerate() {
        *slot = ring::<S, W>(layout, second, zeros, RIGID, z, c);
    }
    let (out_x, rest) = out.split_at_mut(plane);
    let (out_y, out_z) = rest.split_at_mut(plane);
    let out_x = packs_mut::<S>(out_x, 0, plane);
    let out_y = packs_mut::<S>(out_y, 0, plane);
    let out_z = packs_mut::<S>(out_z, 0, plane);
    for j in 0..inverse.len() {
        let load = |from: &[S::f32s]| Pack::new(simd, from[j]);
        let mut s = [load(inverse); RIGID];
        for (s, (sides, middle)) in s.iter_mut().zip(&rings) {
            *s = total(simd, sides, middle, j);
        }
        let share = load(inverse);
        let (px, py, pz) = (load(x[0]), load(x[1]), load(x[2]));
        let along_x = s[0] + s[5].times_from(py, s[4] * pz);
        let along_y = s[1] + s[3].times_from(pz, s[5] * px);
        let along_z = s[2] + s[4].times_from(px, s[3] * py);
        out_x[j] = (along_x * share - load(v[0])).value;
        out_y[j] = (along_y * share - load(v[1])).value;
        out_z[j] = (along_z * share - load(v[2])).value;
    }
}
