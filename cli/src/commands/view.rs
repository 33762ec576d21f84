//! `pliant view`: the window, or the report where there is none.

use std::ffi::OsStr;

use pliant_meshing::io::read_mesh;
use pliant_simulation::error::BuildError;

use crate::args::{Compare, View};
use crate::failure::Failure;
use crate::options::refuse_import;
use crate::output::{Done, PICTURE, STATISTICS, refuse_foreign};
use crate::recording_file::refuse_recording;
use crate::session::Session;

/// Scene that opens without an argument.
const DEFAULT_SCENE: &str = "welcome";

/// Runs the command.
pub fn view(session: &Session, args: &View) -> Result<Done, Failure> {
    let source = args
        .sources
        .first()
        .cloned()
        .unwrap_or_else(|| DEFAULT_SCENE.into());
    if let Some(extra) = args.sources.get(1) {
        return Err(Failure::bad_input(
            "OneBodyOnly",
            format!(
                "one scene or mesh at a time; `{}` is too many",
                extra.to_string_lossy()
            ),
            "open it in a second window",
        ));
    }
    if args.exit_after.is_some_and(|s| !(s > 0.0 && s <= 86_400.0)) {
        return Err(Failure::bad_input(
            "BadDuration",
            "--exit-after needs seconds above 0",
            "give for example 10",
        ));
    }
    for (file, kind) in [(&args.screenshot, &PICTURE), (&args.stats, &STATISTICS)] {
        file.as_ref()
            .map_or(Ok(()), |at| refuse_foreign(at, kind))?;
    }
    let size = args.size.as_deref().map(parse_size).transpose()?;
    // bad input is reported before a window opens
    refuse_recording(&source)?;
    let loaded = pliant_simulation::scenes::load(&source, &args.import.options())?;
    refuse_import(&args.import, &loaded)?;
    if let pliant_core::scene::MeshSource::File { path, .. } = &loaded.description.body.mesh {
        let file = loaded.folder.join(path);
        if !file.is_file() {
            let origin = &loaded.origin;
            let key = format!("{}: body[0].mesh.file", origin.display());
            let key = (path != origin).then_some(key);
            read_mesh(&file).map_err(|source| BuildError::Mesh { key, file, source })?;
        }
    }
    if args.check_skin {
        return check_skin(session, args, &source);
    }
    let Some(reason) = window(session, args, &source, size)? else {
        return Ok(Done::without_json());
    };
    session.output.line(format!(
        "no window: {reason}; writing the comparison report instead"
    ));
    let instead = Compare {
        source,
        // a first-time user wants to know which method is right
        reference: args.sources.is_empty().then(|| "estimate".to_string()),
        import: args.import.clone(),
        ..Compare::default()
    };
    let done = super::compare::compare(session, &instead)?;
    Ok(done.of("compare"))
}

/// Shows the window until it is closed. Returns why there can be none, if that is so.
#[cfg(feature = "viewer")]
fn window(
    session: &Session,
    args: &View,
    source: &OsStr,
    size: Option<(f32, f32)>,
) -> Result<Option<String>, Failure> {
    use pliant_viewer::{ViewError, ViewOptions};
    let options = ViewOptions {
        source: source.to_owned(),
        import: args.import.options(),
        cache: session.cache.clone(),
        clock: Some(crate::machine::of_this_thread),
        play: args.play || args.sources.is_empty(),
        skin: args
            .skin
            .as_deref()
            .and_then(pliant_viewer::skin::SkinChoice::of_name),
        size,
        exit_after: args.exit_after,
        screenshot: args.screenshot.clone(),
        stats: args.stats.clone(),
    };
    match pliant_viewer::run(options) {
        Ok(()) => Ok(None),
        Err(ViewError::NoDisplay { reason }) => Ok(Some(reason)),
        Err(other) => Err(Failure::from_text("Viewer", &other.to_string(), None)),
    }
}

/// Compares the skins of the graphics driver with those of the processor.
#[cfg(feature = "viewer")]
fn check_skin(session: &Session, args: &View, source: &OsStr) -> Result<Done, Failure> {
    use pliant_viewer::{ViewError, skin_check::CheckOptions};
    let options = CheckOptions {
        source: source.to_owned(),
        import: args.import.options(),
        cache: session.cache.clone(),
    };
    let report = pliant_viewer::check_skin(options).map_err(|error| match error {
        ViewError::NoDisplay { reason } => no_driver(&reason),
        ViewError::Failed { reason } => Failure::from_text("SkinCheck", &reason, None),
        other => Failure::from_text("SkinCheck", &other.to_string(), None),
    })?;
    session.output.line(format!(
        "{}, {}: {} vertices, {} triangles, {} particles, {} batches of at most {}",
        report.renderer,
        report.method,
        report.vertices,
        report.triangles,
        report.control_points,
        report.batches,
        report.batch_points
    ));
    for s in &report.states {
        session.output.line(format!(
            "{:7} {:8} {:.1e} of the diagonal, normals {:.1e}° off the processor's; {:.1e} and {:.1e}° off the shader's arithmetic: {}",
            s.state,
            s.skin_choice,
            s.processor.place,
            s.processor.normal_deg,
            s.emulation.place,
            s.emulation.normal_deg,
            if s.pass { "passes" } else { "FAILS" }
        ));
    }
    for p in &report.pictures {
        session.output.line(format!(
            "{:8} {:.1} kB a frame: {:.2} ms to prepare, {:.2} ms to upload and draw; {:.1e} of the pixels differ: {}",
            p.skin_choice,
            p.bytes as f64 * 1e-3,
            p.prepare_ms,
            p.draw_ms,
            p.differs,
            if p.pass { "passes" } else { "FAILS" }
        ));
    }
    let fields = serde_json::to_value(&report).unwrap_or_default();
    Ok(Done::checked(report.pass, fields))
}

#[cfg(not(feature = "viewer"))]
fn check_skin(_: &Session, _: &View, _: &OsStr) -> Result<Done, Failure> {
    Err(no_driver("this program was built without the viewer"))
}

/// The error without OpenGL.
fn no_driver(reason: &str) -> Failure {
    Failure::bad_input(
        "NoDisplay",
        format!("no graphics driver to check: {reason}"),
        "run it where a window can be opened; under X without a screen: `xvfb-run pliant view SCENE --check-skin`",
    )
}

#[cfg(not(feature = "viewer"))]
fn window(
    _: &Session,
    _: &View,
    _: &OsStr,
    _: Option<(f32, f32)>,
) -> Result<Option<String>, Failure> {
    Ok(Some("this program was built without the viewer".into()))
}

fn parse_size(text: &str) -> Result<(f32, f32), Failure> {
    let bad = || {
        Failure::bad_input(
            "BadSize",
            format!("--size {text} is not WIDTHxHEIGHT"),
            "give for example --size 1280x800",
        )
    };
    let (w, h) = text.split_once(['x', 'X']).ok_or_else(bad)?;
    let (w, h): (f32, f32) = (w.parse().map_err(|_| bad())?, h.parse().map_err(|_| bad())?);
    if (64.0..=16_384.0).contains(&w) && (64.0..=16_384.0).contains(&h) {
        Ok((w, h))
    } else {
        Err(Failure::bad_input(
            "BadSize",
            format!("--size {text} is out of range"),
            "use a width and a height from 64 to 16384",
        ))
    }
}
