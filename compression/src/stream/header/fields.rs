//! The header: the source of the transform, sizes, and an amplitude for each column.

use std::sync::Arc;

use super::areas::{read_areas, write_areas};
use super::topology::{Topology, write_hierarchy};
use crate::stream::blocks::{EarlierColumns, Interpolation, WEIGHT_SUM};
use crate::stream::bytes::{ByteReader, ByteWriter, checksum};
use crate::stream::error::StreamError;
use crate::stream::memory::{MemoryBudget, row_entries};
use crate::subdivision::SubdivisionHierarchy;
use crate::transform::{
    MissingNeighbours, TransformSpec, WaveletAreas, WaveletBasis, WaveletTransform,
};

const MAGIC: [u8; 4] = *b"GFW1";
const VERSION: u32 = 1;
/// Bytes before the body.
const PREFIX_BYTES: usize = 16;
const CHECKSUM_BYTES: usize = 8;
/// Multiples of steps are 32-bit numbers, and those of the preview 2^17 times as large at most.
const MAX_STEPS: f32 = (1_u64 << 49) as f32;

/// What a header says.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::stream) struct Header {
    pub hierarchy: SubdivisionHierarchy,
    pub transform: Arc<WaveletTransform>,
    /// Areas of all vertices, where the transform does not keep them: with [`WaveletAreas::Unit`].
    pub areas: Option<Vec<f64>>,
    /// Rows and columns of a block: 1 or 3.
    pub size: usize,
    pub epsilon: f64,
    /// Step of the finest level over the amplitude of a column.
    pub finest_step: f32,
    pub columns_per_packet: u32,
    /// Largest block of each column, rounded up to eight bits.
    pub amplitudes: Vec<f32>,
}

/// What a header is written from.
#[derive(Debug, Clone, Copy)]
pub(in crate::stream) struct HeaderSource<'a> {
    pub hierarchy: &'a SubdivisionHierarchy,
    pub transform: &'a WaveletTransform,
    pub areas: Option<&'a [f64]>,
    pub size: usize,
    pub epsilon: f64,
    pub finest_step: f32,
    pub columns_per_packet: u32,
    pub amplitudes: &'a [f32],
}

/// An amplitude rounded up to eight bits.
pub(in crate::stream) fn rounded_up(amplitude: f32) -> f32 {
    let bits = amplitude.to_bits().saturating_add(0xffff);
    f32::from_bits(bits & 0xffff_0000)
}

/// The header with its checksum.
pub(in crate::stream) fn write_header(source: &HeaderSource<'_>) -> Vec<u8> {
    let mut body = ByteWriter::default();
    let spec = source.transform.spec();
    body.value(spec.basis as u8);
    body.value(u8::from(spec.lifted));
    let missing = u8::from(spec.missing == MissingNeighbours::Zero);
    let areas = u8::from(spec.areas == WaveletAreas::Unit);
    // files of equal weights are refused by readers that do not know them
    body.value(missing | areas << 1);
    body.value(source.size as u8);
    body.value(source.epsilon);
    body.value(source.finest_step);
    body.value(source.columns_per_packet);
    write_hierarchy(source.hierarchy, &mut body);
    let domain = source.transform.domain();
    let vertices = source.hierarchy.vertex_count(source.hierarchy.finest());
    let mut inside = vec![0_u8; vertices.div_ceil(8)];
    for &v in domain.vertices() {
        if let Some(byte) = inside.get_mut(v as usize / 8) {
            *byte |= 1 << (v % 8);
        }
    }
    body.bytes(&inside);
    write_areas(source.areas, source.hierarchy, &mut body);
    body.varint(source.amplitudes.len() as u64);
    let earlier = EarlierColumns::new(
        source.hierarchy,
        domain,
        source.amplitudes.len(),
        Interpolation::Linear,
    );
    let mut coded = Vec::with_capacity(source.amplitudes.len());
    for (column, amplitude) in source.amplitudes.iter().enumerate() {
        let top = (amplitude.to_bits() >> 16) as u16;
        body.signed(i64::from(top) - expected(&earlier, column, &coded));
        coded.push(top);
    }
    let mut out = ByteWriter(MAGIC.to_vec());
    out.value(VERSION);
    out.value(body.0.len() as u64);
    out.bytes(&body.0);
    out.append_checksum(0);
    out.0
}

/// Reads a header and builds its transform.
pub(in crate::stream) fn read_header(
    bytes: &[u8],
    budget: &mut MemoryBudget,
) -> Result<(Header, usize), StreamError> {
    let mut start = ByteReader::new(bytes, 0, "the header");
    let unknown = |reason: String| StreamError::UnknownFormat { offset: 0, reason };
    if start.take(4)? != MAGIC {
        return Err(unknown("it does not begin with GFW1".into()));
    }
    let version = start.value::<u32>()?;
    if version != VERSION {
        return Err(unknown(format!("version {version} instead of {VERSION}")));
    }
    let length = start.value::<u64>()?;
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    start.take(length)?;
    let checked_end = start.offset();
    let sum = start.value::<u64>()?;
    let covered = bytes.get(..checked_end).unwrap_or(&[]);
    if checksum(covered) != sum {
        return Err(start.damaged("the checksum of the header is wrong"));
    }
    let mut body = ByteReader::new(covered, PREFIX_BYTES, "the header");
    let header = read_body(&mut body, budget)?;
    if body.remaining() > 0 {
        return Err(body.damaged("the header is longer than what it says"));
    }
    Ok((header, checked_end + CHECKSUM_BYTES))
}

fn read_body(body: &mut ByteReader<'_>, budget: &mut MemoryBudget) -> Result<Header, StreamError> {
    let number = body.value::<u8>()?;
    let Some(&basis) = WaveletBasis::ALL.get(usize::from(number)) else {
        return Err(body.damaged(&format!("{number} is no basis")));
    };
    let flag = |body: &mut ByteReader<'_>, what: &str| match body.value::<u8>()? {
        0 => Ok(false),
        1 => Ok(true),
        other => Err(body.damaged(&format!("{other} is no {what}"))),
    };
    let lifted = flag(body, "choice of lifting")?;
    let (missing, areas) = match body.value::<u8>()? {
        0 => (MissingNeighbours::Renormalise, WaveletAreas::Nodal),
        1 => (MissingNeighbours::Zero, WaveletAreas::Nodal),
        2 => (MissingNeighbours::Renormalise, WaveletAreas::Unit),
        3 => (MissingNeighbours::Zero, WaveletAreas::Unit),
        other => {
            return Err(body.damaged(&format!("{other} is no rule for missing neighbours")));
        }
    };
    let size = usize::from(body.value::<u8>()?);
    let epsilon = body.value::<f64>()?;
    let finest_step = body.value::<f32>()?;
    let columns_per_packet = body.value::<u32>()?;
    let in_range = finest_step.is_normal() && finest_step > 0.0 && finest_step <= 64.0;
    if !matches!(size, 1 | 3) || !(0.0..=1.0).contains(&epsilon) || !in_range {
        return Err(body.damaged("a block size, a threshold or a step is out of range"));
    }
    if columns_per_packet == 0 {
        return Err(body.damaged("packets have no columns"));
    }
    let spec = TransformSpec {
        basis,
        lifted,
        missing,
        areas,
    };
    let (hierarchy, transform, areas) = read_transform(body, spec, budget)?;
    let columns = body.count(8, "columns")?;
    budget.charge(64 * columns as u64, "the columns", body.offset())?;
    let earlier = EarlierColumns::new(
        &hierarchy,
        transform.domain(),
        columns,
        Interpolation::Linear,
    );
    let mut coded: Vec<u16> = Vec::with_capacity(columns);
    for column in 0..columns {
        let top = body
            .signed()?
            .checked_add(expected(&earlier, column, &coded));
        let top = top.and_then(|top| u16::try_from(top).ok());
        // any multiple of the step is finite
        let amplitude = |top: u16| f32::from_bits(u32::from(top) << 16);
        let in_range =
            |top: &u16| (0.0..f32::MAX / MAX_STEPS).contains(&(amplitude(*top) * finest_step));
        let Some(top) = top.filter(in_range) else {
            return Err(body.damaged("the amplitude of a column is out of range"));
        };
        coded.push(top);
    }
    let amplitudes = coded
        .iter()
        .map(|&top| f32::from_bits(u32::from(top) << 16));
    Ok(Header {
        hierarchy,
        transform: Arc::new(transform),
        areas,
        size,
        epsilon,
        finest_step,
        columns_per_packet,
        amplitudes: amplitudes.collect(),
    })
}

/// The amplitude that earlier columns predict, as the upper half of its bits.
fn expected(earlier: &EarlierColumns, column: usize, coded: &[u16]) -> i64 {
    let part = |&(c, weight): &(u32, i64)| {
        let coded = coded.get(c as usize).copied();
        weight * i64::from(coded.unwrap_or(0))
    };
    earlier.for_column(column).iter().map(part).sum::<i64>() / WEIGHT_SUM
}

/// Reads hierarchy, domain and areas, and builds the transform.
fn read_transform(
    body: &mut ByteReader<'_>,
    spec: TransformSpec,
    budget: &mut MemoryBudget,
) -> Result<(SubdivisionHierarchy, WaveletTransform, Option<Vec<f64>>), StreamError> {
    let topology = Topology::read(body)?;
    let size = topology.size(body)?;
    if size.vertices > 8 * body.remaining() as u64 {
        return Err(body.damaged(&format!(
            "the domain of {} vertices cannot be in the {} bytes that are left",
            size.vertices,
            body.remaining()
        )));
    }
    // triangles, edges, opposite corners; steps, integrals, domain
    let mut needed = 250 * size.triangles + 400 * size.vertices;
    if spec.basis == WaveletBasis::ModifiedButterfly {
        needed = needed.saturating_add(topology.squared_valence_sum().saturating_mul(1024));
    }
    budget.charge(needed, "the levels", body.offset())?;
    let vertices = size.vertices as usize;
    let hierarchy = topology.build(body)?;
    let bits = body.take(vertices.div_ceil(8))?;
    let bit = |v: usize| bits.get(v / 8).is_some_and(|byte| byte >> (v % 8) & 1 == 1);
    let inside: Vec<bool> = (0..vertices).map(bit).collect();
    if spec.areas == WaveletAreas::Unit {
        budget.charge(8 * size.vertices, "the areas", body.offset())?;
    }
    let areas = read_areas(&hierarchy, body)?;
    let wrong = |source| StreamError::Hierarchy {
        offset: body.offset(),
        source,
    };
    let transform = WaveletTransform::new(&hierarchy, &inside, areas.as_deref(), &spec);
    let transform = transform.map_err(wrong)?;
    let areas = areas.filter(|_| spec.areas == WaveletAreas::Unit);
    // bytes of an entry while rows are built and afterwards
    const ENTRY: u64 = 48;
    let entries = row_entries(&transform, budget.remaining() / ENTRY);
    budget.charge(
        ENTRY * entries,
        "the rows of the inverse transform",
        body.offset(),
    )?;
    Ok((hierarchy, transform, areas))
}
