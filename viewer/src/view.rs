//! From a snapshot to what the panes draw: region, camera, vertices, tools.

use nalgebra::Matrix4;
use pliant_core::contact::{Tool, ToolShape};
use pliant_core::math::Vec3;
use pliant_core::math::bounds::Aabb;
use pliant_render::OrbitCamera;
use pliant_render::numbers::nice_step;
use pliant_render::surface::{CreasedSurface, SHARP_ANGLE};
use pliant_render::surface::{GlyphMesh, ToolGlyph};
use pliant_simulation::setup::{Setup, SetupTool};

use crate::gl::shadow::ShadowRegion;

/// Share of a pane that a framed body fills, in its larger direction.
const FILLED: f64 = 0.82;

/// A skin prepared for drawing.
#[derive(Debug, Clone)]
pub struct SceneView {
    /// The skin with sharp edges.
    pub skin: CreasedSurface,
    /// Floor and shadows.
    pub region: ShadowRegion,
    /// Distance between the lines on the floor, m.
    pub cell: f32,
    /// Mean edge length of the skin, m.
    pub edge: f64,
}

impl SceneView {
    /// Prepares a scene.
    pub fn new(setup: &Setup) -> Self {
        let bounds = reach(setup);
        let middle = bounds.center();
        let floor = floor_height(setup);
        let high = (bounds.max.y - floor).max(0.0);
        // several bodies, or one that falls, need more room than one that stays
        let size = bounds.diagonal().max(setup.diagonal).max(1e-9);
        let center = Vec3::new(middle.x, floor, middle.z);
        Self {
            skin: CreasedSurface::new(setup.skin(), SHARP_ANGLE),
            region: ShadowRegion {
                center: center.cast::<f32>().into(),
                size: size as f32,
                half_side: (0.75 * size + 0.9 * high) as f32,
                middle: middle.cast::<f32>().into(),
            },
            cell: nice_step(size / 4.0) as f32,
            edge: setup.skin().mean_edge(),
        }
    }
}

/// Height of the floor: that of a half-space that stands for one, else the foot of a body that is held there; a body that
/// hangs has it some way below.
fn floor_height(setup: &Setup) -> f64 {
    if let Some(height) = floor_of(setup) {
        return height;
    }
    let bounds = setup.skin().bounds();
    let low = bounds.min.y + 0.02 * bounds.size().y;
    let on_side = |axis: usize| {
        let reach = 0.02 * setup.diagonal;
        setup
            .skin()
            .positions
            .iter()
            .zip(&setup.held)
            .filter(|(_, held)| **held)
            .all(|(p, _)| p[axis] - bounds.min[axis] < reach || bounds.max[axis] - p[axis] < reach)
    };
    let stands = setup
        .skin()
        .positions
        .iter()
        .zip(&setup.held)
        .any(|(p, held)| *held && p.y <= low);
    // a wall that holds a whole side touches the lowest line of the body too
    let walled = stands && (on_side(0) || on_side(2));
    if stands && !walled || !setup.held.contains(&true) {
        bounds.min.y
    } else {
        bounds.min.y - 0.2 * setup.diagonal
    }
}

/// Height of a half-space that stands for a floor.
fn floor_of(setup: &Setup) -> Option<f64> {
    setup.tools.iter().find_map(|tool| match tool.shape {
        ToolShape::HalfSpace { point, normal } if normal.y > 0.99 => {
            Some(tool.path.pose(0.0).to_world(&point).y)
        }
        _ => None,
    })
}

/// Where the skins are at rest, and down to the floor where they hang above it and will fall.
fn reach(setup: &Setup) -> Aabb {
    let mut bounds = setup.skin().bounds();
    let falls = setup.description.gravity.y < 0.0 && !setup.held.contains(&true);
    if let Some(floor) = floor_of(setup).filter(|_| falls)
        && bounds.min.y - floor > 0.5 * bounds.size().y
    {
        bounds.min.y = floor;
    }
    bounds
}

/// The four corners of a box from above on a floor.
fn corners_below(bounds: &Aabb, floor: f64) -> [Vec3; 4] {
    let (low, high) = (bounds.min, bounds.max);
    [
        [low.x, low.z],
        [low.x, high.z],
        [high.x, low.z],
        [high.x, high.z],
    ]
    .map(|[x, z]| Vec3::new(x, floor, z))
}

/// Aims at the body and its tools from the present side, as close as a pane of `aspect` = width / height allows.
pub fn aim(camera: &mut OrbitCamera, setup: &Setup, aspect: f64) {
    let mut points: Vec<Vec3> = setup.skin().positions.clone();
    for tool in &setup.tools {
        let radius = tool.shape.outer_radius();
        if radius < setup.diagonal {
            let at = tool.path.pose(1.5).position;
            for axis in 0..3 {
                let mut reach = Vec3::zeros();
                reach[axis] = radius;
                points.extend([at - reach, at + reach]);
            }
        }
    }
    let below = reach(setup);
    if below != setup.skin().bounds() {
        points.extend(corners_below(&below, below.min.y));
    }
    let bounds = Aabb::of_points(&points);
    camera.fit(&bounds, aspect);
    if bounds.is_empty() || aspect <= 0.0 || bounds.diagonal() <= 0.0 {
        return;
    }
    // the corners of a box are mostly empty: bring the outline itself to the border of the picture
    for _ in 0..6 {
        let [right, up, back] = camera.axes();
        let half = (camera.fov_y * 0.5).tan();
        let (eye, mut low, mut high) = (camera.eye(), [f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for p in &points {
            let offset = p - eye;
            let depth = (-back.dot(&offset)).max(0.05 * camera.distance);
            let at = [
                right.dot(&offset) / (depth * half * aspect),
                up.dot(&offset) / (depth * half),
            ];
            for axis in 0..2 {
                low[axis] = low[axis].min(at[axis]);
                high[axis] = high[axis].max(at[axis]);
            }
        }
        let scale = camera.distance * half;
        camera.target += right * (0.5 * (low[0] + high[0]) * scale * aspect)
            + up * (0.5 * (low[1] + high[1]) * scale);
        let filled = (0.5 * (high[0] - low[0])).max(0.5 * (high[1] - low[1]));
        camera.zoom((filled / FILLED).clamp(0.5, 2.0));
    }
}

/// The tools that are drawn, in their own frames; the floor stands for half-spaces.
pub fn tool_meshes(tools: &[SetupTool]) -> Vec<GlyphMesh> {
    tools
        .iter()
        .filter_map(|t| local_glyph(&t.shape))
        .map(|glyph| glyph.mesh(1.0))
        .collect()
}

/// Poses of those tools.
pub fn tool_poses(tools: &[Tool]) -> Vec<Matrix4<f32>> {
    let drawn = tools.iter().filter(|t| local_glyph(&t.shape).is_some());
    drawn
        .map(|t| {
            let turn = t.end.orientation.to_homogeneous();
            (Matrix4::new_translation(&t.end.position) * turn).cast::<f32>()
        })
        .collect()
}

fn local_glyph(shape: &ToolShape) -> Option<ToolGlyph> {
    Some(match *shape {
        ToolShape::Sphere { radius } => ToolGlyph::Sphere {
            center: Vec3::zeros(),
            radius,
        },
        ToolShape::Capsule {
            radius,
            half_length,
        } => ToolGlyph::Capsule {
            a: -Vec3::y() * half_length,
            b: Vec3::y() * half_length,
            radius,
        },
        ToolShape::Box { half_size, .. } => ToolGlyph::Box {
            center: Vec3::zeros(),
            half: half_size,
            rotation: nalgebra::UnitQuaternion::identity(),
        },
        ToolShape::HalfSpace { .. } | ToolShape::Custom(_) => return None,
    })
}

/// Path of a dropped file, if it has one.
pub fn dropped_path(file: &egui::DroppedFileHandle) -> Option<String> {
    let path = file.path().to_string_lossy().into_owned();
    (!path.is_empty()).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::contact::Pose;
    use pliant_core::mesh::SurfaceMesh;

    #[test]
    fn a_hanging_body_has_its_floor_below() {
        let mut setup = Setup::clone(crate::testing::snapshot().setup.as_ref().expect("a scene"));
        let bounds = setup.skin().bounds();
        assert_eq!(
            floor_height(&setup),
            bounds.min.y,
            "nothing holds it: it stands"
        );
        let on = |setup: &Setup, axis: usize| -> Vec<bool> {
            setup
                .skin()
                .positions
                .iter()
                .map(|p| p[axis] < bounds.min[axis] + 1e-6)
                .collect()
        };
        setup.held = on(&setup, 1);
        assert_eq!(floor_height(&setup), bounds.min.y, "held at its foot");
        setup.held = on(&setup, 0);
        assert!(
            floor_height(&setup) < bounds.min.y - 0.1 * setup.diagonal,
            "held at a wall"
        );
    }

    #[test]
    fn an_aimed_body_fills_the_pane_and_stays_inside() {
        let snapshot = crate::testing::snapshot();
        let mut setup = Setup::clone(snapshot.setup.as_ref().expect("a scene"));
        setup.tools.clear();
        for aspect in [0.5, 1.0, 2.2] {
            let mut camera = OrbitCamera::default();
            aim(&mut camera, &setup, aspect);
            let clip = camera.projection(aspect) * camera.view();
            let mut widest = 0.0_f32;
            for p in &setup.skin().positions {
                let q = clip.transform_point(&p.cast::<f32>().into());
                widest = widest.max(q.x.abs()).max(q.y.abs());
            }
            assert!((widest - FILLED as f32).abs() < 0.03, "{widest}");
        }
    }

    #[test]
    fn what_falls_is_shown_down_to_the_floor() {
        let mut setup = Setup::clone(crate::testing::snapshot().setup.as_ref().expect("a scene"));
        setup.tools.clear();
        let mut skin = SurfaceMesh::clone(setup.skin());
        skin.positions.iter_mut().for_each(|x| x.y += 1.0);
        setup.shown = skin.into();
        setup.description.gravity = Vec3::new(0.0, -9.81, 0.0);
        let without = SceneView::new(&setup).region;
        let floor = ToolShape::HalfSpace {
            point: Vec3::zeros(),
            normal: Vec3::y(),
        };
        setup.tools.push(SetupTool {
            name: "floor".into(),
            shape: floor,
            friction: pliant_core::boundary::Friction::None,
            path: pliant_core::path::PosePath::still(Pose::at(Vec3::zeros())),
            follows_pointer: false,
        });
        let region = SceneView::new(&setup).region;
        assert_eq!(region.center[1], 0.0);
        assert!(region.size > without.size && region.middle[1] < without.middle[1]);
        let mut camera = OrbitCamera::default();
        aim(&mut camera, &setup, 1.0);
        let clip = camera.projection(1.0) * camera.view();
        let foot = clip.transform_point(&nalgebra::Point3::new(0.0, 0.0, 0.0));
        assert!(foot.y.abs() < 1.0, "the floor is in the picture");
    }

    #[test]
    fn vertices_follow_the_frame_and_tools_their_poses() {
        let snapshot = crate::testing::snapshot();
        let setup = snapshot.setup.as_ref().expect("a scene");
        let view = SceneView::new(setup);
        let frame = &snapshot.panes[0].frame;
        let normals = view.skin.normals(&view.skin.positions(&frame.positions));
        let out = crate::pane_skin::vertices(frame, &view.skin, &normals, |_| [1.0, 0.0, 0.5]);
        // a box has three normals at each corner and two at each edge: more vertices than the skin
        assert!(out.len() > setup.skin().vertex_count());
        assert!(out.iter().all(|v| v.color == [255, 0, 128, 255]));
        let poses = tool_poses(&snapshot.tools);
        assert_eq!((poses.len(), tool_meshes(&setup.tools).len()), (1, 1));
        assert_eq!(poses[0][(1, 3)], 1.0);
    }
}
