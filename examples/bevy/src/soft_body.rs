//! A plugin for Bevy: worlds of Pliant advance on the game's clock, and their skins are drawn as meshes.

use bevy::asset::RenderAssetUsages;
use bevy::ecs::error::BevyError;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::platform::cell::SyncCell;
use bevy::prelude::*;
use pliant::World as SoftWorld;

/// Advances every [`SoftBody`], then draws it.
pub struct SoftBodyPlugin;

impl Plugin for SoftBodyPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, (advance, draw).chain().in_set(SoftBodySet));
    }
}

/// When soft bodies move: set tools before it, read forces after it.
#[derive(SystemSet, Debug, Clone, PartialEq, Eq, Hash)]
pub struct SoftBodySet;

/// A body that deforms, in metres and in world coordinates. Its entity has no transform but the identity.
#[derive(Component)]
#[require(Transform, Visibility)]
pub struct SoftBody(SyncCell<SoftWorld>);

impl SoftBody {
    /// The body of a world that was built.
    pub fn new(world: SoftWorld) -> Self {
        Self(SyncCell::new(world))
    }

    /// Its world: tools to move, forces to read.
    pub fn world(&mut self) -> &mut SoftWorld {
        self.0.get()
    }
}

/// Advances by the time that has passed on the game's clock, in whole frames of the world.
fn advance(mut bodies: Query<&mut SoftBody>, time: Res<Time>) -> Result<(), BevyError> {
    for mut body in &mut bodies {
        body.world().advance(time.delta_secs_f64())?;
    }
    Ok(())
}

/// Gives each body a mesh, and each mesh the present places and normals of the skin.
fn draw(
    mut commands: Commands,
    mut bodies: Query<(Entity, &mut SoftBody, Option<&Mesh3d>)>,
    mut meshes: ResMut<Assets<Mesh>>,
) {
    for (entity, mut body, mesh) in &mut bodies {
        let world = body.world();
        if let Some(handle) = mesh {
            if let Some(mut mesh) = meshes.get_mut(&handle.0) {
                place(&mut mesh, world);
            }
            continue;
        }
        let topology = PrimitiveTopology::TriangleList;
        let mut mesh = Mesh::new(topology, RenderAssetUsages::default());
        let corners = world.triangles().as_flattened().to_vec();
        mesh.insert_indices(Indices::U32(corners));
        place(&mut mesh, world);
        commands.entity(entity).insert(Mesh3d(meshes.add(mesh)));
    }
}

fn place(mesh: &mut Mesh, world: &SoftWorld) {
    mesh.insert_attribute(Mesh::ATTRIBUTE_POSITION, world.positions().to_vec());
    mesh.insert_attribute(Mesh::ATTRIBUTE_NORMAL, world.normals().to_vec());
}
