//! Lines, JSON and trace of a run of the servo loop.

use std::fmt::Write as _;

use pliant_core::math::numbers::counted;
use pliant_quasistatic::haptics::meter::TimeMeter;
use pliant_quasistatic::haptics::{ContactMode, HapticSurface};
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
        "largest force {:.4} N, unexplained jump {:.3} % of it, energy drawn {:.3e} J; at most {} nodes in contact",
        report.largest_force,
        report.force_jump * 100.0,
        report.passivity.violation,
        report.contact_nodes
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
        "vertices": surface.skin().vertex_count(), "nodes": surface.asset().nodes(), "fault": report.fault, "notes": notes,
        "trace": args.trace.as_ref().map(|f| f.display().to_string()),
    }))
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

/// Late ticks, including those skipped by a stall, over those that ran.
fn late_share(report: &ServoReport) -> f64 {
    report.late_ticks as f64 / report.ticks.max(1) as f64
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
    fn outdated_models_give_a_note_with_a_code_and_a_remedy() {
        assert_eq!(stale_note(0), None);
        let note = Note::read(&stale_note(3).expect("a note"));
        assert_eq!(note.code.as_deref(), Some("StaleModel"));
        assert!(note.sentence.starts_with("in 3 ticks ") && note.sentence.contains("remedy: "));
    }
}
