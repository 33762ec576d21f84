//! The begin of a stream is a coarser model.

use super::super::{ReadLimits, Stage, StreamReader, read};
use super::bodies::{BodyKind, body};

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn after_each_packet_the_columns_have_the_rows_that_arrived() -> Outcome {
    let body = body(&BodyKind::default())?;
    let bytes = body.written()?;
    let limits = ReadLimits::default();
    let whole = read(&bytes, &limits)?.matrix;
    let domain = whole.transform().domain();
    let mut reader = StreamReader::open(&bytes, &limits)?;
    assert_eq!(reader.available_level(), None);
    assert_eq!(reader.matrix().kept_blocks(), 0);
    let mut packets = 0;
    while let Some(packet) = reader.next_packet()? {
        packets += 1;
        let so_far = read(&bytes[..packet.end], &limits)?;
        assert_eq!(so_far.matrix, reader.matrix());
        assert_eq!(so_far.available_level, reader.available_level());
        assert_eq!(so_far.complete, packet.end == bytes.len());
        let end = packet.first_column + packet.columns;
        let all = end == whole.columns();
        let (stage_level, expected) = match packet.stage {
            Stage::Preview => (0, all.then_some(0)),
            Stage::Level(0) => (0, Some(0)),
            Stage::Level(level) => (level, Some(if all { level } else { level - 1 })),
        };
        assert_eq!(so_far.available_level, expected);
        for column in 0..whole.columns() {
            let (rows, blocks) = so_far.matrix.column(column);
            if packet.stage == Stage::Preview {
                let base = if column < end { domain.rows_to(0) } else { 0 };
                assert_eq!(rows.len(), base);
                continue;
            }
            // blocks of this stage are there for the columns so far, those before for all
            let (exact, blocks_exact) = whole.column(column);
            let level = stage_level + usize::from(column < end);
            let to = level.checked_sub(1).map_or(0, |l| domain.rows_to(l));
            let kept = exact.partition_point(|&row| (row as usize) < to);
            if level > 0 {
                assert_eq!(rows, &exact[..kept]);
                assert_eq!(blocks, &blocks_exact[..9 * kept]);
            }
        }
    }
    // five packets of 50 columns, a preview and four levels
    assert_eq!(packets, whole.columns().div_ceil(50) * 5);
    assert!(reader.is_complete());
    Ok(())
}

#[test]
fn the_preview_is_within_one_step_of_the_finest_level() -> Outcome {
    let body = body(&BodyKind::default())?;
    let bytes = body.written()?;
    let limits = ReadLimits::default();
    let whole = read(&bytes, &limits)?.matrix;
    let mut reader = StreamReader::open(&bytes, &limits)?;
    while reader.available_level().is_none() {
        reader.next_packet()?.ok_or("the stream ends early")?;
    }
    let preview = reader.matrix();
    let amplitudes = super::super::blocks::amplitudes(&body.matrix)?;
    for (column, amplitude) in amplitudes.iter().enumerate() {
        let step = 0.5 * 0.02 * amplitude;
        let (rows, blocks) = preview.column(column);
        let (_, exact) = whole.column(column);
        assert_eq!(rows.len(), whole.transform().domain().rows_to(0));
        for (x, y) in blocks.iter().zip(exact) {
            assert!((x - y).abs() < 1.001 * step, "{x} {y}");
        }
    }
    Ok(())
}
