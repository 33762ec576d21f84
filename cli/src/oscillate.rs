//! `pliant oscillate`: the clamped block of Debunne et al. 2001, figures 4 to 6, with pass bands.

use pliant_adaptive::params::ElementModel;
use pliant_adaptive::study::{OscillationRun, oscillate as swing};
use pliant_adaptive::study_mesh::box_with_about;
use pliant_adaptive::study_reference::BlockReference;
use pliant_core::material::{Damping, Material, MaterialLaw, YoungPoisson};
use pliant_core::math::Vec3;
use pliant_render::{Plot, Series};
use serde_json::{Value, json};

use crate::args::Oscillate;
use crate::failure::{CHECK_FAILED, Failure};
use crate::out_folder::OutFolder;
use crate::output::number;
use crate::session::Session;

/// The cube whose converged answer is known: edge (m), E (Pa), ν, ρ (kg/m³), g (m/s²).
const CUBE: (f64, f64, f64, f64, f64) = (1.0, 1.022222e6, 0.277778, 1000.0, 9.81);
/// Converged period and mean trough of the cube (spectral elements, 21,793 nodes of a half model): s, m.
const REFERENCE: (f64, f64) = (0.29544, -0.05671);
/// Pass bands of the error (share of the reference) of period and trough depth for linear tetrahedra of Green and Cauchy strain:
/// what six mesh realisations a level scattered over, widened by a quarter.
const BANDS: [Band; 3] = [
    Band {
        nodes: 27,
        period: (-0.15, -0.08),
        trough: (-0.42, -0.23),
    },
    Band {
        nodes: 57,
        period: (-0.11, -0.07),
        trough: (-0.24, -0.16),
    },
    Band {
        nodes: 137,
        period: (-0.07, -0.04),
        trough: (-0.16, -0.10),
    },
];
/// Largest error of the period, either way, of calibrated Green and Cauchy elements on the reference cube from so many nodes on.
const CALIBRATED: [(usize, f64); 2] = [(137, 0.02), (57, 0.03)];
/// Lowest and highest error at a level.
struct Band {
    nodes: usize,
    period: (f64, f64),
    trough: (f64, f64),
}

/// Largest energy drift of an undamped run over the largest kinetic energy.
const DRIFT: f64 = 0.025;

/// Runs the command.
pub fn oscillate(session: &Session, args: &Oscillate) -> Result<u8, Failure> {
    let study = Study::from_args(args)?;
    let out = args
        .out
        .as_deref()
        .map(|p| OutFolder::prepare(Some(p), "oscillate"))
        .transpose()?;
    let watch = session.output.watch(&session.progress);
    let reference = match study.calibrates() {
        true => {
            session.progress.stage("lowest modes of finer meshes");
            let made = BlockReference::new(study.size, &study.material, &session.progress);
            Some(made.map_err(|e| Failure::from_text(e.code(), &e.to_string(), None))?)
        }
        false => None,
    };
    let mut runs = Vec::new();
    for &model in &study.models {
        for &nodes in &study.nodes {
            runs.extend(study.run(session, model, nodes, reference.as_ref())?);
        }
    }
    drop(watch);
    let checks = study.checks(&runs);
    let ok = checks.iter().all(|c| c.pass);
    if let Some(reference) = &reference {
        session.output.line(reference_line(reference));
    }
    for one in &runs {
        session.output.line(line(one));
    }
    for check in checks.iter().filter(|c| !c.pass) {
        session.output.line(format!(
            "FAILED {} of {}: {:.5} is not in {:.5} to {:.5}",
            check.metric, check.of, check.value, check.min, check.max
        ));
    }
    session.output.line(format!(
        "{} of {} checks passed",
        checks.iter().filter(|c| c.pass).count(),
        checks.len()
    ));
    let fields = json!({
        "size": study.size.as_slice(), "duration": number(study.duration), "gravity": number(study.gravity),
        "mode_frequencies_hz": reference.map(|r| r.frequencies().into_iter().map(number).collect::<Vec<_>>()),
        "runs": runs.iter().map(run_json).collect::<Vec<_>>(),
        "checks": checks.iter().map(Check::json).collect::<Vec<_>>(),
    });
    if let Some(out) = out {
        out.write("oscillate.json", format!("{fields:#}\n").as_bytes())?;
        out.write("oscillate.svg", plot(&runs).svg().as_bytes())?;
        session
            .output
            .line(format!("written to {}", out.path().display()));
    }
    session.output.json("oscillate", ok, fields)?;
    Ok(if ok { 0 } else { CHECK_FAILED })
}

/// One curve with what it came from.
struct Swing {
    asked: usize,
    /// factor on Young's modulus; `None` for plain elements
    factor: Option<f64>,
    run: OscillationRun,
}

struct Study {
    uncalibrated: bool,
    models: Vec<ElementModel>,
    nodes: Vec<usize>,
    size: Vec3,
    material: Material,
    gravity: f64,
    duration: f64,
    is_reference_cube: bool,
}

impl Study {
    fn from_args(args: &Oscillate) -> Result<Self, Failure> {
        let models = if args.model.is_empty() {
            vec![
                ElementModel::Spring,
                ElementModel::Cauchy,
                ElementModel::Simplified,
                ElementModel::Green,
            ]
        } else {
            args.model
                .iter()
                .map(|name| {
                    ElementModel::from_name(name).ok_or_else(|| {
                        Failure::bad_input(
                            "UnknownModel",
                            format!("unknown model `{name}`"),
                            "use green, cauchy, simplified or spring",
                        )
                    })
                })
                .collect::<Result<_, _>>()?
        };
        let nodes = if args.nodes.is_empty() {
            vec![27, 57, 137]
        } else {
            args.nodes.clone()
        };
        if let Some(bad) = nodes.iter().find(|n| !(8..=200_000).contains(*n)) {
            return Err(Failure::bad_input(
                "BadNodes",
                format!("{bad} nodes are not possible"),
                "give 8 to 200000",
            ));
        }
        let (edge, young, poisson, density, gravity) = CUBE;
        let size = match &args.size {
            None => Vec3::repeat(edge),
            Some(text) => parse_size(text)?,
        };
        let positive = |name: &str, value: Option<f64>, default: f64| match value {
            None => Ok(default),
            Some(v) if v > 0.0 && v.is_finite() => Ok(v),
            Some(v) => Err(Failure::bad_input(
                "BadValue",
                format!("--{name} {v} is not possible"),
                "give a positive number",
            )),
        };
        let poisson = match args.poisson {
            None => poisson,
            Some(v) if v > -0.9 && v < 0.4999 => v,
            Some(v) => {
                return Err(Failure::bad_input(
                    "BadValue",
                    format!("--poisson {v} is not possible"),
                    "give a number above -0.9 and below 0.4999",
                ));
            }
        };
        let gravity = match args.gravity {
            None => gravity,
            Some(g) if g.is_finite() && g != 0.0 => g,
            Some(g) => {
                return Err(Failure::bad_input(
                    "BadValue",
                    format!("--gravity {g} swings nothing"),
                    "give m/s2, for example 9.81",
                ));
            }
        };
        Ok(Self {
            uncalibrated: args.uncalibrated,
            models,
            nodes,
            size,
            material: Material {
                elastic: YoungPoisson {
                    young: positive("young", args.young, young)?,
                    poisson,
                },
                density: positive("density", args.density, density)?,
                damping: Damping::Ratio(0.0),
                law: MaterialLaw::Green,
            },
            gravity,
            duration: crate::compare::checked_duration(args.duration)?.unwrap_or(3.0),
            is_reference_cube: args.young.is_none()
                && args.poisson.is_none()
                && args.density.is_none()
                && args.gravity.is_none()
                && args.size.is_none(),
        })
    }

    /// Whether there is anything to calibrate: springs have no modulus that a factor could mend.
    fn calibrates(&self) -> bool {
        !self.uncalibrated && self.models.iter().any(|m| m.law().is_some())
    }

    /// The plain run and, with a reference, the calibrated one.
    fn run(
        &self,
        session: &Session,
        model: ElementModel,
        nodes: usize,
        reference: Option<&BlockReference>,
    ) -> Result<Vec<Swing>, Failure> {
        let mesh = box_with_about(self.size, nodes);
        let mut factors = vec![None];
        if let Some(reference) = reference.filter(|_| model.law().is_some()) {
            let found = reference.stiffness_factor(&mesh, &session.progress);
            let found = found.map_err(|e| Failure::from_text(e.code(), &e.to_string(), None))?;
            factors.push(Some(found));
        }
        let mut runs = Vec::with_capacity(factors.len());
        for factor in factors {
            session
                .progress
                .stage(&format!("{}, {} nodes", model.name(), mesh.nodes.len()));
            let mut material = self.material;
            material.elastic.young *= factor.unwrap_or(1.0);
            let run = swing(
                &mesh,
                self.size,
                &material,
                self.gravity,
                model,
                self.duration,
                &session.progress,
            )
            .map_err(|e| Failure::from_text(e.code(), &e.to_string(), None))?;
            runs.push(Swing {
                asked: nodes,
                factor,
                run,
            });
        }
        Ok(runs)
    }

    /// Energy for every run; period and trough of the reference cube for Green and Cauchy at the three levels, the period alone where calibrated.
    fn checks(&self, runs: &[Swing]) -> Vec<Check> {
        let mut checks = Vec::new();
        for Swing { asked, factor, run } in runs {
            let of = format!(
                "{}{} at {} nodes",
                run.model.name(),
                if factor.is_some() { " calibrated" } else { "" },
                run.nodes
            );
            let mut add = |metric: &str, value: Option<f64>, min: f64, max: f64| {
                let value = value.unwrap_or(f64::NAN);
                checks.push(Check {
                    metric: metric.to_string(),
                    of: of.clone(),
                    value,
                    min,
                    max,
                    pass: value >= min && value <= max,
                });
            };
            add("energy_drift", run.energy_drift, 0.0, DRIFT);
            let band = BANDS.iter().find(|b| b.nodes == *asked);
            let judged = matches!(run.model, ElementModel::Green | ElementModel::Cauchy);
            if factor.is_some() {
                if self.is_reference_cube
                    && judged
                    && let Some((_, most)) = CALIBRATED.iter().find(|(from, _)| asked >= from)
                {
                    let error = run.period_s.map(|p| p / REFERENCE.0 - 1.0);
                    add("period_error", error, -most, *most);
                }
                continue;
            }
            if self.is_reference_cube
                && judged
                && let Some(band) = band
            {
                add(
                    "period_error",
                    run.period_s.map(|p| p / REFERENCE.0 - 1.0),
                    band.period.0,
                    band.period.1,
                );
                add(
                    "trough_error",
                    run.trough_m.map(|t| t / REFERENCE.1 - 1.0),
                    band.trough.0,
                    band.trough.1,
                );
            }
        }
        checks
    }
}

struct Check {
    metric: String,
    of: String,
    value: f64,
    min: f64,
    max: f64,
    pass: bool,
}

impl Check {
    fn json(&self) -> Value {
        json!({
            "metric": self.metric, "of": self.of, "against": "reference",
            "value": number(self.value), "min": number(self.min), "max": number(self.max), "pass": self.pass,
        })
    }
}

fn parse_size(text: &str) -> Result<Vec3, Failure> {
    let numbers: Option<Vec<f64>> = text
        .split(',')
        .map(|p| p.trim().parse::<f64>().ok())
        .collect();
    let size = match numbers.as_deref() {
        Some([edge]) => Vec3::repeat(*edge),
        Some([x, y, z]) => Vec3::new(*x, *y, *z),
        _ => Vec3::zeros(),
    };
    if size.iter().all(|x| *x > 1e-4 && *x < 1e3) {
        Ok(size)
    } else {
        Err(Failure::bad_input(
            "BadSize",
            format!("--size {text} is not possible"),
            "give one edge or x,y,z in metres, 0.0001 to 1000",
        ))
    }
}

fn reference_line(reference: &BlockReference) -> String {
    let modes: Vec<String> = reference
        .frequencies()
        .iter()
        .map(|f| format!("{f:.4}"))
        .collect();
    format!(
        "lowest modes, extrapolated over two finer meshes: {} Hz",
        modes.join(", ")
    )
}

fn line(Swing { run, factor, .. }: &Swing) -> String {
    let or_none =
        |v: Option<f64>, digits: usize| v.map_or("-".to_string(), |v| format!("{v:.digits$}"));
    format!(
        "{:<11} {:>5} nodes: period {:>8} s, trough {:>9} m, amplitude {:>8} m, energy drift {}{}",
        run.model.name(),
        run.nodes,
        or_none(run.period_s, 5),
        or_none(run.trough_m, 5),
        or_none(run.amplitude_m, 5),
        run.energy_drift
            .map_or("-".to_string(), |d| format!("{:.3} %", d * 100.0)),
        factor.map_or(String::new(), |f| format!(", stiffness x {f:.3}"))
    )
}

fn run_json(Swing { run, factor, .. }: &Swing) -> Value {
    let optional = |v: Option<f64>| v.map_or(Value::Null, number);
    json!({
        "model": run.model.name(), "nodes": run.nodes, "mixed": false, "calibrated": factor.is_some(), "stiffness_factor": number(factor.unwrap_or(1.0)),
        "period_s": optional(run.period_s), "trough_m": optional(run.trough_m), "amplitude_m": optional(run.amplitude_m),
        "mean_m": number(run.mean_m), "energy_drift": optional(run.energy_drift), "diverged": run.diverged,
        "t": run.t.iter().map(|x| number(*x)).collect::<Vec<_>>(),
        "y": run.y.iter().map(|x| number(*x)).collect::<Vec<_>>(),
    })
}

fn plot(runs: &[Swing]) -> Plot {
    let mut plot = Plot::new(
        "Height of the free lower corner",
        ("time", "s"),
        ("height", "m"),
    );
    let palette = [
        [0.12, 0.47, 0.71],
        [0.84, 0.37, 0.0],
        [0.0, 0.62, 0.45],
        [0.8, 0.47, 0.65],
    ];
    let mut names: Vec<&str> = runs.iter().map(|s| s.run.model.name()).collect();
    names.dedup();
    for Swing { run, factor, .. } in runs {
        let k = names
            .iter()
            .position(|n| *n == run.model.name())
            .unwrap_or(0);
        plot.series.push(Series {
            name: format!(
                "{} {}{}",
                run.model.name(),
                run.nodes,
                if factor.is_some() { " calibrated" } else { "" }
            ),
            color: palette[k % palette.len()],
            dashed: run.nodes < 40,
            points: run.t.iter().zip(&run.y).map(|(t, y)| [*t, *y]).collect(),
        });
    }
    plot
}
