//! A small recording for tests.

use std::sync::Arc;

use pliant_core::contact::{Pose, ToolWrench};
use pliant_core::inspect::PointState;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::scene::Method;

use crate::contents::{
    Cut, Frame, Header, MethodFrame, RecordedImport, RecordedMethod, RecordedScene, RecordedSource,
    Skin, Summary, Surface,
};
use crate::surface_hash;
use crate::writer::RecordingWriter;

/// The contents of a sample recording.
pub(crate) struct Sample {
    pub header: Header,
    pub skin: Skin,
    pub frames: Vec<Frame>,
    /// `surfaces[frame][method]`
    pub surfaces: Vec<Vec<Surface>>,
    pub summary: Summary,
}

/// Two methods with a bending box, one of which stops early.
pub(crate) fn sample(frames: u32, every: u32) -> Sample {
    let surface = box_surface(Vec3::new(0.2, 0.3, 0.1), [2, 3, 1], CellStyle::Kuhn);
    let positions = surface.positions.iter();
    let skin = Skin {
        rest: positions.map(|x| x.cast::<f32>().into()).collect(),
        triangles: surface.triangles,
    };
    let mut sample = Sample {
        header: header(&skin, frames, every),
        frames: Vec::new(),
        surfaces: Vec::new(),
        summary: Summary {
            surface_hash: vec![11, 12],
            stopped: vec![String::new(), "Diverged".into()],
        },
        skin,
    };
    for k in 0..frames {
        let bend = |amount: f32| -> Vec<[f32; 3]> {
            let bent = sample.skin.rest.iter();
            bent.map(|[x, y, z]| {
                [
                    x + amount * (y * 9.0).sin() * k as f32,
                    *y,
                    z * (1.0 + amount),
                ]
            })
            .collect()
        };
        let surfaces: Vec<Surface> = vec![bend(0.003).into(), bend(-0.011).into()];
        sample.frames.push(frame(k, &surfaces));
        sample.surfaces.push(surfaces);
    }
    sample
}

fn header(skin: &Skin, frames: u32, every: u32) -> Header {
    let inside = |names: &[&str]| -> Vec<(String, Vec3)> {
        let places = names.iter();
        places
            .map(|n| (n.to_string(), Vec3::new(0.0, 0.1, 0.0)))
            .collect()
    };
    Header {
        program: "0.1.0".into(),
        kernels: "portable".into(),
        portable: true,
        scene: RecordedScene {
            name: "a bent, \"small\" box".into(),
            origin: "box.stl".into(),
            folder: "/somewhere".into(),
            text: "schema = 1\n".into(),
            wrapped: Some(RecordedImport {
                units: Some("mm".into()),
                z_up: true,
                repairs: true,
                thickness: Some(0.001),
            }),
            seed: Some(7),
            budget_ms: None,
            files: vec![RecordedSource {
                path: "/somewhere/box.stl".into(),
                bytes: 684,
                hash: 1 << 100 | 5,
            }],
        },
        frame_duration: 1.0 / 60.0,
        frames,
        surface_every: every,
        vertices: skin.rest.len() as u32,
        triangles: skin.triangles.len() as u32,
        tools: vec!["finger, left".into()],
        grabs: vec!["hand".into()],
        probes: vec!["tip".into()],
        methods: vec![
            RecordedMethod {
                method: Method::Adaptive,
                inside: inside(&["heart"]),
            },
            RecordedMethod {
                method: Method::Lattice,
                inside: inside(&[]),
            },
        ],
    }
}

/// Frame number `k`, at whose end the methods have these surfaces. The second method stops after three.
fn frame(k: u32, surfaces: &[Surface]) -> Frame {
    let time = f64::from(k + 1) / 60.0;
    let methods = surfaces.iter().enumerate().map(|(m, surface)| MethodFrame {
        computed: m == 0 || k < 3,
        surface_hash: surface_hash(&surface.positions),
        wrenches: vec![ToolWrench {
            force: Vec3::new(0.5, -f64::from(k), 0.0),
            torque: Vec3::new(0.0, 0.25, -0.0),
        }],
        grabs: vec![Vec3::new(0.1, 0.2, 0.3 * time)],
        probes: vec![Vec3::new(time, 0.0, -1e-9)],
        inside: match m {
            0 => vec![PointState {
                displacement: Vec3::new(1e-3, 0.0, time),
                stress: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
            }],
            _ => Vec::new(),
        },
    });
    Frame {
        time,
        tools: vec![Pose::at(Vec3::new(0.0, 0.4 - time, 0.0))],
        methods: methods.collect(),
    }
}

/// The same with cuts in the second method at the end of the third and of the fifth frame; it is whole again after the seventh.
pub(crate) fn cut_sample(frames: u32, every: u32) -> Sample {
    let mut sample = sample(frames, every);
    let cuts = [1, 2].map(|parts| Arc::new(cut_skin(&sample.skin, parts)));
    for (k, surfaces) in sample.surfaces.iter_mut().enumerate() {
        let skin = match k {
            2 | 3 => &cuts[0],
            4..7 => &cuts[1],
            _ => continue,
        };
        let surface = &mut surfaces[1];
        let mut positions = surface.positions.clone();
        // lips move apart
        positions[0][1] += 0.001 * k as f32;
        let beyond = skin.rest[positions.len()..].iter();
        positions.extend(beyond.map(|[x, y, z]| [x - 0.002 * k as f32, *y, *z]));
        surface.cut = Some(Cut {
            skin: Arc::clone(skin),
            positions,
        });
    }
    sample
}

/// A closed surface: the skin with some triangles detached, each of which becomes two that face away from each other.
fn cut_skin(skin: &Skin, parts: usize) -> Skin {
    let mut cut = skin.clone();
    for k in 0..parts {
        let first = cut.rest.len() as u32;
        let triangle = cut.triangles[3 * k];
        cut.rest.extend(triangle.map(|v| skin.rest[v as usize]));
        cut.triangles.insert(3 * k, [first, first + 1, first + 2]);
        cut.triangles.push([first, first + 2, first + 1]);
    }
    cut
}

impl Sample {
    /// The bytes of the recording.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let header = self.header.clone();
        let mut writer = RecordingWriter::new(Vec::new(), header, &self.skin).expect("memory");
        for (frame, surfaces) in self.frames.iter().zip(&self.surfaces) {
            writer.frame(frame, surfaces).expect("memory");
        }
        let (bytes, length) = writer.finish(&self.summary).expect("memory");
        assert_eq!(bytes.len() as u64, length);
        bytes
    }
}
