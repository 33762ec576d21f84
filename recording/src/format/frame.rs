//! The chunk `FRAM`.

use nalgebra::{Quaternion, Unit};
use pliant_core::contact::{Pose, ToolWrench};
use pliant_core::inspect::PointState;
use pliant_core::math::Vec3;

use super::bytes::{Reader, Writer};
use crate::contents::{Frame, Header, MethodFrame};
use crate::error::RecordingError;

/// Lists with too few entries are filled up with zeros: a method that stopped in its first frame has none.
pub(crate) fn write_frame(header: &Header, frame: &Frame) -> Vec<u8> {
    let mut w = Writer::default();
    w.f64(frame.time);
    let default_pose = Pose::at(Vec3::zeros());
    for k in 0..header.tools.len() {
        let pose = frame.tools.get(k).unwrap_or(&default_pose);
        w.value(&pose.position);
        w.values(pose.orientation.coords.as_slice());
    }
    let empty = MethodFrame::default();
    for (k, described) in header.methods.iter().enumerate() {
        let result = frame.methods.get(k).unwrap_or(&empty);
        w.flag(result.computed);
        w.u64(result.surface_hash);
        for k in 0..header.tools.len() {
            let wrench = result.wrenches.get(k).copied().unwrap_or_default();
            w.value(&wrench.force);
            w.value(&wrench.torque);
        }
        for k in 0..header.grabs.len() {
            w.value(&result.grabs.get(k).copied().unwrap_or_default());
        }
        for k in 0..header.probes.len() {
            w.value(&result.probes.get(k).copied().unwrap_or_default());
        }
        for k in 0..described.inside.len() {
            let state = result.inside.get(k).copied().unwrap_or_default();
            w.value(&state.displacement);
            w.values(&state.stress);
        }
    }
    w.into_bytes()
}

pub(crate) fn read_frame(header: &Header, mut r: Reader<'_>) -> Result<Frame, RecordingError> {
    let tools = header.tools.len();
    let frame = Frame {
        time: r.f64()?,
        tools: r.items(tools, read_pose)?,
        methods: {
            let described = header.methods.iter();
            let read = described.map(|described| {
                Ok(MethodFrame {
                    computed: r.flag()?,
                    surface_hash: r.u64()?,
                    wrenches: r.items(tools, read_wrench)?,
                    grabs: r.items(header.grabs.len(), Reader::value)?,
                    probes: r.items(header.probes.len(), Reader::value)?,
                    inside: r.items(described.inside.len(), read_point)?,
                })
            });
            read.collect::<Result<Vec<_>, RecordingError>>()?
        },
    };
    r.finish()?;
    Ok(frame)
}

/// Reads a pose; its quaternion keeps its bits, also where it is not of unit length.
fn read_pose(r: &mut Reader<'_>) -> Result<Pose, RecordingError> {
    let position = r.value()?;
    let [i, j, k, w]: [f64; 4] = r.value()?;
    let orientation = Unit::new_unchecked(Quaternion::new(w, i, j, k));
    Ok(Pose {
        position,
        orientation,
    })
}

fn read_wrench(r: &mut Reader<'_>) -> Result<ToolWrench, RecordingError> {
    Ok(ToolWrench {
        force: r.value()?,
        torque: r.value()?,
    })
}

fn read_point(r: &mut Reader<'_>) -> Result<PointState, RecordingError> {
    Ok(PointState {
        displacement: r.value()?,
        stress: r.value()?,
    })
}
