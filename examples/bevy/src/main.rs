//! A finger presses a jelly and follows the mouse: a soft body in a game of Bevy.
//!
//! `cargo run --release` in this folder. The left button presses the finger in; the title of the window says with what force.

mod soft_body;

use bevy::ecs::error::BevyError;
use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use pliant::{Body, Material, Method, Ray, Scene, Tool};

use soft_body::{SoftBody, SoftBodyPlugin, SoftBodySet};

/// Radius of the finger, m.
const RADIUS: f32 = 0.02;
/// How deep it is pressed in, m.
const DEPTH: f32 = 0.025;

#[derive(Component)]
struct Finger;

fn main() {
    App::new()
        .add_plugins((DefaultPlugins, SoftBodyPlugin))
        .add_systems(Startup, set_up)
        .add_systems(Update, point.before(SoftBodySet))
        .add_systems(Update, tell_force.after(SoftBodySet))
        .run();
}

fn set_up(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<StandardMaterial>>,
) -> Result<(), BevyError> {
    let jelly = Body::procedural("kidney")
        .longest(0.25)
        .on_floor()
        .material(Material::isotropic(2e4, 0.4).with_damping_ratio(0.1))
        .hold_lowest(0.1);
    let world = Scene::new("game")
        .body(jelly)
        .tool(Tool::floor("table", 0.0))
        .tool(Tool::sphere("finger", f64::from(RADIUS), [0.0, 0.4, 0.0]))
        .build(Method::Lattice)?;
    let red = materials.add(StandardMaterial {
        base_color: Color::srgb(0.80, 0.33, 0.30),
        perceptual_roughness: 0.35,
        ..default()
    });
    commands.spawn((SoftBody::new(world), MeshMaterial3d(red)));
    commands.spawn((
        Finger,
        Mesh3d(meshes.add(Sphere::new(RADIUS))),
        MeshMaterial3d(materials.add(Color::srgb(0.45, 0.48, 0.53))),
        Transform::from_xyz(0.0, 0.4, 0.0),
    ));
    commands.spawn((
        Mesh3d(meshes.add(Plane3d::default().mesh().size(2.0, 2.0))),
        MeshMaterial3d(materials.add(Color::srgb(0.78, 0.80, 0.83))),
    ));
    commands.spawn((
        DirectionalLight {
            illuminance: 8_000.0,
            ..default()
        },
        Transform::from_xyz(0.5, 1.0, 0.6).looking_at(Vec3::ZERO, Vec3::Y),
    ));
    commands.spawn((
        Camera3d::default(),
        Transform::from_xyz(0.15, 0.30, 0.42).looking_at(Vec3::new(0.0, 0.06, 0.0), Vec3::Y),
    ));
    Ok(())
}

/// The finger hovers over the place of the skin under the mouse, and is pressed in while the left button is down.
fn point(
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut body: Single<&mut SoftBody>,
    mut finger: Single<&mut Transform, With<Finger>>,
    mut distance: Local<f32>,
    time: Res<Time>,
) -> Result<(), BevyError> {
    let (camera, place) = *camera;
    let Some(mouse) = window.cursor_position() else {
        return Ok(());
    };
    let ray = camera.viewport_to_world(place, mouse)?;
    let wide = |v: Vec3| pliant::Vec3::new(v.x.into(), v.y.into(), v.z.into());
    let ray_of_world = Ray {
        origin: wide(ray.origin),
        direction: wide(*ray.direction),
    };
    let world = body.world();
    let is_pressed = buttons.pressed(MouseButton::Left);
    let hit = world.pick(&ray_of_world);
    if let (false, Some((at, _))) = (is_pressed, hit) {
        // how far the skin is, before it is pressed away
        *distance = at as f32;
    }
    if hit.is_some() {
        let gap = if is_pressed {
            RADIUS - DEPTH
        } else {
            RADIUS + 0.01
        };
        let goal = ray.origin + *ray.direction * (*distance - gap);
        // as fast as a hand, whatever the mouse does
        let step = (goal - finger.translation).clamp_length_max(0.5 * time.delta_secs());
        finger.translation += step;
        world.move_tool("finger", wide(finger.translation))?;
    }
    Ok(())
}

fn tell_force(
    mut body: Single<&mut SoftBody>,
    mut window: Single<&mut Window, With<PrimaryWindow>>,
) -> Result<(), BevyError> {
    let force = body.world().tool_force("finger")?;
    window.title = format!("{:.2} N on the finger", force.norm());
    Ok(())
}
