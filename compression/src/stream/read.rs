//! Reads a matrix from a stream, or from the beginning of one.

use std::sync::Arc;

use super::blocks::{Column, ColumnCoder, LevelBlocks, ReferenceBlocks};
use super::bytes::{ByteReader, checksum};
use super::coder::RangeDecoder;
use super::error::StreamError;
use super::header::read_header;
use super::memory::MemoryBudget;
use super::plan::{PacketPlace, Plan, Stage};
use super::spec::ReadLimits;
use crate::subdivision::SubdivisionHierarchy;
use crate::transform::WaveletTransform;
use crate::wavelet::WaveletMatrix;

/// What was read of a stream.
#[derive(Debug, Clone)]
pub struct StreamContent {
    /// The matrix. Blocks that did not arrive are missing in it, as if they were below the threshold.
    pub matrix: WaveletMatrix<f32>,
    /// The extra block, as the writer passed it.
    pub extra: Vec<u8>,
    /// The finest level that all columns have; none where not even the preview of the base is complete.
    pub available_level: Option<usize>,
    /// Whether all packets were there.
    pub complete: bool,
}

/// Reads a stream or the beginning of one.
///
/// # Errors
/// See [`StreamReader::open`] and [`StreamReader::next_packet`]. A stream that ends inside or before a packet is no error.
pub fn read(bytes: &[u8], limits: &ReadLimits) -> Result<StreamContent, StreamError> {
    let mut reader = StreamReader::open(bytes, limits)?;
    while reader.next_packet()?.is_some() {}
    Ok(StreamContent {
        matrix: reader.matrix(),
        extra: reader.extra().to_vec(),
        available_level: reader.available_level(),
        complete: reader.is_complete(),
    })
}

/// A packet that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packet {
    /// What it holds of its columns.
    pub stage: Stage,
    /// The first of its columns.
    pub first_column: usize,
    /// Their number.
    pub columns: usize,
    /// Bytes from the beginning of the stream to the end of the packet.
    pub end: usize,
}

/// Reads a stream packet by packet. After each packet the matrix is more accurate.
#[derive(Debug)]
pub struct StreamReader<'a> {
    bytes: &'a [u8],
    extra: &'a [u8],
    plan: Plan,
    budget: MemoryBudget,
    at: usize,
    last: Option<PacketPlace>,
    /// Why the next packet cannot be read, after an attempt to read it.
    failure: Option<StreamError>,
    /// Models of the stage of the last packet.
    coder: ColumnCoder,
    preview: LevelBlocks,
    /// First row and blocks of each level, as far as they were read.
    levels: Vec<(usize, LevelBlocks)>,
}

/// Memory of a kept block beside its numbers, in its stage and in the matrix.
const BLOCK_BYTES: u64 = 32;
/// Memory of a number of a block, in its stage and in the matrix.
const NUMBER_BYTES: u64 = 12;

impl<'a> StreamReader<'a> {
    /// Reads the header and the extra block. Cost: building the transform, about 1 µs a vertex.
    ///
    /// # Errors
    /// [`StreamError::UnknownFormat`], [`StreamError::Truncated`], [`StreamError::Damaged`], [`StreamError::OverLimit`], [`StreamError::NotManifold`],
    /// [`StreamError::Hierarchy`].
    pub fn open(bytes: &'a [u8], limits: &ReadLimits) -> Result<Self, StreamError> {
        let mut budget = MemoryBudget::new(limits.memory_bytes);
        let (header, at) = read_header(bytes, &mut budget)?;
        let mut reader = ByteReader::new(bytes, at, "the extra block");
        let length = usize::try_from(reader.value::<u64>()?).unwrap_or(usize::MAX);
        let extra = reader.take(length)?;
        let checked_end = reader.offset();
        if reader.value::<u64>()? != checksum(bytes.get(at..checked_end).unwrap_or(&[])) {
            return Err(reader.damaged("the checksum of the extra block is wrong"));
        }
        budget.charge(extra.len() as u64, "the extra block", at)?;
        budget.charge(ColumnCoder::BYTES, "the models", at)?;
        let plan = Plan::new(header);
        let domain = plan.header.transform.domain();
        let first = |level: usize| domain.level_rows(level).start;
        let levels = (0..=plan.finest()).map(|level| (first(level), LevelBlocks::default()));
        Ok(Self {
            bytes,
            extra,
            budget,
            at: reader.offset(),
            last: None,
            failure: None,
            coder: ColumnCoder::new(&plan, Stage::Preview),
            preview: LevelBlocks::default(),
            levels: levels.collect(),
            plan,
        })
    }

    /// The extra block, as the writer passed it.
    pub fn extra(&self) -> &'a [u8] {
        self.extra
    }

    /// The levels that the transform was made of.
    pub fn hierarchy(&self) -> &SubdivisionHierarchy {
        &self.plan.header.hierarchy
    }

    /// The transform of the rows.
    pub fn transform(&self) -> &Arc<WaveletTransform> {
        &self.plan.header.transform
    }

    /// Areas of all vertices (m²), where the transform does not use them; [`Self::transform`] has those that it uses.
    pub fn areas(&self) -> Option<&[f64]> {
        self.plan.header.areas.as_deref()
    }

    /// The threshold that the matrix was compressed with.
    pub fn epsilon(&self) -> f64 {
        self.plan.header.epsilon
    }

    /// Whether all packets were read.
    pub fn is_complete(&self) -> bool {
        self.plan.next(self.last).is_none()
    }

    /// The finest level that all columns have; none before the preview of the base is complete.
    pub fn available_level(&self) -> Option<usize> {
        let columns = self.plan.columns();
        let complete = |blocks: &LevelBlocks| blocks.columns() == columns;
        let levels = self.levels.iter().take_while(|(_, l)| complete(l)).count();
        match levels.checked_sub(1) {
            None => complete(&self.preview).then_some(0),
            finest => finest,
        }
    }

    /// Reads the next packet; none behind the last packet, and none where the bytes end before the end of the next one.
    ///
    /// # Errors
    /// [`StreamError::Damaged`], [`StreamError::OverLimit`]. What was read before stays; the packet adds nothing, and further calls give the same error.
    pub fn next_packet(&mut self) -> Result<Option<Packet>, StreamError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let Some(place) = self.plan.next(self.last) else {
            return Ok(None);
        };
        let mut reader = ByteReader::new(self.bytes, self.at, "a packet");
        let Some(bytes) = packet_bytes(&mut reader, &place)? else {
            return Ok(None);
        };
        if let Err(failure) = self.decode(&place, bytes) {
            let blocks = match place.stage {
                Stage::Preview => Some(&mut self.preview),
                Stage::Level(level) => self.levels.get_mut(level).map(|(_, blocks)| blocks),
            };
            if let Some(blocks) = blocks {
                blocks.truncate(place.first);
            }
            self.failure = Some(failure.clone());
            return Err(failure);
        }
        self.at = reader.offset();
        self.last = Some(place);
        Ok(Some(Packet {
            stage: place.stage,
            first_column: place.first,
            columns: place.count,
            end: self.at,
        }))
    }

    fn decode(&mut self, place: &PacketPlace, bytes: &[u8]) -> Result<(), StreamError> {
        if place.first == 0 {
            self.coder = ColumnCoder::new(&self.plan, place.stage);
        }
        let cost = BLOCK_BYTES + NUMBER_BYTES * self.plan.block() as u64;
        let mut decoder = RangeDecoder::new(bytes);
        for column in place.first..place.first + place.count {
            let (reference, done) = match place.stage {
                Stage::Preview => (ReferenceBlocks::default(), &mut self.preview),
                Stage::Level(level) => {
                    let (coarser, finer) = self.levels.split_at_mut(level);
                    let reference = ReferenceBlocks {
                        preview: Some(&self.preview),
                        coarser,
                    };
                    let Some((_, done)) = finer.first_mut() else {
                        return Ok(());
                    };
                    (reference, done)
                }
            };
            let before = done.blocks();
            self.coder
                .code(&mut decoder, &self.plan, Column::empty(), reference, done);
            let added = (done.blocks() - before) as u64;
            self.budget
                .charge(added * cost, "the kept blocks", self.at)?;
            if decoder.is_exhausted() {
                return Err(self.damaged(format!("the packet ends before column {column}")));
            }
        }
        if !decoder.is_at_end() {
            return Err(self.damaged("the packet is longer than its columns".into()));
        }
        Ok(())
    }

    fn damaged(&self, reason: String) -> StreamError {
        StreamError::Damaged {
            offset: self.at,
            reason,
        }
    }

    /// The matrix of the packets so far. Cost: one pass over the kept blocks, and the rows of the inverse transform.
    pub fn matrix(&self) -> WaveletMatrix<f32> {
        let mut matrix = WaveletMatrix::empty(&self.plan.header.transform, self.plan.header.size);
        let (mut rows, mut numbers) = (Vec::new(), Vec::new());
        for column in 0..self.plan.columns() {
            rows.clear();
            numbers.clear();
            for (level, (first, blocks)) in self.levels.iter().enumerate() {
                let mut step = self.plan.step(level, column);
                let mut found = blocks.column(column);
                if level == 0 && blocks.columns() <= column {
                    found = self.preview.column(column);
                    step *= (1 << self.plan.preview_shift()) as f32;
                }
                for block in found {
                    rows.push(*first as u32 + block.row);
                    numbers.extend(block.values.iter().map(|&value| value as f32 * step));
                }
            }
            matrix.push(&rows, &numbers);
        }
        matrix
    }
}

/// The bytes of the packet at `place`; none where they are not all there.
fn packet_bytes<'a>(
    reader: &mut ByteReader<'a>,
    place: &PacketPlace,
) -> Result<Option<&'a [u8]>, StreamError> {
    let begin = *reader;
    let mut parts = || {
        let numbers: (u8, u32, u32) = (reader.value()?, reader.value()?, reader.value()?);
        let length = usize::try_from(reader.value::<u64>()?).unwrap_or(usize::MAX);
        Ok::<_, StreamError>((numbers, reader.take(length)?, reader.value::<u64>()?))
    };
    let (numbers, bytes, sum) = match parts() {
        Ok(parts) => parts,
        // the rest has not arrived
        Err(StreamError::Truncated { .. }) => return Ok(None),
        Err(other) => return Err(other),
    };
    let mut covered = begin;
    let length = reader.offset() - begin.offset() - 8;
    if checksum(covered.take(length)?) != sum {
        return Err(begin.damaged("the checksum of a packet is wrong"));
    }
    if numbers != (place.stage.number(), place.first as u32, place.count as u32) {
        return Err(begin.damaged("a packet is out of order"));
    }
    Ok(Some(bytes))
}
