//! What the paper claims, beside what we measure on this machine.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use pliant_adaptive::benchmark::KERNELS;
use pliant_adaptive::cut::{Cut, Interface};
use pliant_adaptive::multirate::{CutDynamics, FrameConstraints, FrameTotals};
use pliant_adaptive::{AdaptiveModel, AdaptiveParams, ElementModel, LodHierarchy, Resolution};
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::boundary::BoundaryConditions;
use pliant_core::inspect::Inspect;
use pliant_core::material::{Damping, LameParameters, Material, MaterialLaw};
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_core::model::{DeformableModel, FrameRequest};
use pliant_core::scene::Selection;

use crate::Failed;

const FRAME: f64 = 1.0 / 60.0;

/// Writes the table as CSV and prints it.
pub fn write(folder: &Path, quick: bool) -> Result<(), Failed> {
    let mut table = String::from("claim,paper,ours\n");
    gain(&mut table, quick)?;
    range(&mut table)?;
    stability(&mut table, quick)?;
    print!("{table}");
    std::fs::write(folder.join("claims.csv"), table)?;
    Ok(())
}

/// Work and time against the finest level alone.
fn gain(table: &mut String, quick: bool) -> Result<(), Failed> {
    let bench = KERNELS.iter().find(|k| k.name == "adaptive-poke");
    let bench = bench.ok_or("the bench of the poke is there")?;
    let case = (bench.prepare)(if quick { 4_851 } else { 35_301 })?;
    for (name, value) in &case.facts {
        let paper = if name.contains("evaluations") {
            "5 to 20"
        } else {
            ""
        };
        writeln!(
            table,
            "a poke on {} nodes: {name},{paper},{value:.3}",
            case.size
        )?;
    }
    Ok(())
}

fn block(
    cells: &[[usize; 3]],
    material: Material,
    held: Selection,
) -> Result<Arc<LodHierarchy>, Failed> {
    let tets = |&cells| box_tets(Vec3::repeat(1.0), cells, CellStyle::Alternating);
    let geometry = BodyGeometry::of_levels(cells.iter().map(tets), material).held_at("foot", held);
    Ok(Arc::new(LodHierarchy::bake(&geometry, &Progress::new())?))
}

/// One second of a cube under its weight for Lamé parameters over five decades, nothing else changed: frames a second by work, steps and strain.
fn range(table: &mut String) -> Result<(), Failed> {
    for lame in [10.0, 1e3, 1e5, 1e6] {
        let material = Material {
            elastic: LameParameters {
                lambda: lame,
                mu: lame,
            }
            .into(),
            density: 1000.0,
            damping: Damping::Ratio(0.2),
            law: MaterialLaw::StableNeoHookean,
        };
        let asset = block(&[[2; 3], [4; 3]], material, Selection::Lowest(0.01))?;
        let params = AdaptiveParams {
            resolution: Resolution::Cut,
            ..AdaptiveParams::default()
        };
        let budget = params.budget_units;
        let mut body = AdaptiveModel::new(asset, params)?;
        // a weight that strains the softest as much as the stiffest
        let gravity = 2e-5 * lame;
        let boundary = BoundaryConditions::with_gravity(Vec3::new(0.0, -gravity, 0.0));
        let (mut most, mut worst, mut scale) = (0, 0.0_f64, 0.0_f64);
        for _ in 0..60 {
            let report = body.advance(FrameRequest::new(FRAME, &boundary))?;
            most = most.max(report.work_used);
            if let Some(energy) = report.energy {
                worst = worst.max(energy.balance().abs());
                scale = scale.max(energy.scale());
            }
        }
        let steps = body.stats().counter("substeps").unwrap_or(0.0);
        writeln!(
            table,
            "stable at lambda = mu = {lame} Pa,10 to 1e6 Pa,\"{steps} steps a frame, {:.1} % of the budget, energy balance {:.2} %\"",
            100.0 * most as f64 / budget as f64,
            100.0 * worst / scale
        )?;
    }
    Ok(())
}

/// A half-refined undamped cube: rates, and the growth of its energy under both interfaces.
fn stability(table: &mut String, quick: bool) -> Result<(), Failed> {
    let material = Material {
        elastic: LameParameters {
            lambda: 5e5,
            mu: 4e5,
        }
        .into(),
        density: 1000.0,
        damping: Damping::Ratio(0.0),
        law: MaterialLaw::Green,
    };
    let wall = Selection::HalfSpace {
        point: [-0.499, 0.0, 0.0],
        normal: [-1.0, 0.0, 0.0],
    };
    let asset = block(&[[3; 3], [6; 3], [12; 3]], material, wall)?;
    let gravity = Vec3::new(0.0, -9.81, 0.0);
    for (interface, name, claim) in [
        (Interface::Conservative, "conservative", ""),
        (Interface::Paper, "paper", "stable"),
    ] {
        let params = AdaptiveParams {
            interface,
            recover: false,
            allow_unstable: true,
            ..AdaptiveParams::default()
        };
        let model = ElementModel::Green;
        let mut dynamics = CutDynamics::new(asset.clone(), model, Damping::Ratio(0.0), &params);
        dynamics.change_cut(|cut: &mut Cut| {
            let forest = cut.forest().clone();
            for (level, from) in [(0, 0.0), (1, 0.25)] {
                for node in forest.nodes_of_level(level) {
                    if forest.rest()[node as usize].x > from && cut.is_active(node) {
                        cut.split(node);
                    }
                }
            }
        });
        let (mut largest, mut last) = (0.0_f64, 0.0);
        let mut grown = None;
        let frames = if quick { 120 } else { 1200 };
        for frame in 0..frames {
            dynamics.prepare_frame(FRAME, &[], f64::INFINITY);
            let (mut none, mut totals) = (FrameConstraints::default(), FrameTotals::default());
            dynamics.fire(FRAME, &gravity, &mut none, &mut totals);
            last = dynamics.kinetic_energy()
                + dynamics.elastic_energy()
                + dynamics.potential_energy(&gravity);
            if frame < 60 {
                largest = largest.max(dynamics.kinetic_energy());
            }
            if !last.is_finite() || last > 10.0 * largest {
                grown = Some(f64::from(frame) * FRAME);
                break;
            }
        }
        let ours = match grown {
            Some(time) => format!("energy tenfold after {time:.2} s"),
            None => format!(
                "energy {:+.2} % of the largest kinetic energy after {:.0} s",
                100.0 * last / largest,
                f64::from(frames) * FRAME
            ),
        };
        writeln!(
            table,
            "undamped body of three levels: `{name}` interface,{claim},{ours}"
        )?;
        if interface == Interface::Conservative {
            let rates: Vec<String> = (dynamics.groups().iter())
                .map(|g| {
                    (f64::from(dynamics.steps().parts() << g.level()) / FRAME)
                        .round()
                        .to_string()
                })
                .collect();
            writeln!(
                table,
                "step rates side by side in it (Hz),300 to 5000,{}",
                rates.join(" ")
            )?;
        }
    }
    Ok(())
}
