//! A plane folded into the lanes of vectors: each lane has its own patch of the plane, so that windows along x and y run from vector to
//! vector. They need values of other lanes only where they leave a patch.

use std::ops::Range;

use crate::kernels::vector::pack::LINE;

/// Most places of regions that are matched together, if that is more than one column of tiles. Twelve numbers of each fit into the nearest cache,
/// beside nine that windows along y read.
const MAX_PLACES_PER_GROUP: usize = 320;

/// Most sites of a segment. Round-off accumulates in sliding sums, and ramps are summed about the middle of the segment, which should not be much farther than a
/// window reaches.
fn max_segment_length(half_width: usize) -> usize {
    (2 * half_width + 2).max(3 * half_width - 1).min(20)
}

/// The fold of a plane into tiles, vectors of `lanes` numbers. A tile has the same site of all patches; tiles follow each other along y, then x.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Fold {
    /// patches along x and y, as many as lanes together
    pub patches: [usize; 2],
    /// sites of a patch along x and y
    pub sites: [usize; 2],
}

impl Fold {
    /// All folds of a plane of `nx × ny` sites.
    pub fn all(nx: usize, ny: usize, lanes: usize) -> impl Iterator<Item = Self> {
        let divisors = (1..=lanes).filter(move |count| lanes.is_multiple_of(*count));
        divisors.map(move |along_x| {
            let patches = [along_x, lanes / along_x];
            Self {
                patches,
                sites: [nx.div_ceil(patches[0]), ny.div_ceil(patches[1])],
            }
        })
    }

    /// Numbers of a tile.
    pub fn lanes(&self) -> usize {
        self.patches[0] * self.patches[1]
    }

    /// Places of a column of tiles.
    pub fn column(&self) -> usize {
        self.sites[1] * self.lanes()
    }

    /// Columns of tiles whose numbers fit into the nearest cache together.
    pub fn group(&self) -> usize {
        (MAX_PLACES_PER_GROUP / self.column()).max(1)
    }

    /// Places of a plane.
    pub fn places(&self) -> usize {
        self.sites[0] * self.sites[1] * self.lanes()
    }

    /// Place of a site.
    pub fn place(&self, x: usize, y: usize) -> usize {
        let [across, along] = self.sites;
        let lane = y / along * self.patches[0] + x / across;
        (x % across * along + y % along) * self.lanes() + lane
    }

    /// Windows of half-width `w` along x (0) or y (1).
    pub fn windows(&self, axis: usize, w: usize) -> Windows {
        let lane_stride = if axis == 0 { 1 } else { self.patches[0] };
        Windows::new(self.sites[axis], self.patches[axis], lane_stride, w)
    }
}

/// A permutation of lanes by some patches along an axis, with zeros beyond the last patch.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(crate) struct Shift {
    /// source lane of each lane
    pub from: [u32; LINE],
    /// all ones where there is a patch, else zero
    pub mask: [u32; LINE],
    pub bits: u16,
    /// Whether it is to the same patch.
    pub is_identity: bool,
}

impl Shift {
    /// To the patch that is `patches_on` further, of `patches` whose lanes are `lane_stride`.
    fn new(patches_on: isize, patches: usize, lane_stride: usize) -> Self {
        let mut shift = Self {
            is_identity: patches_on == 0,
            ..Self::default()
        };
        for lane in 0..LINE {
            let patch = (lane / lane_stride % patches) as isize + patches_on;
            if (0..patches as isize).contains(&patch) {
                shift.from[lane] =
                    lane.wrapping_add_signed(patches_on * lane_stride as isize) as u32;
                shift.mask[lane] = u32::MAX;
                shift.bits |= 1 << lane;
            }
        }
        shift
    }
}

/// The windows about neighbouring sites of a patch. Each has one site more and one less than the window before.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slide {
    /// sites of the patch, in order
    pub first: usize,
    pub count: usize,
    /// the first sites that enter and leave, and the numbers of their shifts
    pub enters: usize,
    pub enters_shift: usize,
    pub leaves: usize,
    pub leaves_shift: usize,
}

/// Neighbouring sites of a patch that are in a window.
#[derive(Debug, Clone, Default)]
pub(crate) struct Run {
    pub sites: Range<usize>,
    /// Whether they are all of the patch.
    pub is_whole: bool,
    pub shift: usize,
    /// how much further from the middle of the segment they are than in their own patch; for a whole patch, than from its middle
    pub offset: f32,
}

/// Neighbouring sites of a patch. The window about the first is summed directly, the others slide.
#[derive(Debug, Clone, Default)]
pub(crate) struct Segment {
    pub first: usize,
    /// origin of the ramps
    pub middle: f32,
    /// the first window
    pub runs: Vec<Run>,
    pub slides: Vec<Slide>,
}

/// Windows along an axis of a patch.
#[derive(Debug, Clone, Default)]
pub(crate) struct Windows {
    /// sites of a patch
    pub length: usize,
    pub half_width: usize,
    pub segments: Vec<Segment>,
    /// Whether a window has a whole patch.
    pub has_whole: bool,
    pub shifts: Vec<Shift>,
}

impl Windows {
    /// `patches` of `length` sites in lanes `lane_stride` from each other.
    fn new(length: usize, patches: usize, lane_stride: usize, w: usize) -> Self {
        let farthest = (w + length) / length;
        let count = length.div_ceil(max_segment_length(w));
        let segment = |k: usize| {
            let sites = k * length / count..(k + 1) * length / count;
            Segment::new(sites, length, farthest, patches, w)
        };
        let segments: Vec<Segment> = (0..count).map(segment).collect();
        let mut runs = segments.iter().flat_map(|segment| &segment.runs);
        Self {
            length,
            half_width: w,
            has_whole: runs.any(|run| run.is_whole),
            shifts: (0..=2 * farthest)
                .map(|k| Shift::new(k as isize - farthest as isize, patches, lane_stride))
                .collect(),
            segments,
        }
    }

    /// Sites that are read for the windows of a patch.
    pub fn reads(&self) -> usize {
        let run = |run: &Run| if run.is_whole { 1 } else { run.sites.len() };
        let segment = |segment: &Segment| {
            let slides = segment.slides.iter().map(|slide| 2 * slide.count);
            slides.sum::<usize>() + segment.runs.iter().map(run).sum::<usize>()
        };
        let whole = if self.has_whole { self.length } else { 0 };
        whole + self.segments.iter().map(segment).sum::<usize>()
    }
}

impl Segment {
    fn new(sites: Range<usize>, length: usize, farthest: usize, patches: usize, w: usize) -> Self {
        let middle = 0.5 * (sites.start + sites.end - 1) as f32;
        let first = sites.start;
        // sites are counted from the first patch that is reached: quotient and remainder by `length` are the patch, which is also the number of its shift, and the site in it
        let own_start = farthest * length;
        let (begin, end) = (own_start + first - w, own_start + first + w + 1);
        let runs = (begin / length..end.div_ceil(length))
            .filter(|patch| patch.abs_diff(farthest) < patches)
            .map(|shift| {
                let patch = shift * length..(shift + 1) * length;
                let inside = patch.start.max(begin)..patch.end.min(end);
                let is_whole = inside == patch;
                let mut offset = patch.start as f32 - own_start as f32;
                if is_whole {
                    offset += middle_of_patch(length) - middle;
                }
                Run {
                    sites: inside.start - patch.start..inside.end - patch.start,
                    is_whole,
                    shift,
                    offset,
                }
            });
        let windows = (first + 1..sites.end).map(|site| {
            let site = own_start + site;
            (site, site + w, site - w - 1)
        });
        Self {
            first,
            middle,
            runs: runs.collect(),
            slides: slides(windows, length),
        }
    }
}

/// The middle of a patch.
pub(crate) fn middle_of_patch(length: usize) -> f32 {
    0.5 * (length - 1) as f32
}

/// Groups windows (site, entering site, leaving site) whose entering and leaving sites are in the same patches.
fn slides(windows: impl Iterator<Item = (usize, usize, usize)>, length: usize) -> Vec<Slide> {
    let mut slides: Vec<Slide> = Vec::new();
    for (site, enters, leaves) in windows {
        let shifts = (enters / length, leaves / length);
        match slides.last_mut() {
            Some(slide) if (slide.enters_shift, slide.leaves_shift) == shifts => slide.count += 1,
            _ => slides.push(Slide {
                first: site % length,
                count: 1,
                enters: enters % length,
                enters_shift: shifts.0,
                leaves: leaves % length,
                leaves_shift: shifts.1,
            }),
        }
    }
    slides
}
