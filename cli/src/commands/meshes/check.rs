//! `pliant check`: what is wrong with a mesh.

use pliant_core::math::numbers::{counted, decimal, grouped};
use pliant_meshing::io::{ReadOptions, read_mesh_with};
use serde_json::Value;

use crate::args::Check;
use crate::failure::Failure;
use crate::output::Done;
use crate::session::Session;

/// Runs the command. A mesh with problems is a result, not a failure.
pub fn check(session: &Session, args: &Check) -> Result<Done, Failure> {
    let watch = session.output.watch(&session.progress);
    let options = ReadOptions {
        keep_non_finite: true,
    };
    let file =
        read_mesh_with(&args.mesh, &options).map_err(|e| Failure::reading(&args.mesh, &e))?;
    let report = pliant_meshing::report::check(&file.surface, &session.progress)?;
    drop(watch);
    let out = &session.output;
    out.line(format!(
        "{}: {}, {} vertices, {}",
        args.mesh.display(),
        counted(report.triangles, "triangle"),
        grouped(report.vertices),
        file.format.name()
    ));
    let yes = |flag: bool| if flag { "yes" } else { "no" };
    out.line(format!(
        "closed {}, manifold {}, oriented {}, components {}, genus {}, holes {}, self-intersections {}",
        yes(report.closed),
        yes(report.manifold),
        yes(report.oriented),
        report.components,
        report.genus.map_or("-".to_string(), |g| g.to_string()),
        report.boundary_loops,
        report.self_intersections
    ));
    for note in &file.notes {
        out.line(format!("  reading: {note}"));
    }
    for problem in &report.problems {
        out.line(format!(
            "  {} {}: {} ({})",
            problem.severity, problem.code, problem.message, problem.hint
        ));
    }
    for repair in &report.repairs {
        out.line(format!("  repair: {repair}"));
    }
    if let Some(walls) = &report.walls {
        let levels: Vec<String> = walls
            .levels
            .iter()
            .map(|l| format!("{:.1} at {} nodes", l.edges_in_wall, l.nodes))
            .collect();
        out.line(format!(
            "thinnest wall {} (half of the surface: {}), in edges: {}",
            decimal(walls.thinnest),
            decimal(walls.median),
            levels.join(", ")
        ));
    }
    out.line(if report.problems.is_empty() {
        "no problems: ready to simulate"
    } else if report.repairable && report.repairs.is_empty() {
        "usable as it is: no repair is needed, but see the problems above"
    } else if report.repairable {
        "repairable: Pliant repairs this when it opens the mesh"
    } else {
        "not repairable: every command refuses this mesh; where the surface is open or a sheet, `--thickness METRES` makes walls around it"
    });
    let mut fields = serde_json::to_value(&report).unwrap_or(Value::Null);
    fields["format"] = file.format.name().into();
    fields["notes"] = file.notes.into();
    Ok(Done::new(fields))
}
