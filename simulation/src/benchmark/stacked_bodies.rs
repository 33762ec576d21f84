//! Many stacked bodies in contact, as `pliant bench` times it.

use std::sync::{Arc, Mutex};

use pliant_contact::{BodyGroup, GroupOptions};
use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::bench::{BenchCase, Work};
use pliant_core::boundary::{BoundaryConditions, Friction};
use pliant_core::contact::{Pose, Tool, ToolShape};
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_surface};
use pliant_core::mesh::{SurfaceFrame, VoxelGrid};
use pliant_core::model::{ContactCounts, DeformableModel, FrameRequest, OwnContact};

use pliant_lattice::{LatticeModel, LatticeParams, Precision, bake};

/// Cells of each body along x, y, z: 150 particles.
const CELLS: [usize; 3] = [4, 4, 5];
/// Edge of a cell, m.
const CELL: f64 = 0.05;
/// Frame, s.
const FRAME: f64 = 1.0 / 60.0;
/// Frames after which the stack lies.
const SETTLING_FRAMES: usize = 150;
/// Bodies along x and z at the beginning.
const BODIES_PER_SIDE: usize = 5;

/// `count` bodies of 150 particles that fell into a pit and lie on each other, nothing asleep. The reference are the same bodies without contact
/// between them.
pub(crate) fn stacked_bodies(count: usize) -> Result<BenchCase, String> {
    let mut stack = StackedBodies::new(count, true)?;
    for _ in 0..SETTLING_FRAMES {
        stack.step()?;
    }
    let counts = stack.group.contact_counts();
    if counts.rows < 4 * count {
        return Err(format!("{count} bodies have {} contacts", counts.rows));
    }
    // half a body's thickness: nothing has passed through
    if counts.depth > 2.0 * CELL {
        return Err(format!("a body is {} m inside another", counts.depth));
    }
    let mut alone = StackedBodies::new(count, false)?;
    let work = Work {
        bytes: 0.0,
        // contact is irregular: the limit is that of the bodies' own steps
        flops: (count * 150 * 450) as f64,
        double: false,
    };
    let counts = Arc::new(Mutex::new(counts));
    let last = Arc::clone(&counts);
    let mut case = BenchCase::new(count, 1.0, work, move || {
        // a body that flies off stops the clock, not the program
        let _ = stack.step();
        if let Ok(mut last) = last.lock() {
            *last = stack.group.contact_counts();
        }
    });
    case.stages = Some(Box::new(move || {
        counts.lock().map_or(Vec::new(), |c| stages(&c))
    }));
    Ok(case.with_reference(1.0, move || {
        let _ = alone.step();
    }))
}

/// What a frame consists of, ms.
fn stages(counts: &ContactCounts) -> Vec<(&'static str, f64)> {
    vec![
        ("find", counts.find_ms),
        ("rows", counts.rows_ms),
        ("impulses", counts.solve_ms),
        ("steps", counts.step_ms),
        ("contact points", counts.points_ms),
    ]
}

struct StackedBodies {
    group: BodyGroup<LatticeModel>,
    boundary: BoundaryConditions,
    skin: SurfaceFrame,
}

impl StackedBodies {
    fn new(count: usize, contact: bool) -> Result<Self, String> {
        let size = Vec3::from(CELLS.map(|n| n as f64 * CELL));
        let voxels = VoxelGrid::new(size * -0.5, CELL, CELLS, vec![true; CELLS.iter().product()]);
        let material = Material::default()
            .with_density(400.0)
            .with_damping_ratio(0.3);
        let geometry = BodyGeometry {
            voxels: Some(Arc::new(voxels)),
            ..BodyGeometry::new(
                Arc::new(box_surface(size, CELLS, CellStyle::Kuhn)),
                material,
            )
        };
        let params = LatticeParams {
            half_width: Some(2),
            alpha: Some(1.0),
            steps: Some(1),
            precision: Some(Precision::Single),
            energy_accounting: Some(false),
            ..LatticeParams::default()
        };
        let asset = bake(&geometry, &params, &Progress::new()).map_err(|e| e.to_string())?;
        let asset = Arc::new(asset);
        let make_model =
            |_| LatticeModel::new(Arc::clone(&asset), &params).map_err(|e| e.to_string());
        let models = (0..count).map(make_model).collect::<Result<Vec<_>, _>>()?;
        let places = (0..count).map(|k| {
            let layer = k / (BODIES_PER_SIDE * BODIES_PER_SIDE);
            let [i, j] = [k % BODIES_PER_SIDE, k / BODIES_PER_SIDE % BODIES_PER_SIDE]
                .map(|i| i as f64 - 2.0);
            let offset = 0.02 * (k as f64).sin();
            Pose::at(Vec3::new(
                0.27 * i + offset,
                0.15 + 0.24 * layer as f64,
                0.3 * j - offset,
            ))
        });
        let options = GroupOptions {
            between_bodies: contact,
            sleeping: false,
            ..GroupOptions::default()
        };
        let mut group = BodyGroup::new(models, places.collect(), options);
        let side = 0.27 * 0.5 * BODIES_PER_SIDE as f64 + 0.1;
        let wall = |normal: Vec3, distance: f64| Tool {
            name: String::new(),
            shape: ToolShape::HalfSpace {
                point: normal * -distance,
                normal,
            },
            friction: Friction::coulomb(0.3),
            adhesion: None,
            begin: Pose::at(Vec3::zeros()),
            end: Pose::at(Vec3::zeros()),
        };
        group.set_tools(&[
            wall(Vec3::y(), 0.0),
            wall(Vec3::x(), side),
            wall(-Vec3::x(), side),
            wall(Vec3::z(), side),
            wall(-Vec3::z(), side),
        ]);
        Ok(Self {
            group,
            boundary: BoundaryConditions::with_gravity(Vec3::new(0.0, -9.81, 0.0)),
            skin: SurfaceFrame::default(),
        })
    }

    fn step(&mut self) -> Result<(), String> {
        let result = self.group.advance(FrameRequest::new(FRAME, &self.boundary));
        self.group.write_surface(&mut self.skin);
        result.map(|_| ()).map_err(|e| e.to_string())
    }
}
