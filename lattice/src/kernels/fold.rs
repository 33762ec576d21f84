//! A plane folded into the lanes of vectors: each lane has a patch of the plane of its own, so that windows along x and y run from vector to
//! vector and only where they leave a patch need what another lane has.

use std::ops::Range;

use super::pack::LINE;

/// Most tiles of regions that are matched together, if it is not a single column: some 50 vectors for each are in use.
const GROUP: usize = 12;

/// How a plane lies in tiles, vectors of `lanes` numbers. A tile has the same site of all patches; tiles follow each other along y, then x.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Fold {
    /// patches along x and y, as many as lanes together
    pub patches: [usize; 2],
    /// sites of a patch along x and y
    pub sites: [usize; 2],
}

impl Fold {
    /// The fold of a plane of `nx × ny` sites that leaves the fewest places empty.
    pub fn of(nx: usize, ny: usize, lanes: usize) -> Self {
        let fold = |along_x: usize| {
            let patches = [along_x, lanes / along_x];
            Self {
                patches,
                sites: [nx.div_ceil(patches[0]), ny.div_ceil(patches[1])],
            }
        };
        let divisors = (1..=lanes).filter(|count| lanes.is_multiple_of(*count));
        let best = divisors.map(fold).min_by_key(Self::places);
        best.unwrap_or_default()
    }

    /// Numbers of a tile.
    fn lanes(&self) -> usize {
        self.patches[0] * self.patches[1]
    }

    /// Places of a column of tiles.
    pub fn column(&self) -> usize {
        self.sites[1] * self.lanes()
    }

    /// Columns of tiles whose numbers fit into the nearest cache together.
    pub fn group(&self) -> usize {
        (GROUP / self.sites[1]).max(1)
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
        let apart = if axis == 0 { 1 } else { self.patches[0] };
        Windows::new(self.sites[axis], self.patches[axis], apart, w)
    }
}

/// Lanes moved by some patches along an axis, with zeros where there is none.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Shift {
    /// lane where the number of each lane is
    pub from: [u32; LINE],
    /// all ones where there is a patch, else zero
    pub mask: [u32; LINE],
    pub bits: u16,
}

impl Shift {
    /// To the patch that is `patches_on` further, of `patches` whose lanes are `apart`.
    fn new(patches_on: isize, patches: usize, apart: usize) -> Self {
        let mut shift = Self::default();
        for lane in 0..LINE {
            let patch = (lane / apart % patches) as isize + patches_on;
            if (0..patches as isize).contains(&patch) {
                shift.from[lane] = lane.wrapping_add_signed(patches_on * apart as isize) as u32;
                shift.mask[lane] = u32::MAX;
                shift.bits |= 1 << lane;
            }
        }
        shift
    }
}

/// The windows about neighbouring sites of a patch that begin in one block and end in another.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stretch {
    /// sites of the patch
    pub sites: Range<usize>,
    /// first and last site of the first window in their patches, and which of the shifts get there
    pub begin: usize,
    pub begin_shift: usize,
    pub end: usize,
    pub end_shift: usize,
    /// Whether the windows end in another block than those of the stretch before, and the sites of that block before `end`.
    pub anew: bool,
    pub before: Range<usize>,
    /// from the middle of the first window to the end of the block where it begins, and to the beginning of that where it ends
    pub to_begin: f32,
    pub to_end: f32,
    /// blocks between
    pub between: Range<usize>,
}

/// A block inside windows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Whole {
    /// its first site
    pub first: usize,
    pub shift: usize,
    /// from the middle of the first window of the stretch to its end
    pub distance: f32,
}

/// The windows about neighbouring sites of a patch, each of which has a site more and one less than that before.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slide {
    /// sites of the patch
    pub sites: Range<usize>,
    /// site that enters first, and that which leaves, and which of the shifts get there
    pub enters: usize,
    pub enters_shift: usize,
    pub leaves: usize,
    pub leaves_shift: usize,
}

/// The window about the first site of a patch: it begins in one patch, has others between, and ends in another.
#[derive(Debug, Clone, Default)]
pub(crate) struct First {
    pub begin: usize,
    pub begin_shift: usize,
    pub between: Range<usize>,
    pub end: usize,
    pub end_shift: usize,
}

/// Windows along an axis of a patch. Blocks are shorter than a window, so that none lies inside one block.
#[derive(Debug, Clone, Default)]
pub(crate) struct Windows {
    /// sites of a patch
    pub length: usize,
    pub first: First,
    pub slides: Vec<Slide>,
    pub blocks: Vec<Range<usize>>,
    pub stretches: Vec<Stretch>,
    pub wholes: Vec<Whole>,
    pub shifts: Vec<Shift>,
}

impl Windows {
    /// `patches` of `length` sites in lanes `apart` from each other.
    fn new(length: usize, patches: usize, apart: usize, w: usize) -> Self {
        let count = length.div_ceil(2 * w);
        let farthest = (w + length) / length;
        let mut windows = Self {
            length,
            blocks: (0..count)
                .map(|k| k * length / count..(k + 1) * length / count)
                .collect(),
            shifts: (0..=2 * farthest)
                .map(|k| Shift::new(k as isize - farthest as isize, patches, apart))
                .collect(),
            ..Self::default()
        };
        // a site counted from the first patch that is reached: its patch, which is the number of its shift too, and its place there
        let split = |site: usize| (site / length, site % length);
        let here = farthest * length;
        let (begin_shift, begin) = split(here - w);
        let (end_shift, end) = split(here + w);
        windows.first = First {
            begin,
            begin_shift,
            between: begin_shift + 1..end_shift,
            end,
            end_shift,
        };
        for site in 1..length {
            let (enters_shift, enters) = split(here + site + w);
            let (leaves_shift, leaves) = split(here + site - w - 1);
            match windows.slides.last_mut() {
                Some(slide)
                    if (slide.enters_shift, slide.leaves_shift) == (enters_shift, leaves_shift) =>
                {
                    slide.sites.end += 1;
                }
                _ => windows.slides.push(Slide {
                    sites: site..site + 1,
                    enters,
                    enters_shift,
                    leaves,
                    leaves_shift,
                }),
            }
        }
        windows.find_stretches(farthest, patches, w);
        windows
    }

    fn find_stretches(&mut self, farthest: usize, patches: usize, w: usize) {
        let (length, count) = (self.length, self.blocks.len());
        let block_of = |site: usize| {
            let blocks = &self.blocks;
            let block = blocks
                .iter()
                .position(|block| block.contains(&(site % length)));
            // blocks of all patches follow each other
            site / length * count + block.unwrap_or_default()
        };
        let mut last = None;
        for site in 0..length {
            let middle = farthest * length + site;
            let (begin, end) = (middle - w, middle + w);
            let (first_block, last_block) = (block_of(begin), block_of(end));
            if let (Some(stretch), true) = (
                self.stretches.last_mut(),
                last == Some((first_block, last_block)),
            ) {
                stretch.sites.end += 1;
                continue;
            }
            let anew = last.is_none_or(|(_, before)| before != last_block);
            last = Some((first_block, last_block));
            let start = |block: usize| block / count * length + self.blocks[block % count].start;
            let distance = |to: usize| to as f32 - middle as f32;
            let before = self.wholes.len();
            for block in first_block + 1..last_block {
                if (block / count).abs_diff(farthest) < patches {
                    self.wholes.push(Whole {
                        first: self.blocks[block % count].start,
                        shift: block / count,
                        distance: distance(start(block + 1)),
                    });
                }
            }
            self.stretches.push(Stretch {
                sites: site..site + 1,
                begin: begin % length,
                begin_shift: begin / length,
                end: end % length,
                end_shift: end / length,
                anew,
                before: self.blocks[last_block % count].start..end % length,
                to_begin: distance(start(first_block + 1)),
                to_end: distance(start(last_block)),
                between: before..self.wholes.len(),
            });
        }
    }
}
