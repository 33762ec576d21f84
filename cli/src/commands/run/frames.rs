//! One method frame by frame: in step with the clock, with a budget in processor time, or with an explanation of one place.

use std::time::{Duration, Instant};

use pliant_core::inspect::ModelStats;
use pliant_core::math::{Vec3, quantile};
use pliant_core::scene::Method;
use pliant_render::note::Note;
use pliant_simulation::pace::FramePace;
use pliant_simulation::setup::Setup;
use pliant_simulation::world::{Interaction, World};
use serde_json::{Value, json};

use super::degradation_counts::DegradationCounts;
use super::frame_curves::FrameCurves;
use crate::args::Run;
use crate::failure::{CHECK_FAILED, Failure};
use crate::machine::of_this_thread;
use crate::options::parse_vector;
use crate::output::{Done, Output, write_whole};
use crate::session::Session;

/// Options of a run that goes frame by frame.
pub struct FrameOptions<'a> {
    args: &'a Run,
    by_time: bool,
    explain: Option<Vec3>,
}

impl<'a> FrameOptions<'a> {
    /// Reads the options of `pliant run`; `None` if no option needs to go frame by frame.
    pub fn from_args(args: &'a Run) -> Result<Option<Self>, Failure> {
        let by_time = match args.budget_by.as_deref() {
            None => args.realtime,
            Some("time") => true,
            Some("work") => false,
            Some(other) => {
                return Err(Failure::bad_input(
                    "BadBudgetBy",
                    format!("a budget cannot be counted by `{other}`"),
                    "use time or work",
                ));
            }
        };
        let explain = args.explain.as_deref().map(read_place).transpose()?;
        if args.halve_budget_at.is_some() && !by_time {
            return Err(Failure::bad_input(
                "BadBudgetBy",
                "only a budget by time can be halved on the way",
                "add --budget-by time",
            ));
        }
        Ok(
            (args.realtime || by_time || explain.is_some()).then_some(Self {
                args,
                by_time,
                explain,
            }),
        )
    }
}

fn read_place(text: &str) -> Result<Vec3, Failure> {
    parse_vector(text).ok_or_else(|| {
        Failure::bad_input(
            "BadPlace",
            format!("`{text}` is not a place"),
            "give x,y,z in metres, on or near the body at rest",
        )
    })
}

/// Cost and degradation of the frames of a run.
#[derive(Default)]
struct FrameCosts {
    frames: usize,
    /// simulated, and of wall time, s
    simulated: f64,
    elapsed: f64,
    budget_ms: f64,
    /// wall time of each frame, ms
    wall: Vec<f64>,
    /// processor time of each frame, ms, where a budget is counted by time
    busy: Vec<f64>,
    /// frames that were late, over the budget, and beyond the work that was allowed
    late: usize,
    over: usize,
    beyond: usize,
    degraded: DegradationCounts,
}

impl FrameCosts {
    /// Adds the frame that `world` just stepped; `limit` is the processor time (s) and the work that were allowed.
    fn add(&mut self, world: &World, limit: Option<(f64, u64)>) {
        let out = world.output();
        self.wall.push(out.cost_ms);
        self.degraded.count(&out.report);
        if let Some((seconds, units)) = limit {
            self.busy.push(out.busy_ms);
            self.over += usize::from(out.busy_ms > seconds * 1e3);
            self.beyond += usize::from(out.report.work_used > units);
        }
    }
}

/// Runs `frames` frames of `world`. `notes` are those on the scene and on its bake.
pub fn run(
    session: &Session,
    method: Method,
    mut world: World,
    setup: &Setup,
    frames: usize,
    options: &FrameOptions<'_>,
    mut notes: Vec<String>,
) -> Result<Done, Failure> {
    let contact = match method {
        Method::Quasistatic => FramePace::of_contact(setup, of_this_thread),
        _ => None,
    };
    let has_budget = method == Method::Adaptive || contact.is_some();
    let pace = contact.unwrap_or_else(|| FramePace::of_scene(setup, of_this_thread));
    let budget_ms = pace.budget() * 1e3;
    configure(&mut world, options, has_budget.then_some(pace))?;
    let frame_duration = setup.frame_duration();
    let mut costs = FrameCosts {
        frames,
        budget_ms,
        simulated: frames as f64 * frame_duration,
        ..FrameCosts::default()
    };
    let args = options.args;
    let mut curves = args
        .curves
        .as_ref()
        .map(|file| (file, FrameCurves::new(setup, method)));
    let start = Instant::now();
    for frame in 0..frames {
        session.progress.check()?;
        let time = frame as f64 * frame_duration;
        if args.halve_budget_at.is_some_and(|at| time >= at)
            && let Some(pace) = world.pace_mut()
            && pace.budget() > 0.75e-3 * budget_ms
        {
            pace.set_budget(0.5e-3 * budget_ms);
        }
        let limit = world.pace().map(|pace| (pace.budget(), pace.units()));
        world
            .step_frame(&Interaction::default())
            .map_err(|error| Failure {
                exit: CHECK_FAILED,
                ..Failure::of(&error, Some(format!("{}, frame {frame}", method.name())))
            })?;
        costs.add(&world, limit);
        if let Some((_, curves)) = &mut curves {
            curves.add(&world);
        }
        if args.realtime {
            let due = Duration::from_secs_f64((frame + 1) as f64 * frame_duration);
            match due.checked_sub(start.elapsed()) {
                Some(wait) => std::thread::sleep(wait),
                None => costs.late += 1,
            }
        }
    }
    costs.elapsed = start.elapsed().as_secs_f64();
    if let Some((file, curves)) = &curves {
        write_whole(file, curves.csv().as_bytes())?;
        session.output.line(format!("curves: {}", file.display()));
    }
    costs.wall.sort_by(f64::total_cmp);
    costs.busy.sort_by(f64::total_cmp);
    let stats = world.model().stats();
    let explanation = options.explain.and(stats.explanation.as_ref());
    print_summary(&session.output, &world, &stats, args, &costs);
    if let Some(text) = explanation {
        session.output.line(text);
    }
    // the explanation is a note of the model, too
    let of_model = stats.notes.iter();
    notes.extend(of_model.filter(|n| Some(*n) != explanation).cloned());
    notes.dedup();
    for note in &notes {
        session.output.line(format!("note: {}", Note::read(note)));
    }
    let counters: Value = stats.counters.iter().copied().collect();
    let FrameCosts { busy, degraded, .. } = &costs;
    Ok(Done::new(json!({
        "method": method.name(), "frames": frames,
        "late_frames": args.realtime.then_some(costs.late),
        "max_ms": at(&costs.wall, 1.0), "realtime_factor": costs.simulated / costs.elapsed,
        "wall_ms": quantiles(&costs.wall), "busy_ms": quantiles(busy), "budget_ms": budget_ms,
        "beyond_units": (!busy.is_empty()).then_some(costs.beyond),
        "over_budget": (!busy.is_empty()).then_some(costs.over),
        "active_nodes": stats.active_nodes, "explanation": explanation,
        "degraded": degraded.json(), "violation_max_m": degraded.violation(), "counters": counters,
        "notes": notes,
    })))
}

/// Sets how the budget of `world` is counted, if it has one, and which place is explained.
fn configure(
    world: &mut World,
    options: &FrameOptions<'_>,
    pace: Option<FramePace>,
) -> Result<(), Failure> {
    if options.by_time && pace.is_some() {
        world.set_pace(pace);
        world.keep_budget_in_every_frame();
    }
    if let Some(place) = options.explain {
        world.explain(&place).map_err(|_| {
            Failure::bad_input(
                "NothingToExplain",
                "only the adaptive method can explain its resolution",
                "use --method adaptive",
            )
        })?;
    }
    Ok(())
}

/// Prints a summary of the frames, and counters of the model at the end.
fn print_summary(out: &Output, world: &World, stats: &ModelStats, args: &Run, costs: &FrameCosts) {
    let FrameCosts {
        frames,
        simulated,
        elapsed,
        budget_ms,
        busy,
        late,
        over,
        beyond,
        ..
    } = costs;
    let late_text = match args.realtime {
        true => format!(", {late} of {frames} frames late"),
        false => String::new(),
    };
    out.line(format!(
        "{simulated:.2} s simulated in {elapsed:.2} s{late_text}; longest frame {:.2} ms of wall time",
        at(&costs.wall, 1.0)
    ));
    if let Some(pace) = world.pace() {
        out.line(format!(
            "processor time a frame: median {:.2}, p99 {:.2}, p99.9 {:.2}, longest {:.2} ms; {over} of {frames} frames over the budget of {budget_ms} ms{} ({:.3} %), {beyond} took more work than was allowed",
            at(busy, 0.5),
            at(busy, 0.99),
            at(busy, 0.999),
            at(busy, 1.0),
            if args.halve_budget_at.is_some() { ", later half of it" } else { "" },
            100.0 * *over as f64 / (*frames).max(1) as f64,
        ));
        out.line(format!(
            "a work unit costs {:.1} ns, with the margin for expensive frames; {} units a frame are allowed",
            pace.unit_cost() * 1e9,
            pace.units()
        ));
    }
    out.line(format!("{} nodes move at the end", stats.active_nodes));
    let given_up = costs.degraded.line();
    if !given_up.is_empty() {
        out.line(given_up);
    }
    let rare = ["stood_still", "mended_nodes", "yielding", "refused_splits"];
    let rare = stats.counters.iter().filter(|c| rare.contains(&c.0));
    let rare: Vec<String> = rare
        .map(|(name, value)| format!("{} {value}", name.replace('_', " ")))
        .collect();
    if !rare.is_empty() {
        out.line(rare.join(", "));
    }
}

/// Quantiles of sorted times (ms) as JSON; `null` where there are none.
fn quantiles(sorted: &[f64]) -> Value {
    if sorted.is_empty() {
        return Value::Null;
    }
    json!({
        "p50": at(sorted, 0.5), "p99": at(sorted, 0.99),
        "p999": at(sorted, 0.999), "max": at(sorted, 1.0),
    })
}

/// The quantile of sorted times (ms) at `share`; 0 where there are none.
fn at(sorted: &[f64], share: f64) -> f64 {
    quantile(sorted, share).unwrap_or(0.0)
}
