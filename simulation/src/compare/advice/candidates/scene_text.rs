//! The text of a scene that stands on its own, with the settings of a candidate.

use std::path::{Path, PathBuf};

use pliant_core::material::{Damping, Material};
use pliant_core::scene::{
    MeshRepair, MeshSource, Method, SceneDescription, SceneError, ViewDescription, load_scene,
};
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, TableLike, Value};

use super::setting::{Setting, SettingValue};
use super::view_table::set_view;
use crate::error::BuildError;
use crate::scenes::{LoadedScene, UNITS, absolute, is_drop_in, parse};
use crate::setup::Setup;
use crate::setup::hand::{HandMotion, RestingBlade, split};

/// The text of a scene that stands on its own: its files have absolute paths, a mesh that was dropped in is named, and the seed is the one that counts. Comments and layout are
/// those of the author.
#[derive(Debug, Clone)]
pub struct SceneText {
    document: DocumentMut,
    origin: PathBuf,
    hand: Option<String>,
}

impl SceneText {
    /// The text of a loaded scene.
    ///
    /// # Errors
    /// [`BuildError::Scene`] where the text is no TOML.
    pub fn of(loaded: &LoadedScene) -> Result<Self, BuildError> {
        let is_wrapped = is_drop_in(&loaded.text);
        let (text, _) = split(&loaded.text).map_err(|source| loaded.wrong(source))?;
        let text = match is_wrapped || loaded.origin == Path::new("drop-in") {
            // its first line explains the place where the mesh goes
            true => text.split_once('\n').map_or("", |(_, rest)| rest),
            false => text,
        };
        let mut document: DocumentMut = text.parse().map_err(|e: toml_edit::TomlError| {
            let message = e.message().trim().replace('\n', " ");
            loaded.wrong(SceneError::Syntax { line: 1, message })
        })?;
        let description = &loaded.description;
        if is_wrapped {
            document["name"] = toml_edit::value(&description.name);
            document["title"] = toml_edit::value(&description.title);
        }
        if load_scene(text).is_ok_and(|written| written.seed != description.seed) {
            // the format has no unsigned numbers
            document["seed"] = toml_edit::value(description.seed as i64);
        }
        let described = [&description.body].into_iter().chain(&description.others);
        for (table, body) in tables(&mut document, "body").into_iter().zip(described) {
            if is_wrapped {
                table.insert("mesh", toml_edit::value(mesh_table(&body.mesh)));
            } else {
                make_absolute(table, "mesh", "file", &loaded.folder);
            }
            let folder = loaded.origin.parent().unwrap_or(Path::new(""));
            make_absolute(table, "quasistatic", "asset", folder);
        }
        for tool in tables(&mut document, "tool") {
            let shape = tool.get_mut("shape").and_then(Item::as_table_like_mut);
            if let Some(shape) = shape {
                make_absolute(shape, "mesh", "file", &loaded.folder);
            }
        }
        Ok(Self {
            document,
            origin: loaded.origin.clone(),
            hand: loaded.hand.as_ref().map(|hand| hand.text()),
        })
    }

    /// The same with another hand in it, and with the time that it takes as the duration of the scene, if it takes any.
    #[must_use]
    pub(crate) fn with_hand(mut self, hand: &HandMotion) -> Self {
        self.hand = (!hand.is_idle()).then(|| hand.text());
        if hand.takes_time() {
            self.document["duration"] = toml_edit::value(hand.frames as f64 / hand.frame_rate);
        }
        self
    }

    /// The same with another view of it.
    #[must_use]
    pub(crate) fn with_view(mut self, view: &ViewDescription) -> Self {
        set_view(&mut self.document, view);
        self
    }

    /// The same with another material of its first body.
    #[must_use]
    pub(crate) fn with_material(mut self, material: &Material) -> Self {
        if let Some(body) = tables(&mut self.document, "body").into_iter().next() {
            set_material(body, material);
        }
        self
    }

    /// The same with a blade at rest.
    #[must_use]
    pub(crate) fn with_blade(mut self, blade: &RestingBlade) -> Self {
        let [length, height, thickness] = blade.size();
        let size = [
            ("length", length),
            ("height", height),
            ("thickness", thickness),
        ];
        let shape = InlineTable::from_iter([("blade", InlineTable::from_iter(size))]);
        let motion = InlineTable::from_iter([("path", RestingBlade::NAME)]);
        let tool: [(&str, Value); 3] = [
            ("name", RestingBlade::NAME.into()),
            ("shape", shape.into()),
            ("motion", motion.into()),
        ];
        push(&mut self.document, "tool", InlineTable::from_iter(tool));
        let at = blade.position.iter().copied().collect::<Array>();
        let key: [(&str, Value); 2] = [("t", Value::from(0.0)), ("at", at.into())];
        let keys = Array::from_iter([InlineTable::from_iter(key)]);
        let path: [(&str, Value); 2] = [("name", RestingBlade::NAME.into()), ("keys", keys.into())];
        push(&mut self.document, "path", InlineTable::from_iter(path));
        self
    }

    /// The text with `settings` for its first body, under a `heading` of comment lines.
    pub fn with(&self, settings: &[Setting], heading: &[String]) -> String {
        let mut document = self.document.clone();
        if let Some(body) = tables(&mut document, "body").into_iter().next() {
            for setting in settings {
                apply(body, setting);
            }
        }
        let heading: String = heading.iter().map(|line| format!("# {line}\n")).collect();
        let scene = document.to_string();
        match &self.hand {
            Some(hand) => format!("{heading}{}\n\n{hand}", scene.trim_end()),
            None => format!("{heading}{scene}"),
        }
    }

    /// What the text with `settings` says.
    ///
    /// # Errors
    /// [`BuildError::Scene`] where the settings do not go with the rest of the scene.
    pub fn description(&self, settings: &[Setting]) -> Result<SceneDescription, BuildError> {
        let text = self.with(settings, &[]);
        Ok(parse(&self.origin, Path::new(""), text)?.description)
    }

    /// The scene of `setup` with `settings` in the table of `method` of its first body. Nothing else of the text counts.
    pub(crate) fn setup_with(
        &self,
        setup: &Setup,
        method: Method,
        settings: &[Setting],
    ) -> Result<Setup, BuildError> {
        let body_description = self.description(settings)?.body;
        let mut setup = setup.clone();
        let body = &mut setup.description.body;
        match method {
            Method::Adaptive => body.adaptive = body_description.adaptive,
            Method::Quasistatic => body.quasistatic = body_description.quasistatic,
            Method::Lattice => body.lattice = body_description.lattice,
        }
        Ok(setup)
    }
}

/// The tables of all bodies or tools, written as an array of tables or inline.
fn tables<'a>(document: &'a mut DocumentMut, key: &str) -> Vec<&'a mut dyn TableLike> {
    match document.get_mut(key) {
        Some(Item::ArrayOfTables(tables)) => {
            let tables = tables.iter_mut();
            tables.map(|t| t as &mut dyn TableLike).collect()
        }
        Some(Item::Value(Value::Array(values))) => {
            let tables = values.iter_mut().filter_map(Value::as_inline_table_mut);
            tables.map(|t| t as &mut dyn TableLike).collect()
        }
        _ => Vec::new(),
    }
}

/// Adds `entry` to a list of tables, as the list is written; a new list follows the rest of the text.
fn push(document: &mut DocumentMut, key: &str, entry: InlineTable) {
    let list = document
        .entry(key)
        .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    match list {
        Item::ArrayOfTables(tables) => tables.push(entry.into_table()),
        Item::Value(Value::Array(values)) => values.push(entry),
        _ => {}
    }
}

/// Changes the table `key` of a body; creates it where there is none.
fn edit(body: &mut dyn TableLike, key: &str, change: impl FnOnce(&mut dyn TableLike)) {
    let table = body
        .entry(key)
        .or_insert(Item::Value(Value::InlineTable(InlineTable::new())));
    if let Some(table) = table.as_table_like_mut() {
        change(table);
    }
    // spaces as in `{ a = 1, b = 2 }` for new keys, too
    if let Some(inline) = table.as_inline_table_mut() {
        inline.fmt();
    }
}

fn apply(body: &mut dyn TableLike, setting: &Setting) {
    edit(body, setting.table.name(), |table| {
        match &setting.value {
            None => table.remove(setting.key),
            Some(value) => table.insert(setting.key, Item::Value(toml_value(value))),
        };
    });
}

fn toml_value(value: &SettingValue) -> Value {
    match value {
        SettingValue::Number(number) => (*number).into(),
        SettingValue::Count(count) => (*count as i64).into(),
        SettingValue::Counts(counts) => {
            let counts = counts.iter().map(|count| *count as i64);
            Array::from_iter(counts).into()
        }
        SettingValue::Word(word) => (*word).into(),
    }
}

/// Makes a path in `table.key` that is relative to `folder` absolute.
fn make_absolute(parent: &mut dyn TableLike, table: &str, key: &str, folder: &Path) {
    let Some(table) = parent.get_mut(table).and_then(Item::as_table_like_mut) else {
        return;
    };
    if let Some(path) = table.get(key).and_then(Item::as_str) {
        let path = absolute(&folder.join(path));
        table.insert(key, toml_edit::value(path));
    }
}

/// Sets stiffness, density, law and damping in the table `material`; strength and toughness stay.
fn set_material(body: &mut dyn TableLike, material: &Material) {
    edit(body, "material", |table| {
        let mut set = |key: &str, value: Value| table.insert(key, Item::Value(value));
        set("young", material.elastic.young.into());
        set("poisson", material.elastic.poisson.into());
        set("density", material.density.into());
        set("law", material.law.name().into());
        match material.damping {
            Damping::Ratio(zeta) => {
                set("zeta", zeta.into());
                table.remove("damping");
            }
            Damping::Parameters(given) => {
                let pair = [("phi", given.phi), ("psi", given.psi)];
                let pair = InlineTable::from_iter(pair.map(|(key, x)| (key, Value::from(x))));
                set("damping", pair.into());
                table.remove("zeta");
            }
        }
    });
}

/// The table `mesh` of a body that was dropped in.
fn mesh_table(mesh: &MeshSource) -> InlineTable {
    let mut table = InlineTable::new();
    match mesh {
        MeshSource::Procedural {
            name,
            size,
            edge,
            longest,
            rest_on_floor,
        } => {
            table.insert("procedural", name.into());
            if *rest_on_floor {
                table.insert("rest_on_floor", true.into());
            }
            if let Some(size) = size {
                table.insert("size", Array::from_iter(*size).into());
            }
            for (key, value) in [("edge", edge), ("longest", longest)] {
                if let Some(value) = value {
                    table.insert(key, (*value).into());
                }
            }
        }
        MeshSource::File {
            path,
            scale,
            unit,
            z_up,
            longest,
            rest_on_floor,
            repair,
            thickness,
            ..
        } => {
            table.insert("file", absolute(path).into());
            // metres are the default
            let mut units = UNITS.iter().filter(|(_, metres)| *metres != 1.0);
            if let Some((name, _)) = units.find(|(_, metres)| metres == unit) {
                table.insert("units", (*name).into());
            }
            if *scale != 1.0 {
                table.insert("scale", (*scale).into());
            }
            if *z_up {
                table.insert("up", "z".into());
            }
            if let Some(longest) = longest {
                table.insert("longest", (*longest).into());
            }
            if *rest_on_floor {
                table.insert("rest_on_floor", true.into());
            }
            if *repair == MeshRepair::Off {
                table.insert("repair", "off".into());
            }
            if let Some(thickness) = thickness {
                table.insert("thickness", (*thickness).into());
            }
        }
    }
    table
}
