//! `pliant servo`: a body that can be felt, without hardware or with hardware of somebody else.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pliant_core::boundary::Friction;
use pliant_core::math::Vec3;
use pliant_quasistatic::haptics::device::{Hand, RecordedDevice};
use pliant_quasistatic::haptics::mask::MaskSpec;
use pliant_quasistatic::haptics::meter::TimeMeter;
use pliant_quasistatic::haptics::{
    ContactMode, HapticDevice, HapticError, HapticParams, HapticSurface, PointFriction, ServoLoop,
    ServoParams, StiffnessMode,
};
use pliant_simulation::build::greens_asset;
use pliant_simulation::servo::{
    PathDevice, ServoRecord, ServoReport, ServoRun, ToolBody, UdpDevice, run_servo, run_tool,
    scripted_slide,
};
use pliant_simulation::setup::{Setup, SetupTool, prepare};
use serde_json::{Value, json};

use crate::args::Servo;
use crate::failure::Failure;
use crate::out_folder::write_whole;
use crate::output::number;
use crate::session::Session;

/// Wall time where none is given, s.
const SECONDS: f64 = 10.0;
/// Mean edges that a mask has at least where no radius is given.
const EDGES: f64 = 2.0;
/// Largest radius where none is given, and depth of the script, over the diagonal.
const LARGEST_RADIUS: f64 = 0.2;
const DEPTH: f64 = 0.02;

/// Runs the command.
pub fn servo(session: &Session, args: &Servo) -> Result<u8, Failure> {
    let mut seconds = args.seconds.unwrap_or(SECONDS);
    if !(seconds > 0.0 && seconds <= 86_400.0) {
        return Err(Failure::bad_input(
            "BadSeconds",
            format!("--seconds {seconds} is not possible"),
            "give seconds above 0 and up to 86400",
        ));
    }
    let recorded = args.play.as_deref().map(recorded).transpose()?;
    if let (Some(recorded), None) = (&recorded, args.seconds) {
        seconds = recorded.duration().clamp(0.001, 86_400.0);
    }
    let loaded = session.load(&args.source, &args.import)?;
    let watch = session.output.watch(&session.progress);
    let setup = Arc::new(prepare(&loaded, &session.progress)?);
    let friction = friction(args, &setup)?;
    let (asset, notes) = greens_asset(&setup, &session.cache, &session.progress)?;
    session.progress.stage("stiffness of the skin");
    let tool = setup.tools.first().map(|t| t.shape.inner_radius());
    let edges = EDGES * asset.skin.mean_edge();
    let most = (LARGEST_RADIUS * setup.diagonal).max(edges);
    let radius = args
        .radius
        .unwrap_or_else(|| tool.unwrap_or(edges).min(most).max(edges));
    let params = HapticParams {
        mask: MaskSpec::cone(radius),
        rigid_stiffness: args.stiffness,
        mode: if args.consistent {
            StiffnessMode::Consistent
        } else {
            StiffnessMode::Interpolated
        },
        young: None,
    };
    let surface = Arc::new(HapticSurface::new(asset, &params).map_err(refused)?);
    let servo_params = ServoParams {
        friction,
        ..ServoParams::default()
    };
    let tick = servo_params.tick;
    let servo = ServoLoop::new(surface.clone(), servo_params).map_err(refused)?;
    let depth = args.depth.unwrap_or(DEPTH * setup.diagonal);
    let tools = moved_tools(args, &setup)?;
    let first = tools.first().map(|tool| tool.shape.inner_radius());
    let height = first.filter(|r| r.is_finite()).unwrap_or(0.0);
    let mut device: Box<dyn HapticDevice + Send> = match (recorded, &args.udp) {
        (Some(recorded), _) => Box::new(recorded),
        (None, Some(address)) => Box::new(listening(session, address, tools.len().max(1))?),
        (None, None) if args.hand => {
            let duration = setup.description.duration;
            let paths = tools.iter().map(|tool| tool.path.clone());
            let fingers = paths.map(|path| PathDevice::new(path, duration));
            Box::new(Hand(fingers.collect()))
        }
        (None, None) => {
            // the middle of a tool stays above its lowest point
            let script = scripted_slide(&surface, depth);
            Box::new(script.shifted(&(Vec3::y() * height)))
        }
    };
    let run = ServoRun {
        seconds,
        tick,
        trace: args.trace.is_some(),
    };
    let asset = surface.asset().clone();
    let body = (!tools.is_empty()).then(|| ToolBody::new(setup.clone(), asset, tools));
    let report = with_load(args.load, || match body {
        Some(mut body) => {
            let device = device.as_mut();
            run_tool(&mut body, servo_params, device, &run, &session.progress)
        }
        None => run_servo(servo, device.as_mut(), &run, &session.progress),
    })
    .map_err(|cancelled| Failure::from_text("Cancelled", &cancelled.to_string(), None))?;
    drop(watch);
    if let Some(path) = &args.trace {
        write_whole(path, trace_text(&report.trace).as_bytes())?;
    }
    print(session, args, &surface, &report, radius, notes)?;
    Ok(0)
}

/// Lines and JSON of a run.
fn print(
    session: &Session,
    args: &Servo,
    surface: &HapticSurface,
    report: &ServoReport,
    radius: f64,
    mut notes: Vec<String>,
) -> Result<(), Failure> {
    let made = surface.report();
    if made.unresolved > 0 {
        notes.push(format!(
            "MaskUnresolved: around {} vertices the mask of {radius:.4} m is below 1.5 edges, so that their stiffness depends on the mesh",
            made.unresolved
        ));
    }
    if made.repaired > 0 {
        notes.push(format!(
            "the stiffness of {} vertices was not positive definite and was mended",
            made.repaired
        ));
    }
    if report.failed_frames > 0 {
        notes.push(format!(
            "{} frames of the body could not be solved: the tool felt the last one fade",
            report.failed_frames
        ));
    }
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
    let times = |name: &str, meter: &TimeMeter| {
        format!(
            "{name}: p50 {:.2}, p99 {:.2}, p99.9 {:.2}, max {:.1} us",
            meter.quantile_us(0.5),
            meter.quantile_us(0.99),
            meter.quantile_us(0.999),
            meter.max_us()
        )
    };
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
        output.line(format!("note: {}", note.replace("\n  ", "; ")));
    }
    output.json(
        "servo",
        true,
        json!({
            "ticks": report.ticks, "late_ticks": report.late_ticks, "late_share": number(late_share(report)),
            "compute_us": quantiles(&report.compute), "compute_late_us": quantiles(&report.compute_late), "period_us": quantiles(&report.period),
            "contact_nodes_max": report.contact_nodes, "force_jump_max": number(report.force_jump),
            "passivity_violation_j": number(report.passivity.violation), "passivity_corrected": report.passivity.corrected,
            "force_max_n": number(report.largest_force), "touching": report.touching, "sliding": report.sliding,
            "displacement_max_m": number(report.displacement), "frames": report.frames,
            "frame_max_ms": number(report.slowest_frame * 1e3), "frames_failed": report.failed_frames, "mask_radius_m": number(radius),
            "mask_vertices_max": made.largest_mask,
            "surface": {
                "repaired": made.repaired, "unresolved": made.unresolved, "limited": made.limited, "asymmetry": number(made.asymmetry),
            },
            "vertices": surface.skin().vertex_count(), "nodes": surface.asset().nodes(), "fault": report.fault, "notes": notes,
            "trace": args.trace.as_ref().map(|f| f.display().to_string()),
        }),
    )
}

/// Late ticks, with those that a stall swallowed, over those that ran.
fn late_share(report: &ServoReport) -> f64 {
    report.late_ticks as f64 / report.ticks.max(1) as f64
}

fn quantiles(meter: &TimeMeter) -> Value {
    json!({
        "p50": number(meter.quantile_us(0.5)), "p99": number(meter.quantile_us(0.99)),
        "p999": number(meter.quantile_us(0.999)), "max": number(meter.max_us()),
    })
}

/// The tools that `--tool` and `--hand` move; none where a point does.
fn moved_tools<'a>(args: &Servo, setup: &'a Setup) -> Result<&'a [SetupTool], Failure> {
    if !args.tool && !args.hand {
        return Ok(&[]);
    }
    if setup.tools.is_empty() {
        return Err(Failure::bad_input(
            "NoTool",
            "the scene has no tool",
            "leave --tool and --hand out, or add a [[tool]] to the scene",
        ));
    }
    Ok(if args.hand {
        &setup.tools
    } else {
        &setup.tools[..1]
    })
}

/// `--friction S,K`, else that of the first tool.
fn friction(args: &Servo, setup: &Setup) -> Result<PointFriction, Failure> {
    let chosen = match &args.friction {
        Some(text) => {
            let numbers: Vec<f64> = text
                .split(',')
                .map_while(|x| x.trim().parse().ok())
                .collect();
            let &[sticking, sliding] = numbers.as_slice() else {
                return Err(Failure::bad_input(
                    "Friction",
                    format!("--friction {text} is not two coefficients"),
                    "write it as 0.4,0.3: sticking, sliding",
                ));
            };
            PointFriction { sticking, sliding }
        }
        None => match setup.tools.first().map(|tool| tool.friction) {
            Some(Friction::Coulomb {
                static_coefficient,
                kinetic_coefficient,
            }) => PointFriction {
                sticking: static_coefficient,
                sliding: kinetic_coefficient,
            },
            _ => PointFriction::default(),
        },
    };
    chosen.checked().map_err(refused)
}

fn refused(error: HapticError) -> Failure {
    Failure::from_text(error.code(), &error.to_string(), None)
}

fn recorded(path: &Path) -> Result<RecordedDevice, Failure> {
    let place = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::bad_input(
            "Unreadable",
            format!("{place}: {error}"),
            "give a file that `pliant servo --trace` wrote",
        )
        .at(place.clone())
    })?;
    RecordedDevice::parse(&text).map_err(|error| {
        Failure::bad_input(
            "BadTrace",
            format!("{place}: {error}"),
            "write a line for each tip: time,x,y,z in seconds and metres",
        )
        .at(place)
    })
}

fn listening(session: &Session, address: &str, tips: usize) -> Result<UdpDevice, Failure> {
    let device = UdpDevice::bind_hand(address, tips).map_err(|error| {
        Failure::bad_input(
            "Unreachable",
            format!("{address}: {error}"),
            "give an address of this machine that is free, as 127.0.0.1:9001",
        )
        .at(address)
    })?;
    if let Ok(place) = device.address() {
        session.output.remark(format!("listening at {place}"));
    }
    Ok(device)
}

fn trace_text(records: &[ServoRecord]) -> String {
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

/// Runs `work` beside `threads` others that only count.
fn with_load<T>(threads: u8, work: impl FnOnce() -> T) -> T {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut count = 0_u64;
                while !stop.load(Ordering::Relaxed) {
                    count = std::hint::black_box(count.wrapping_add(1));
                }
            });
        }
        let result = work();
        stop.store(true, Ordering::Relaxed);
        result
    })
}
