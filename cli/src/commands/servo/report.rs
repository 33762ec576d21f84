//! Lines, JSON and trace of a run of the servo loop.

use std::fmt::Write as _;

use pliant_core::math::numbers::counted;
use pliant_quasistatic::haptics::meter::TimeMeter;
use pliant_quasistatic::haptics::{ContactMode, DetailReport, HapticSurface};
use pliant_render::note::Note;
use pliant_simulation::servo::{ServoRecord, ServoReport};
use serde_json::{Value, json};

use crate::args::Servo;
use crate::output::Done;
use crate::session::Session;

/// Prints lines and gives the JSON of a run.
pub(super) fn print(
    session: &Session,
    args: &Servo,
    surface: &HapticSurface,
    report: &ServoReport,
    radius: f64,
    mut notes: Vec<String>,
) -> Done {
    let surface_report = surface.report();
    if surface_report.unresolved > 0 {
        notes.push(format!(
            "MaskUnresolved: around {} vertices the mask of {radius:.4} m is below 1.5 edges, so that their stiffness depends on the mesh",
            surface_report.unresolved
        ));
    }
    if surface_report.repaired > 0 {
        notes.push(format!(
            "the stiffness of {} vertices was not positive definite and was corrected",
            surface_report.repaired
        ));
    }
    notes.extend(surface.detail().into_iter().flat_map(detail_notes));
    if report.failed_frames > 0 {
        notes.push(format!(
            "{} frames of the body could not be solved: the force of the last solved frame faded out",
            report.failed_frames
        ));
    }
    notes.extend(stale_note(report.stale_ticks));
    if report.touching == 0 {
        notes.push("the tip touched nothing".to_string());
    }
    let output = &session.output;
    output.line(format!(
        "{} ticks; {} of them in contact, {} sliding; {} ({:.3} %) more than 0.2 ms late",
        report.ticks,
        report.touching,
        report.sliding,
        report.late_ticks,
        late_share(report) * 100.0
    ));
    output.line(times("work of a tick", &report.compute));
    if report.compute_late.count() > 0 {
        output.line(times("of late ticks", &report.compute_late));
    }
    output.line(times("tick to tick", &report.period));
    output.line(format!(
        "largest force {:.4} N, unexplained jump {:.3} % of it, energy drawn {:.3e} J; at most {} in contact",
        report.largest_force,
        report.force_jump * 100.0,
        report.passivity.violation,
        counted(report.contact_nodes, "node")
    ));
    for note in &notes {
        output.line(format!("note: {}", Note::read(note)));
    }
    Done::new(json!({
        "ticks": report.ticks, "late_ticks": report.late_ticks, "late_share": late_share(report),
        "compute_us": quantiles(&report.compute), "compute_late_us": quantiles(&report.compute_late), "period_us": quantiles(&report.period),
        "contact_nodes_max": report.contact_nodes, "force_jump_max": report.force_jump,
        "passivity_violation_j": report.passivity.violation, "passivity_corrected": report.passivity.corrected,
        "force_max_n": report.largest_force, "touching": report.touching, "sliding": report.sliding,
        "displacement_max_m": report.displacement, "frames": report.frames,
        "frame_max_ms": report.slowest_frame * 1e3, "frames_failed": report.failed_frames, "stale_ticks": report.stale_ticks, "mask_radius_m": radius,
        "mask_vertices_max": surface_report.largest_mask,
        "surface": {
            "repaired": surface_report.repaired, "unresolved": surface_report.unresolved, "limited": surface_report.limited, "asymmetry": surface_report.asymmetry,
        },
        "detail": surface.detail().map(|detail| json!({
            "samples": detail.samples, "apart": detail.apart, "limited": detail.limited, "slope_max": detail.max_slope,
            "spacing_m": detail.spacing, "edge_m": detail.detail_edge,
        })),
        "vertices": surface.skin().vertex_count(), "nodes": surface.asset().nodes(), "fault": report.fault, "notes": notes,
        "trace": args.trace.as_ref().map(|f| f.display().to_string()),
    }))
}

/// Share of samples without detail, or with detail that is too steep, from which on there is a note.
const NOTED_SHARE: f64 = 0.01;

/// Notes on detail that is not felt.
fn detail_notes(detail: &DetailReport) -> Vec<String> {
    let percent = |count: usize| 100.0 * count as f64 / detail.samples.max(1) as f64;
    let is_noted = |count: usize| percent(count) > 100.0 * NOTED_SHARE;
    let mut notes = Vec::new();
    if is_noted(detail.apart) {
        notes.push(format!(
            "DetailMissing: over {:.0} % of the skin there is no detail, and the skin is felt as it is\n  remedy: a finer mesh of the whole body, of the same size and in the same place",
            percent(detail.apart)
        ));
    }
    if is_noted(detail.limited) {
        notes.push(format!(
            "DetailSteep: over {:.0} % of the skin the detail is steeper than 45 degrees, and is felt as a slope of 45 degrees\n  remedy: a finer skin, which follows the detail",
            percent(detail.limited)
        ));
    }
    if detail.detail_edge < detail.spacing {
        notes.push(format!(
            "DetailUnresolved: the detail has edges of {:.2e} m, but is sampled every {:.2e} m\n  remedy: coarser detail, or a finer skin",
            detail.detail_edge, detail.spacing
        ));
    }
    notes
}

/// A note on ticks with an outdated model of the body.
fn stale_note(ticks: u64) -> Option<String> {
    (ticks > 0).then(|| {
        format!(
            "StaleModel: in {} the model of the body was older than 50 ms, and its force faded: frames of the body take too long\n  remedy: a coarser body (`quasistatic.boundary`), or fewer other programs",
            counted(ticks as usize, "tick")
        )
    })
}

/// Late ticks, including those skipped by a stall, over those that were due: at most 1.
fn late_share(report: &ServoReport) -> f64 {
    let due = report.ticks.saturating_add(report.swallowed_ticks);
    // the tick that ends the run may be late, and does not run
    (report.late_ticks as f64 / due.max(1) as f64).min(1.0)
}

fn times(name: &str, meter: &TimeMeter) -> String {
    format!(
        "{name}: p50 {:.2}, p99 {:.2}, p99.9 {:.2}, max {:.1} us",
        meter.quantile_us(0.5),
        meter.quantile_us(0.99),
        meter.quantile_us(0.999),
        meter.max_us()
    )
}

fn quantiles(meter: &TimeMeter) -> Value {
    json!({
        "p50": meter.quantile_us(0.5), "p99": meter.quantile_us(0.99),
        "p999": meter.quantile_us(0.999), "max": meter.max_us(),
    })
}

/// Each tick as a line of a table.
pub(super) fn trace_text(records: &[ServoRecord]) -> String {
    let mut text = String::from("time,x,y,z,fx,fy,fz,mode\n");
    for row in records {
        let (x, f) = (row.tip, row.force);
        let mode = match row.mode {
            ContactMode::Open => "open",
            ContactMode::Stick => "stick",
            ContactMode::Slip => "slip",
        };
        // writing to a string cannot fail
        let _ = writeln!(
            text,
            "{:e},{:e},{:e},{:e},{:e},{:e},{:e},{mode}",
            row.time, x.x, x.y, x.z, f.x, f.y, f.z
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detail_that_is_not_felt_gives_notes_with_codes_and_remedies() {
        let all_felt = DetailReport {
            samples: 1000,
            apart: 10,
            limited: 10,
            max_slope: 0.2,
            spacing: 1e-3,
            detail_edge: 1e-3,
        };
        assert!(detail_notes(&all_felt).is_empty());
        let lost = DetailReport {
            apart: 200,
            limited: 100,
            detail_edge: 1e-4,
            ..all_felt
        };
        let notes = detail_notes(&lost);
        let read: Vec<Note> = notes.iter().map(|note| Note::read(note)).collect();
        let codes = read.iter().filter_map(|note| note.code.as_deref());
        let expected = ["DetailMissing", "DetailSteep", "DetailUnresolved"];
        assert!(codes.eq(expected));
        assert!(read.iter().all(|note| note.sentence.contains("remedy: ")));
    }

    #[test]
    fn late_ticks_are_a_share_of_those_that_were_due() {
        let report = ServoReport {
            ticks: 70,
            late_ticks: 298,
            swallowed_ticks: 230,
            ..ServoReport::default()
        };
        assert!((late_share(&report) - 298.0 / 300.0).abs() < 1e-12);
        assert_eq!(late_share(&ServoReport::default()), 0.0);
    }

    #[test]
    fn outdated_models_give_a_note_with_a_code_and_a_remedy() {
        assert_eq!(stale_note(0), None);
        let note = Note::read(&stale_note(3).expect("a note"));
        assert_eq!(note.code.as_deref(), Some("StaleModel"));
        assert!(note.sentence.starts_with("in 3 ticks ") && note.sentence.contains("remedy: "));
    }
}
