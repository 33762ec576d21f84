//! A scene: bodies, tools, gravity, and the worlds that are built of them.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use pliant_core::asset::{BodyGeometry, Progress};
use pliant_core::contact::{Pose, PosePath};
use pliant_core::math::Vec3;
use pliant_core::mesh::SurfaceMesh;
use pliant_core::model::DeformableModel;
use pliant_core::scene::{
    MeshSource, Method, MotionDescription, SceneDescription, ShapeDescription,
};
use pliant_simulation::build::{BuiltMethod, build_method};
use pliant_simulation::cache::AssetCache;
use pliant_simulation::error::BuildError;
use pliant_simulation::scenes::{ImportOptions, LoadedScene, load};
use pliant_simulation::setup::{Setup, prepare};
use toml::{Table, Value};

use crate::body::{Body, BodyDescription};
use crate::error::{Error, Result};
use crate::keys::{self, Keys};
use crate::tool::Tool;
use crate::world::World;

/// What a world is built of. It is only a description: nothing is read or meshed before [`Scene::build`] or [`Scene::prepare`].
///
/// ```
/// use pliant::{Body, Method, Scene, Tool};
///
/// let scene = Scene::new("pad")
///     .body(Body::cuboid([0.2, 0.1, 0.2], 0.025).hold_lowest(0.01))
///     .tool(Tool::sphere("finger", 0.05, [0.0, 0.2, 0.0]))
///     .gravity([0.0, 0.0, 0.0]);
/// let world = scene.build(Method::Lattice)?;
/// assert_eq!(world.skin().vertex_count(), world.positions().len());
///
/// // what is wrong is named, with its place and a remedy
/// let wrong = Scene::new("pad").body(Body::cuboid([0.2, 0.1, 0.2], 0.025).set("latice.cell", 0.02));
/// let error = wrong.build(Method::Lattice).err().expect("no such key");
/// assert_eq!(error.code(), "UnknownKey");
/// assert!(error.to_string().contains("did you mean `lattice`?"));
/// # Ok::<(), pliant::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Scene {
    name: String,
    keys: Keys,
    bodies: Vec<Body>,
    tools: Vec<Tool>,
    loaded: Option<LoadedScene>,
    cache: AssetCache,
}

impl Scene {
    /// An empty scene with earth's gravity.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_string(),
            keys: Keys::default(),
            bodies: Vec::new(),
            tools: Vec::new(),
            loaded: None,
            cache: AssetCache::disabled(),
        }
    }

    /// A scene file (`.toml`), a [bundled scene](pliant_simulation::scenes::BUNDLED) by name (`poke`, `liver`, ...), or any mesh file: the body then stands on its foot, 0.3 m long, and a ball
    /// pokes it from above, as with the program `pliant`. Bodies and tools can be added. To change a key inside its tables, change its text ([`Scene::parse`]).
    ///
    /// # Errors
    /// No such file or scene, or the first key that is wrong.
    pub fn load<S: AsRef<OsStr> + ?Sized>(source: &S) -> Result<Self> {
        Ok(Self::from_loaded(load(source, &ImportOptions::default())?))
    }

    /// A scene from the text of a scene file. Its relative paths start at the current folder.
    ///
    /// # Errors
    /// The first key that is wrong.
    pub fn parse(text: &str) -> Result<Self> {
        parse_scene("scene", text.to_string()).map(Self::from_loaded)
    }

    fn from_loaded(loaded: LoadedScene) -> Self {
        let mut scene = Self::new(&loaded.description.name);
        scene.loaded = Some(loaded);
        scene
    }

    /// Adds a body.
    pub fn body(mut self, body: Body) -> Self {
        self.bodies.push(body);
        self
    }

    /// Adds a tool.
    pub fn tool(mut self, tool: Tool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Gravity, m/s².
    pub fn gravity(self, gravity: impl Into<Vec3>) -> Self {
        let gravity: Vec3 = gravity.into();
        self.set("gravity", keys::triple(gravity.into()))
    }

    /// Frames a second of physical time, 60 by default. A method takes as many steps inside a frame as it needs.
    pub fn frame_rate(self, rate: f64) -> Self {
        self.set("frame_rate", rate)
    }

    /// Sets any key of a scene file outside of bodies and tools, with dots between tables; `docs/scenes.md` in the repository has all of them.
    pub fn set(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.keys.set(key, value.into());
        self
    }

    /// Keeps baked assets in a folder, so that they are baked once. Without it every build bakes again. A folder that cannot be written is ignored.
    pub fn cache_in(mut self, folder: impl AsRef<Path>) -> Self {
        self.cache = AssetCache::open(Some(folder.as_ref()));
        self
    }

    /// The checked description.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn description(&self) -> Result<SceneDescription> {
        self.loaded().map(|loaded| loaded.description)
    }

    /// Builds one method: meshes, bakes (or takes the asset from the cache), and puts everything at rest. A bake takes from milliseconds to minutes, by method and resolution;
    /// [`PreparedScene::build_with`] is for a thread of its own.
    ///
    /// # Errors
    /// What is wrong with scene, mesh or tool, or why the method cannot run it.
    pub fn build(&self, method: Method) -> Result<World> {
        self.prepare()?.build(method)
    }

    /// Reads or generates the skin and resolves everything that refers to it: what all methods share.
    ///
    /// # Errors
    /// What is wrong with scene, mesh or tool.
    pub fn prepare(&self) -> Result<PreparedScene> {
        self.prepare_with(&Progress::new())
    }

    /// As [`Scene::prepare`], watched and cancelled through `progress`.
    ///
    /// # Errors
    /// As [`Scene::prepare`]; `Cancelled`.
    pub fn prepare_with(&self, progress: &Progress) -> Result<PreparedScene> {
        let setup = prepare(&self.loaded()?, progress)?;
        Ok(PreparedScene {
            setup: Arc::new(setup),
            cache: self.cache.clone(),
        })
    }

    /// The checked description with its text, as [`simulation`](crate::simulation) takes scenes. Meshes in memory and the positions of tools that the program adds are only in the description, not in the text.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn loaded(&self) -> Result<LoadedScene> {
        self.keys.check(|| "the scene".into())?;
        let described = self.loaded.as_ref().map(|loaded| &loaded.description);
        let is_cut = self.tools.iter().any(|tool| tool.shape.is_blade())
            || described.is_some_and(|scene| scene.blades().next().is_some());
        let added = self.bodies.iter().map(|body| body.description(is_cut));
        let added: Vec<BodyDescription> = added.collect::<Result<_>>()?;
        let is_unchanged = self.keys.table.is_empty() && added.is_empty() && self.tools.is_empty();
        let mut loaded = match &self.loaded {
            Some(loaded) if is_unchanged => return Ok(loaded.clone()),
            Some(loaded) => {
                // additions are checked together with the text, which stays as it is
                let mut table: Table = loaded.text.parse().map_err(|e: toml::de::Error| {
                    Error::Build(BuildError::Unreadable {
                        file: loaded.origin.clone(),
                        reason: format!("{}\n  remedy: correct the text", e.message()),
                    })
                })?;
                self.add_to(&mut table, &added);
                let mut extended = parse_scene(&self.name, table.to_string())?;
                // the mesh of a dropped file is in the description only
                extended.description.body = loaded.description.body.clone();
                extended
                    .description
                    .name
                    .clone_from(&loaded.description.name);
                extended.origin.clone_from(&loaded.origin);
                extended.folder.clone_from(&loaded.folder);
                extended
            }
            None => {
                let mut table = Table::new();
                table.insert("name".into(), Value::String(self.name.clone()));
                self.add_to(&mut table, &added);
                parse_scene(&self.name, table.to_string())?
            }
        };
        let description = &mut loaded.description;
        let body_count = 1 + description.others.len();
        let first = body_count.saturating_sub(added.len());
        let bodies = [&mut description.body]
            .into_iter()
            .chain(&mut description.others);
        for (body, added) in bodies.skip(first).zip(added) {
            if let MeshSource::File { path, given, .. } = &mut body.mesh {
                *given = added.given;
                if let Some(file) = added.file {
                    *path = file;
                }
            }
        }
        let first = description.tools.len().saturating_sub(self.tools.len());
        for (tool, added) in description.tools.iter_mut().skip(first).zip(&self.tools) {
            if !added.start.iter().all(|c| c.is_finite()) {
                return Err(Error::NotFinite {
                    what: format!("the place where tool `{}` begins", added.name()),
                });
            }
            tool.shape = ShapeDescription::Given(added.shape.clone());
            let at_rest = || MotionDescription::Path(PosePath::still(Pose::at(added.start)));
            tool.motion = added.motion.clone().unwrap_or_else(at_rest);
        }
        Ok(loaded)
    }

    /// Adds bodies, tools and keys to the table of a scene.
    fn add_to(&self, table: &mut Table, bodies: &[BodyDescription]) {
        for (key, value) in &self.keys.table {
            table.insert(key.clone(), value.clone());
        }
        let bodies = bodies.iter().map(|body| Value::Table(body.table.clone()));
        append(table, "body", bodies);
        append(table, "tool", self.tools.iter().map(Tool::table));
    }
}

/// Appends to an array of tables. Without items no array is made.
fn append(table: &mut Table, key: &str, items: impl Iterator<Item = Value>) {
    let items: Vec<Value> = items.collect();
    if items.is_empty() {
        return;
    }
    match table.get_mut(key) {
        Some(Value::Array(array)) => array.extend(items),
        _ => {
            table.insert(key.into(), Value::Array(items));
        }
    }
}

fn parse_scene(name: &str, text: String) -> Result<LoadedScene> {
    Ok(LoadedScene::of_text(name, text)?)
}

/// A scene with its skin: several methods built of it share skin, supports and tools.
///
/// ```
/// use pliant::{Body, Method, Scene};
/// let scene = Scene::new("two").body(Body::cuboid([0.2, 0.1, 0.2], 0.04).hold_lowest(0.01));
/// let prepared = scene.prepare()?;
/// let (mut a, mut b) = (prepared.build(Method::Lattice)?, prepared.build(Method::Quasistatic)?);
/// a.step()?;
/// b.step()?;
/// assert_eq!(a.positions().len(), b.positions().len());
/// # Ok::<(), pliant::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct PreparedScene {
    setup: Arc<Setup>,
    cache: AssetCache,
}

impl PreparedScene {
    /// Builds one method.
    ///
    /// # Errors
    /// Why the method cannot run this scene, or where meshing failed.
    pub fn build(&self, method: Method) -> Result<World> {
        self.build_with(method, &Progress::new())
    }

    /// As [`PreparedScene::build`], watched and cancelled through `progress`: for baking on a thread of its own. [`World`] can be sent to another thread.
    ///
    /// # Errors
    /// As [`PreparedScene::build`]; `Cancelled`.
    pub fn build_with(&self, method: Method, progress: &Progress) -> Result<World> {
        let built = self.built(method, progress)?;
        let inner =
            pliant_simulation::world::World::new(method, built.model, Arc::clone(&self.setup));
        let notes = self.setup.note_texts_of(method).map(str::to_string);
        let notes = notes.chain(built.notes).collect();
        Ok(World::new(inner, &self.setup, notes))
    }

    /// The model of a method alone, at rest: for a program that detects contacts itself and makes [`BoundaryConditions`](crate::BoundaryConditions) of them.
    ///
    /// # Errors
    /// As [`PreparedScene::build`].
    pub fn model(&self, method: Method) -> Result<Box<dyn DeformableModel>> {
        Ok(self.built(method, &Progress::new())?.model)
    }

    fn built(&self, method: Method, progress: &Progress) -> Result<BuiltMethod> {
        if method == Method::Quasistatic && self.geometry().supports.is_empty() {
            return Err(Error::NothingHolds {
                body: self.setup.description.body.name.clone(),
            });
        }
        Ok(build_method(&self.setup, method, &self.cache, progress)?)
    }

    /// A world around a model of your own, whose [`surface`](DeformableModel::surface) has to be this scene's skin ([`PreparedScene::skin`]).
    pub fn world_of(&self, model: Box<dyn DeformableModel>) -> World {
        let inner = pliant_simulation::world::World::of_own_model(model, Arc::clone(&self.setup));
        World::new(inner, &self.setup, self.notes())
    }

    /// The skin at rest, of all bodies one after the other.
    pub fn skin(&self) -> &Arc<SurfaceMesh> {
        self.setup.skin()
    }

    /// Skin, material and supports of the first body, as the solver crates bake from them.
    pub fn geometry(&self) -> &BodyGeometry {
        &self.setup.geometry
    }

    /// The scene as it was resolved, for the functions of [`simulation`](crate::simulation).
    pub fn setup(&self) -> &Arc<Setup> {
        &self.setup
    }

    /// Where baked assets are kept.
    pub fn cache(&self) -> &AssetCache {
        &self.cache
    }

    /// What was repaired or assumed, a sentence each.
    pub fn notes(&self) -> Vec<String> {
        self.setup.note_texts().map(str::to_string).collect()
    }
}
