//! The order of a stream: which packet holds which columns of which level.

use super::blocks::{EarlierColumns, Interpolation};
use super::header::Header;

/// The blocks of its columns that a packet holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// The blocks of the base level, rounded to two steps of the finest level.
    Preview,
    /// The blocks of a level. Those of level 0 refine the preview.
    Level(usize),
}

impl Stage {
    /// Its number in a packet.
    pub(super) fn number(self) -> u8 {
        match self {
            Self::Preview => 0,
            Self::Level(level) => level as u8 + 1,
        }
    }
}

/// The columns of one packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PacketPlace {
    pub stage: Stage,
    pub first: usize,
    pub count: usize,
}

/// What the header of a stream says about its packets, for writer and reader.
#[derive(Debug)]
pub(super) struct Plan {
    pub header: Header,
    linear: EarlierColumns,
    butterfly: EarlierColumns,
}

impl Plan {
    pub fn new(header: Header) -> Self {
        let domain = header.transform.domain();
        let columns = header.amplitudes.len();
        let earlier =
            |interpolation| EarlierColumns::new(&header.hierarchy, domain, columns, interpolation);
        Self {
            linear: earlier(Interpolation::Linear),
            butterfly: earlier(Interpolation::Butterfly),
            header,
        }
    }

    /// The columns that those of a stage are predicted from. Coarse rows are means over large parts of the surface, so that they vary smoothly from column to column.
    pub fn earlier(&self, stage: Stage) -> &EarlierColumns {
        match stage {
            Stage::Level(level) if 2 * level > self.finest() => &self.linear,
            _ => &self.butterfly,
        }
    }

    pub fn columns(&self) -> usize {
        self.header.amplitudes.len()
    }

    pub fn finest(&self) -> usize {
        self.header.transform.domain().finest()
    }

    /// Numbers of a block.
    pub fn block(&self) -> usize {
        self.header.size * self.header.size
    }

    /// Number of bits by which the preview is coarser than the base level. Its step is twice that of the finest level, so that it is about as exact as the finest details.
    pub fn preview_shift(&self) -> u32 {
        self.finest() as u32 + 1
    }

    /// Step of the quantiser of `level` in `column`. One rounding: the same bits everywhere.
    pub fn step(&self, level: usize, column: usize) -> f32 {
        let finer = self.finest().saturating_sub(level) as i32;
        let amplitude = self.header.amplitudes.get(column).copied();
        // a power of two is exact
        self.header.finest_step * 0.5_f32.powi(finer) * amplitude.unwrap_or(0.0)
    }

    /// The packet after `place`, or the first one.
    pub fn next(&self, place: Option<PacketPlace>) -> Option<PacketPlace> {
        let (stage, first) = match place {
            None => (Stage::Preview, 0),
            Some(last) => {
                let first = last.first + last.count;
                match last.stage {
                    stage if first < self.columns() => (stage, first),
                    Stage::Preview => (Stage::Level(0), 0),
                    Stage::Level(level) if level < self.finest() => (Stage::Level(level + 1), 0),
                    Stage::Level(_) => return None,
                }
            }
        };
        let left = self.columns().saturating_sub(first);
        let count = left.min(self.header.columns_per_packet as usize);
        (count > 0).then_some(PacketPlace {
            stage,
            first,
            count,
        })
    }
}
