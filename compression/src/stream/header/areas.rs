//! Areas of vertices in bytes: bit patterns as differences from those of neighbouring vertices, range-coded without loss.

use crate::stream::bytes::{ByteReader, ByteWriter};
use crate::stream::coder::{AdaptiveBit, BinaryCoder, IntegerModel, RangeDecoder, RangeEncoder};
use crate::stream::error::StreamError;
use crate::subdivision::SubdivisionHierarchy;

const NO_AREAS: u8 = 0;
/// All areas are exact in single precision.
const SINGLE: u8 = 1;
const DOUBLE: u8 = 2;

/// Appends the areas of the vertices of the finest level, or a mark that there are none.
pub(in crate::stream) fn write_areas(
    areas: Option<&[f64]>,
    hierarchy: &SubdivisionHierarchy,
    out: &mut ByteWriter,
) {
    let Some(areas) = areas else {
        return out.value(NO_AREAS);
    };
    let is_single = |x: &f64| f64::from(*x as f32).to_bits() == x.to_bits();
    let single = areas.iter().all(is_single);
    let pattern = |x: &f64| {
        if single {
            u64::from((*x as f32).to_bits())
        } else {
            x.to_bits()
        }
    };
    let patterns: Vec<u64> = areas.iter().map(pattern).collect();
    let mut encoder = RangeEncoder::new();
    let mut models = PatternModels::default();
    for (vertex, ends) in predecessors(hierarchy).take(areas.len()).enumerate() {
        let expected = expected(&patterns[..vertex], ends);
        models.code(&mut encoder, patterns[vertex].wrapping_sub(expected));
    }
    let bytes = encoder.finish();
    out.value(if single { SINGLE } else { DOUBLE });
    out.varint(bytes.len() as u64);
    out.bytes(&bytes);
}

/// Reads the areas of all vertices. Memory: 8 bytes a vertex.
///
/// # Errors
/// [`StreamError::Truncated`], [`StreamError::Damaged`].
pub(in crate::stream) fn read_areas(
    hierarchy: &SubdivisionHierarchy,
    body: &mut ByteReader<'_>,
) -> Result<Option<Vec<f64>>, StreamError> {
    let single = match body.value::<u8>()? {
        NO_AREAS => return Ok(None),
        SINGLE => true,
        DOUBLE => false,
        other => return Err(body.damaged(&format!("{other} is no kind of areas"))),
    };
    let length = body.count(8, "bytes of areas")?;
    let at = *body;
    let mut decoder = RangeDecoder::new(body.take(length)?);
    let mut models = PatternModels::default();
    let mut patterns: Vec<u64> = Vec::with_capacity(hierarchy.vertex_count(hierarchy.finest()));
    for ends in predecessors(hierarchy) {
        let expected = expected(&patterns, ends);
        patterns.push(models.code(&mut decoder, 0).wrapping_add(expected));
        if decoder.is_exhausted() {
            return Err(at.damaged("the areas end too early"));
        }
    }
    let area = |&pattern: &u64| {
        let area = match (single, u32::try_from(pattern)) {
            (true, Ok(pattern)) => f64::from(f32::from_bits(pattern)),
            (true, Err(_)) => f64::NAN,
            (false, _) => f64::from_bits(pattern),
        };
        let in_range = area.is_finite() && area >= 0.0;
        in_range
            .then_some(area)
            .ok_or_else(|| at.damaged("an area is negative or not finite"))
    };
    patterns
        .iter()
        .map(area)
        .collect::<Result<Vec<f64>, _>>()
        .map(Some)
}

/// The ends of the edge that each vertex splits; on the base level the vertex before, twice.
fn predecessors(hierarchy: &SubdivisionHierarchy) -> impl Iterator<Item = [u32; 2]> + '_ {
    let base = (0..hierarchy.vertex_count(0) as u32).map(|v| [v.saturating_sub(1); 2]);
    let levels = 1..=hierarchy.finest();
    base.chain(levels.flat_map(|level| hierarchy.parents(level).iter().copied()))
}

/// The mean of two patterns; zero where there is none yet.
fn expected(patterns: &[u64], ends: [u32; 2]) -> u64 {
    let [a, b] = ends.map(|v| patterns.get(v as usize).copied().unwrap_or(0));
    (a & b) + ((a ^ b) >> 1)
}

/// Models of differences of bit patterns.
#[derive(Default)]
struct PatternModels {
    high: IntegerModel,
    low: [AdaptiveBit; 32],
    narrow: AdaptiveBit,
    narrow_number: IntegerModel,
}

impl PatternModels {
    fn code<C: BinaryCoder>(&mut self, coder: &mut C, difference: u64) -> u64 {
        let signed = difference as i64;
        let is_narrow = i32::try_from(signed).is_ok();
        if coder.code(is_narrow, &mut self.narrow) {
            return i64::from(self.narrow_number.code(coder, signed as i32, 0)) as u64;
        }
        let mut decoded = u64::from(self.high.code(coder, (signed >> 32) as i32, 0) as u32);
        for (place, model) in self.low.iter_mut().enumerate().rev() {
            let bit = coder.code(signed >> place & 1 == 1, model);
            decoded = decoded << 1 | u64::from(bit);
        }
        decoded
    }
}
