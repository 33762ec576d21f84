//! What is read is what was written, rounded.

use pliant_fuzzing::on_threads;

use super::super::blocks::amplitudes;
use super::super::{ReadLimits, StreamError, StreamSpec, TransformSource, read, write};
use super::bodies::{Body, BodyKind, body, one_vertex, renumbered};
use crate::transform::{MissingNeighbours, TransformSpec, WaveletAreas, WaveletBasis};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Every number is the multiple of its step that is nearest, bit for bit, and blocks without one are gone.
fn check(body: &Body, spec: &StreamSpec) -> Outcome {
    let bytes = write(&body.matrix, &body.source(), b"skin", spec)?;
    let content = read(&bytes, &ReadLimits::default())?;
    assert!(content.complete);
    assert_eq!(content.extra, b"skin");
    let given = &body.matrix;
    let domain = given.transform().domain();
    assert_eq!(content.available_level, Some(domain.finest()));
    assert_eq!(**content.matrix.transform(), **given.transform());
    assert_eq!(
        (content.matrix.columns(), content.matrix.size()),
        (given.columns(), given.size())
    );
    let amplitudes = amplitudes(given)?;
    let block = given.size() * given.size();
    for (column, amplitude) in amplitudes.iter().enumerate() {
        let (rows, blocks) = given.column(column);
        let (mut kept_rows, mut kept) = (Vec::new(), Vec::new());
        for (&row, numbers) in rows.iter().zip(blocks.chunks_exact(block)) {
            let level = domain.level_of_row(row as usize);
            let finest = (spec.epsilon * spec.step) as f32;
            let step = finest * 0.5_f32.powi((domain.finest() - level) as i32) * amplitude;
            let rounded: Vec<f32> = numbers
                .iter()
                .map(|x| f64::from(*x) / f64::from(step))
                .map(|x| if x.abs() < 0.6 { 0.0 } else { x.round() })
                .map(|x| x as f32 * step)
                .collect();
            for (x, y) in numbers.iter().zip(&rounded) {
                let rounding = x.abs() * f32::EPSILON;
                assert!((x - y).abs() <= 0.6 * step + rounding, "{x} {y} {step}");
            }
            if level == 0 || rounded.iter().any(|x| *x != 0.0) {
                kept_rows.push(row);
                kept.extend(rounded);
            }
        }
        let (found_rows, found) = content.matrix.column(column);
        assert_eq!(found_rows, kept_rows, "column {column}");
        assert_eq!(found, kept, "column {column}");
    }
    let again = read(&bytes, &ReadLimits::default())?;
    assert_eq!(again.matrix, content.matrix);
    Ok(())
}

#[test]
fn a_stream_gives_the_nearest_multiples_of_the_steps() -> Outcome {
    let body = body(&BodyKind::default())?;
    check(&body, &body.spec())?;
    for (epsilon, step) in [(0.5, 2.0), (0.02, 1e-3), (1e-4, 0.01)] {
        let spec = StreamSpec {
            epsilon,
            step,
            ..StreamSpec::default()
        };
        check(&body, &spec)?;
    }
    Ok(())
}

#[test]
fn every_transform_is_built_again_bit_by_bit() -> Outcome {
    for basis in WaveletBasis::ALL {
        for (lifted, missing, areas) in [
            (true, MissingNeighbours::Zero, WaveletAreas::Nodal),
            (true, MissingNeighbours::Renormalise, WaveletAreas::Unit),
            (false, MissingNeighbours::Renormalise, WaveletAreas::Nodal),
        ] {
            let transform = TransformSpec {
                basis,
                lifted,
                missing,
                areas,
            };
            let kind = BodyKind {
                levels: 2,
                transform,
                ..BodyKind::default()
            };
            let plain = body(&kind)?;
            check(&plain, &plain.spec())?;
            let other = renumbered(&kind)?;
            check(&other, &other.spec())?;
        }
    }
    Ok(())
}

#[test]
fn scalar_blocks_few_columns_and_no_levels_are_streams_too() -> Outcome {
    let kinds = [
        BodyKind {
            size: 1,
            ..BodyKind::default()
        },
        BodyKind {
            columns: Some(7),
            ..BodyKind::default()
        },
        BodyKind {
            columns: Some(0),
            ..BodyKind::default()
        },
        BodyKind {
            levels: 0,
            ..BodyKind::default()
        },
        BodyKind {
            epsilon: 0.0,
            levels: 2,
            ..BodyKind::default()
        },
    ];
    for kind in kinds {
        let body = body(&kind)?;
        let spec = StreamSpec {
            epsilon: 0.02,
            columns_per_packet: 3,
            ..StreamSpec::default()
        };
        check(&body, &spec)?;
    }
    for size in [1, 3] {
        let body = one_vertex(size)?;
        check(&body, &body.spec())?;
    }
    Ok(())
}

#[test]
fn the_same_bytes_for_any_number_of_threads() -> Outcome {
    let body = body(&BodyKind::default())?;
    let mut streams = Vec::new();
    for threads in [1, 2, 8] {
        streams.push(on_threads(threads, || body.written())?);
    }
    assert!(streams.iter().all(|bytes| *bytes == streams[0]));
    Ok(())
}

#[test]
fn what_cannot_be_written_is_refused() -> Outcome {
    let body = body(&BodyKind::default())?;
    let refused = |source: &TransformSource<'_>, spec: &StreamSpec| {
        let refused = write(&body.matrix, source, &[], spec);
        refused.err().ok_or("it was written")
    };
    let spec = body.spec();
    for (epsilon, step, columns_per_packet) in [
        (0.0, 0.5, 1),
        (f64::NAN, 0.5, 1),
        (0.1, -1.0, 1),
        (0.1, 0.5, 0),
        (1e-30, 1e-30, 1),
    ] {
        let bad = StreamSpec {
            epsilon,
            step,
            columns_per_packet,
        };
        let error = refused(&body.source(), &bad)?;
        assert!(matches!(error, StreamError::BadSpec { .. }), "{error}");
    }
    let fine = StreamSpec {
        epsilon: 1e-9,
        ..spec
    };
    let error = refused(&body.source(), &fine)?;
    assert_eq!(error, StreamError::BeyondSteps { column: 0 });
    let without_areas = TransformSource {
        areas: None,
        ..body.source()
    };
    assert_eq!(refused(&without_areas, &spec)?, StreamError::OtherTransform);
    let coarser = super::bodies::body(&BodyKind {
        levels: 2,
        ..BodyKind::default()
    })?;
    assert_eq!(
        refused(&coarser.source(), &spec)?,
        StreamError::OtherTransform
    );
    Ok(())
}
