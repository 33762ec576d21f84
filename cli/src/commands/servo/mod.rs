//! `pliant servo`: force feedback of a body, without hardware or with a connected device.

mod devices;
mod report;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pliant_core::math::Vec3;
use pliant_quasistatic::haptics::device::Hand;
use pliant_quasistatic::haptics::{
    HapticDevice, HapticParams, HapticSurface, ServoLoop, ServoParams, StiffnessMode,
};
use pliant_simulation::build::greens_asset;
use pliant_simulation::servo::{
    PathDevice, ServoRun, ToolBody, run_servo, run_tool, scripted_slide,
};
use pliant_simulation::setup::{Setup, detail_surface};

use crate::args::Servo;
use crate::failure::Failure;
use crate::output::{Done, TRACE, refuse_foreign, write_whole};
use crate::session::Session;
use devices::{first_hand_tool, friction, listening, moved_tools, recorded, refused};
use report::{print, trace_text};

/// Default wall time, s.
const DEFAULT_SECONDS: f64 = 10.0;
/// Smallest default radius of a mask, in mean edges.
const MIN_MASK_EDGES: f64 = 2.0;
/// Largest default radius of a mask, over the diagonal.
const MAX_RADIUS: f64 = 0.2;
/// Default depth of the script, over the diagonal.
const SCRIPT_DEPTH: f64 = 0.02;

/// Runs the command.
pub fn servo(session: &Session, args: &Servo) -> Result<Done, Failure> {
    let mut seconds = checked_seconds(args)?;
    if let Some(trace) = &args.trace {
        refuse_foreign(trace, &TRACE)?;
    }
    let recorded = args.play.as_deref().map(recorded).transpose()?;
    if let (Some(recorded), None) = (&recorded, args.seconds) {
        seconds = recorded.duration().clamp(0.001, 86_400.0);
    }
    let loaded = session.load(&args.source, &args.import)?;
    let watch = session.output.watch(&session.progress);
    let setup = Arc::new(session.prepare(&loaded)?);
    refuse_unsupported(&setup)?;
    let friction = friction(args, &setup)?;
    let (surface, radius, notes) = haptic_surface(session, args, &setup)?;
    let servo_params = ServoParams {
        friction,
        ..ServoParams::default()
    };
    let tick = servo_params.tick;
    let servo = ServoLoop::new(surface.clone(), servo_params).map_err(refused)?;
    let depth = args.depth.unwrap_or(SCRIPT_DEPTH * setup.diagonal);
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
    let body = (!tools.is_empty()).then(|| ToolBody::new(setup.clone(), asset, &tools));
    let report = with_load(args.load, || match body {
        Some(mut body) => {
            let device = device.as_mut();
            run_tool(&mut body, servo_params, device, &run, &session.progress)
        }
        None => run_servo(servo, device.as_mut(), &run, &session.progress),
    })?;
    drop(watch);
    if let Some(path) = &args.trace {
        write_whole(path, trace_text(&report.trace).as_bytes())?;
    }
    Ok(print(session, args, &surface, &report, radius, notes))
}

/// The surface that is felt, the radius of its masks (m), and notes.
fn haptic_surface(
    session: &Session,
    args: &Servo,
    setup: &Setup,
) -> Result<(Arc<HapticSurface>, f64, Vec<String>), Failure> {
    let mut detail_notes = Vec::new();
    let mesh = &setup.description.body.mesh;
    let detail = args.detail.as_deref();
    let detail = detail
        .map(|file| detail_surface(mesh, file, &session.progress, &mut detail_notes))
        .transpose()?;
    let (asset, mut notes) = greens_asset(setup, &session.cache, &session.progress)?;
    notes.extend(detail_notes);
    session.progress.stage("stiffness of the skin");
    let tool = first_hand_tool(setup).map(|t| t.shape.inner_radius());
    let edges = MIN_MASK_EDGES * asset.skin.mean_edge();
    let max_radius = (MAX_RADIUS * setup.diagonal).max(edges);
    let radius = args
        .radius
        .unwrap_or_else(|| tool.unwrap_or(edges).min(max_radius).max(edges));
    let params = HapticParams {
        mask_radius: radius,
        rigid_stiffness: args.stiffness,
        mode: if args.consistent {
            StiffnessMode::Consistent
        } else {
            StiffnessMode::Interpolated
        },
        young: None,
    };
    let mut surface = HapticSurface::new(asset, &params).map_err(refused)?;
    if let Some(detail) = &detail {
        surface = surface.with_detail(detail).map_err(refused)?;
    }
    Ok((Arc::new(surface), radius, notes))
}

/// Wall time from the options, s.
fn checked_seconds(args: &Servo) -> Result<f64, Failure> {
    let seconds = args.seconds.unwrap_or(DEFAULT_SECONDS);
    if !(seconds > 0.0 && seconds <= 86_400.0) {
        return Err(Failure::bad_input(
            "BadSeconds",
            format!("--seconds {seconds} is not possible"),
            "give seconds above 0 and up to 86400",
        ));
    }
    Ok(seconds)
}

/// Refuses several bodies, blades and adhesion, which force feedback does not support.
fn refuse_unsupported(setup: &Setup) -> Result<(), Failure> {
    let bodies = setup.body_count();
    if bodies > 1 {
        return Err(Failure::bad_input(
            "OneBodyOnly",
            format!("the scene has {bodies} bodies, but force feedback supports one body only"),
            "leave out all other bodies, count and layout",
        ));
    }
    if let Some(blade) = setup.description.blades().next() {
        return Err(Failure::bad_input(
            "CannotCut",
            format!(
                "tool `{}` is a blade, which force feedback does not support",
                blade.name
            ),
            "leave out the blade",
        ));
    }
    if let Some(tool) = setup.tools.iter().find(|tool| tool.adhesion.is_some()) {
        return Err(Failure::bad_input(
            "CannotStick",
            format!(
                "the body sticks to tool `{}`, but force feedback supports only contacts that push",
                tool.name
            ),
            "write contact.kind = \"coulomb\"",
        ));
    }
    Ok(())
}

/// Runs `work` while `threads` other threads are busy.
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
