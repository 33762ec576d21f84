//! The chunk `HEAD`.

use pliant_core::scene::Method;

use super::bytes::{Reader, Writer};
use crate::contents::{Header, RecordedImport, RecordedMethod, RecordedScene, RecordedSource};
use crate::error::RecordingError;

pub(crate) fn write_header(header: &Header) -> Vec<u8> {
    let mut w = Writer::default();
    w.text(&header.program);
    w.text(&header.kernels);
    w.flag(header.portable);
    write_scene(&mut w, &header.scene);
    w.f64(header.frame_duration);
    w.u32(header.frames);
    w.u32(header.surface_every);
    w.u32(header.vertices);
    w.u32(header.triangles);
    for names in [&header.tools, &header.grabs, &header.probes] {
        w.items(names, |w, name| w.text(name));
    }
    w.items(&header.methods, |w, method| {
        w.text(method.method.name());
        w.items(&method.inside, |w, (name, rest)| {
            w.text(name);
            w.value(rest);
        });
    });
    w.into_bytes()
}

pub(crate) fn read_header(mut r: Reader<'_>) -> Result<Header, RecordingError> {
    let header = Header {
        program: r.text()?,
        kernels: r.text()?,
        portable: r.flag()?,
        scene: read_scene(&mut r)?,
        frame_duration: r.f64()?,
        frames: r.u32()?,
        surface_every: r.u32()?,
        vertices: r.u32()?,
        triangles: r.u32()?,
        tools: r.list(Reader::text)?,
        grabs: r.list(Reader::text)?,
        probes: r.list(Reader::text)?,
        methods: r.list(read_method)?,
    };
    if !(header.frame_duration > 0.0 && header.frame_duration.is_finite()) {
        return Err(r.invalid("length of a frame"));
    }
    let mut methods = header.methods.iter().map(|m| m.method);
    if !methods.by_ref().is_sorted_by(|a, b| a < b) {
        return Err(r.invalid("order of methods"));
    }
    r.finish()?;
    Ok(header)
}

fn read_method(r: &mut Reader<'_>) -> Result<RecordedMethod, RecordingError> {
    let name = r.text()?;
    let method = Method::from_name(&name).ok_or_else(|| r.invalid("method"))?;
    let inside = r.list(|r| Ok((r.text()?, r.value()?)))?;
    Ok(RecordedMethod { method, inside })
}

fn write_scene(w: &mut Writer, scene: &RecordedScene) {
    for text in [&scene.name, &scene.origin, &scene.folder, &scene.text] {
        w.text(text);
    }
    w.option(scene.wrapped.as_ref(), |w, import| {
        w.option(import.units.as_ref(), |w, units| w.text(units));
        w.flag(import.z_up);
        w.flag(import.repairs);
        w.option(import.thickness.as_ref(), |w, x| w.f64(*x));
    });
    w.option(scene.seed.as_ref(), |w, seed| w.u64(*seed));
    w.option(scene.budget_ms.as_ref(), |w, budget| w.f64(*budget));
    w.items(&scene.files, |w, file| {
        w.text(&file.path);
        w.u64(file.bytes);
        w.value(&file.hash);
    });
}

fn read_scene(r: &mut Reader<'_>) -> Result<RecordedScene, RecordingError> {
    Ok(RecordedScene {
        name: r.text()?,
        origin: r.text()?,
        folder: r.text()?,
        text: r.text()?,
        wrapped: r.option(|r| {
            Ok(RecordedImport {
                units: r.option(Reader::text)?,
                z_up: r.flag()?,
                repairs: r.flag()?,
                thickness: r.option(Reader::f64)?,
            })
        })?,
        seed: r.option(Reader::u64)?,
        budget_ms: r.option(Reader::f64)?,
        files: r.list(|r| {
            Ok(RecordedSource {
                path: r.text()?,
                bytes: r.u64()?,
                hash: r.value()?,
            })
        })?,
    })
}
