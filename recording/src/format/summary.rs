//! The chunk `DONE`.

use super::bytes::{Reader, Writer};
use crate::contents::{Header, Summary};
use crate::error::RecordingError;

pub(crate) fn write_summary(header: &Header, frames: u32, summary: &Summary) -> Vec<u8> {
    let mut w = Writer::default();
    w.u32(frames);
    for k in 0..header.methods.len() {
        w.u64(summary.surface_hash.get(k).copied().unwrap_or_default());
        w.text(summary.stopped.get(k).map_or("", String::as_str));
    }
    w.into_bytes()
}

/// The summary of a recording of `frames` frames.
pub(crate) fn read_summary(
    header: &Header,
    frames: usize,
    mut r: Reader<'_>,
) -> Result<Summary, RecordingError> {
    if r.u32()? as usize != frames {
        return Err(r.invalid("number of frames"));
    }
    let mut summary = Summary::default();
    for _ in &header.methods {
        summary.surface_hash.push(r.u64()?);
        summary.stopped.push(r.text()?);
    }
    r.finish()?;
    Ok(summary)
}
