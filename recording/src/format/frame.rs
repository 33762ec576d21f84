//! The chunk `FRAM`.

use nalgebra::{Quaternion, Unit};
use pliant_core::contact::{Pose, ToolWrench};
use pliant_core::inspect::PointState;
use pliant_core::math::Vec3;

use super::bytes::{Reader, Writer};
use crate::contents::{Frame, Header, MethodFrame};
use crate::error::RecordingError;

/// Lists that a frame has too few entries of are filled with zeros: a method that stopped in its first frame has none.
pub(crate) fn write_frame(header: &Header, frame: &Frame) -> Vec<u8> {
    let mut w = Writer::default();
    w.f64(frame.time);
    let nowhere = Pose::at(Vec3::zeros());
    for k in 0..header.tools.len() {
        let pose = frame.tools.get(k).unwrap_or(&nowhere);
        w.vector(&pose.position);
        pose.orientation.coords.iter().for_each(|x| w.f64(*x));
    }
    let empty = MethodFrame::default();
    for (k, described) in header.methods.iter().enumerate() {
        let found = frame.methods.get(k).unwrap_or(&empty);
        w.flag(found.computed);
        w.u64(found.surface_hash);
        for k in 0..header.tools.len() {
            let wrench = found.wrenches.get(k).copied().unwrap_or_default();
            w.vector(&wrench.force);
            w.vector(&wrench.torque);
        }
        for k in 0..header.grabs.len() {
            w.vector(&found.grabs.get(k).copied().unwrap_or_default());
        }
        for k in 0..header.probes.len() {
            w.vector(&found.probes.get(k).copied().unwrap_or_default());
        }
        for k in 0..described.inside.len() {
            let state = found.inside.get(k).copied().unwrap_or_default();
            w.vector(&state.displacement);
            state.stress.iter().for_each(|x| w.f64(*x));
        }
    }
    w.0
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
                    grabs: r.items(header.grabs.len(), Reader::vector)?,
                    probes: r.items(header.probes.len(), Reader::vector)?,
                    inside: r.items(described.inside.len(), read_point)?,
                })
            });
            read.collect::<Result<Vec<_>, RecordingError>>()?
        },
    };
    r.finish()?;
    Ok(frame)
}

/// The same bits that were written, whether or not they are of unit length.
fn read_pose(r: &mut Reader<'_>) -> Result<Pose, RecordingError> {
    let position = r.vector()?;
    let [i, j, k, w] = [r.f64()?, r.f64()?, r.f64()?, r.f64()?];
    let orientation = Unit::new_unchecked(Quaternion::new(w, i, j, k));
    Ok(Pose {
        position,
        orientation,
    })
}

fn read_wrench(r: &mut Reader<'_>) -> Result<ToolWrench, RecordingError> {
    Ok(ToolWrench {
        force: r.vector()?,
        torque: r.vector()?,
    })
}

fn read_point(r: &mut Reader<'_>) -> Result<PointState, RecordingError> {
    let mut state = PointState {
        displacement: r.vector()?,
        ..PointState::default()
    };
    for stress in &mut state.stress {
        *stress = r.f64()?;
    }
    Ok(state)
}
