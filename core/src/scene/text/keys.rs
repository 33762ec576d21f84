//! The keys of scenes with the types of their values. Some are planned, and refused by this version.
//!
//! [`check_keys`] checks a scene against them, and `scene_schema` writes them as JSON schema.

use crate::scene::error::SceneError;
use crate::scene::text::node::{Keys, Node, check_table};
use crate::scene::text::schema::schema_of;
use crate::scene::tool::SHAPE_KEYS;

use Node::{
    AtTheEnd, CountOrAuto, Factor, Flag, Later, Length, Modulus, Must, Number, NumberOrAuto,
    Numbers, OneOf, Rows, Scalar, Table, Tables, Text, TextOrTable, Texts, Vector, Whole,
    WholeOrText, Wholes,
};

/// What to do instead of using a planned key.
const LEAVE_DEFAULT: &str = "leave the default";
const LEAVE_OUT: &str = "leave it out";

const BOX: Node = Table(&[("min", Must(&Vector)), ("max", Must(&Vector))]);
const SPHERE: Node = Table(&[("center", Must(&Vector)), ("radius", Must(&Number))]);

const SELECT: Keys = &[
    ("box", BOX),
    ("sphere", SPHERE),
    (
        "half_space",
        Table(&[("point", Must(&Vector)), ("normal", Must(&Vector))]),
    ),
    ("list", Wholes),
    ("group", Text),
    ("lowest", Number),
];

const VERTEX_WEIGHTS: Keys = &[
    ("select", OneOf(SELECT)),
    ("factor", Number),
    ("attribute", Text),
];

const MESH: Keys = &[
    ("procedural", Text),
    ("file", Text),
    ("size", Vector),
    ("edge", Length),
    ("longest", Length),
    ("scale", Factor),
    ("units", Text),
    ("up", Text),
    ("rest_on_floor", Flag),
    ("repair", Text),
    ("thickness", Length),
    ("subdivision", Later(LEAVE_DEFAULT)),
];

const MATERIAL: Keys = &[
    ("young", Modulus),
    ("poisson", Number),
    ("density", Number),
    ("zeta", Number),
    ("damping", Table(&[("phi", Number), ("psi", Number)])),
    ("law", Text),
    ("strength", Number),
    ("toughness", Number),
];

const SUPPORT: Keys = &[
    ("name", Must(&Text)),
    ("select", Must(&OneOf(SELECT))),
    ("motion", Text),
];

const ADAPTIVE: Keys = &[
    ("target_edges", Numbers),
    ("nodes", Numbers),
    ("budget_ms", Number),
    ("one_level_each", Flag),
    ("models", Texts),
    ("dt_rule", Text),
    ("recover", Text),
    ("precision", Text),
    ("resolution", Text),
    ("gamma_max", Number),
    ("interface", Text),
    ("allow_unstable", Flag),
    ("scheme", Text),
    ("calibrate", Flag),
    ("levels", Later("give `nodes` or `target_edges`")),
    ("filter", Text),
    ("body_contact", Flag),
    ("self_contact", Flag),
    ("friction", Number),
    ("law", Later("set `material.law`")),
];

const CAPSULE: Keys = &[
    ("a", Must(&Vector)),
    ("b", Must(&Vector)),
    ("radius", Must(&Number)),
];

const BONES: Keys = &[
    ("name", Must(&Text)),
    ("capsule", Table(CAPSULE)),
    ("box", BOX),
    ("sphere", SPHERE),
];

const LATTICE: Keys = &[
    ("cell", Length),
    ("cells_longest", CountOrAuto),
    ("half_width", CountOrAuto),
    ("alpha", NumberOrAuto),
    ("steps", CountOrAuto),
    ("sums", Text),
    ("precision", Text),
    ("fill", Text),
    ("toughness", Number),
    ("max_breaks", CountOrAuto),
    ("masses", Text),
    ("rotation", Text),
    ("stiffness", Tables(VERTEX_WEIGHTS)),
    ("split_cells", Flag),
    ("multiplicity", Text),
    ("calibrate", Flag),
    ("break_in", Text),
    ("damping", Text),
    ("damp_every", Number),
    ("weights", Tables(VERTEX_WEIGHTS)),
    ("bones", Tables(BONES)),
    ("matching", Text),
    ("beta", Number),
    ("body_contact", Flag),
    ("self_contact", Flag),
    ("friction", Number),
];

const FIBRES: Keys = &[
    ("direction", Must(&Vector)),
    ("young", Must(&Number)),
    ("shear", Must(&Number)),
    ("poisson", Number),
];

const INSIDE: Keys = &[
    ("name", Must(&Text)),
    ("point", Must(&Vector)),
    ("load", Vector),
];

const QUASISTATIC: Keys = &[
    ("generator", Text),
    ("elements", Text),
    ("loads", Text),
    ("asset", Text),
    ("boundary", WholeOrText),
    ("max_contacts", CountOrAuto),
    ("stiffness", Tables(VERTEX_WEIGHTS)),
    ("fibres", Table(FIBRES)),
    ("inside", Tables(INSIDE)),
    ("releasable", Texts),
    ("subdivision_levels", Later(LEAVE_DEFAULT)),
    ("sharp", Later(LEAVE_DEFAULT)),
    ("wavelet", Text),
    ("threshold", Number),
    ("near_field", Number),
    ("wavelet_areas", Text),
    ("hierarchical", Number),
    ("constraint_level", WholeOrText),
    ("budget_ms", Number),
    ("display", Later(LEAVE_DEFAULT)),
];

const LAYOUT: Keys = &[
    ("grid", Wholes),
    ("spacing", Length),
    ("origin", Vector),
    ("jitter", Number),
    ("turn", Number),
];

const BODY: Keys = &[
    ("name", Text),
    ("mesh", Must(&Table(MESH))),
    ("material", Table(MATERIAL)),
    ("support", Tables(SUPPORT)),
    ("adaptive", Table(ADAPTIVE)),
    ("lattice", Table(LATTICE)),
    ("quasistatic", Table(QUASISTATIC)),
    ("count", Whole),
    ("layout", Table(LAYOUT)),
    (
        "fracture",
        Later("set `material.strength` or `material.toughness`"),
    ),
];

/// The motion of a grab.
const GRAB_MOTION: Node = TextOrTable(&[
    ("path", Text),
    ("device", Text),
    ("script", Text),
    ("pivot", Later(LEAVE_OUT)),
    ("fallback", Later(LEAVE_OUT)),
    ("max_force", Later(LEAVE_OUT)),
    ("template", Later(LEAVE_OUT)),
]);

/// That of a tool, which another one may carry.
const TOOL_MOTION: Node = TextOrTable(&[
    ("path", Text),
    ("device", Text),
    ("script", Text),
    ("carried_by", Text),
    ("at", Vector),
    ("turn", Vector),
    ("pivot", Later(LEAVE_OUT)),
    ("fallback", Later(LEAVE_OUT)),
    ("max_force", Later(LEAVE_OUT)),
    ("template", Later(LEAVE_OUT)),
]);

const CONTACT: Keys = &[
    ("kind", Text),
    ("mu_s", Number),
    ("mu_k", Number),
    ("mask_radius", Later(LEAVE_DEFAULT)),
    ("f_max", Number),
];

const REPEAT: Keys = &[
    ("count", Must(&Whole)),
    ("about", Must(&Vector)),
    ("step_degrees", Must(&Number)),
];

const TOOL: Keys = &[
    ("name", Must(&Text)),
    ("shape", Must(&OneOf(SHAPE_KEYS))),
    ("contact", Table(CONTACT)),
    ("motion", TOOL_MOTION),
    ("normal", Later(LEAVE_DEFAULT)),
    ("repeat", Table(REPEAT)),
];

const HAND_GRAB: Keys = &[
    ("first", Must(&Whole)),
    ("vertices", Must(&Wholes)),
    ("displacements", Must(&Rows)),
];

const HAND_PULL: Keys = &[
    ("first", Must(&Whole)),
    ("vertices", Must(&Wholes)),
    ("forces", Must(&Rows)),
];

const HAND_PARAMETER: Keys = &[
    ("frame", Must(&Whole)),
    ("method", Must(&Text)),
    ("name", Must(&Text)),
    ("value", Must(&Scalar)),
];

/// The table `[hand]`, with the actions of a user in a window; `simulation` reads it.
const HAND: Keys = &[
    ("frame_rate", Must(&Number)),
    ("frames", Must(&Whole)),
    ("gravity", Rows),
    ("tool", Rows),
    ("blade", Rows),
    ("grab", Tables(HAND_GRAB)),
    ("pull", Tables(HAND_PULL)),
    ("parameter", Tables(HAND_PARAMETER)),
];

const GRAB: Keys = &[
    ("name", Must(&Text)),
    ("body", Text),
    ("select", Must(&OneOf(SELECT))),
    ("motion", GRAB_MOTION),
    ("along", Vector),
    ("across", Vector),
];

const PATH: Keys = &[
    ("name", Must(&Text)),
    ("interpolation", Text),
    (
        "keys",
        Must(&Tables(&[("t", Number), ("at", Vector), ("turn", Vector)])),
    ),
    ("loop", Flag),
];

const PROBE: Keys = &[
    ("name", Must(&Text)),
    ("body", Text),
    (
        "at",
        Must(&Table(&[("nearest_surface_point", Must(&Vector))])),
    ),
    ("quantity", Text),
];

const CHECK: Keys = &[
    ("metric", Must(&Text)),
    ("of", Must(&Text)),
    ("against", Text),
    ("min", Number),
    ("max", Number),
    ("from", Number),
];

const VIEW: Keys = &[
    ("target", Vector),
    ("yaw", Number),
    ("pitch", Number),
    ("distance", Length),
    ("field_of_view", Number),
    ("quantity", Text),
    ("difference_to", Text),
    ("range", Numbers),
    ("alone", Text),
    ("overlay", Text),
    ("edges", Flag),
];

const SCENE: Keys = &[
    ("schema", Whole),
    ("name", Text),
    ("title", Text),
    ("duration", Number),
    ("frame_rate", Number),
    ("gravity", Vector),
    ("strain_hint", Number),
    ("seed", Whole),
    ("methods", Texts),
    ("compare", Table(&[("material", Text), ("reference", Text)])),
    ("body", Must(&Tables(BODY))),
    ("tool", Tables(TOOL)),
    ("grab", Tables(GRAB)),
    ("path", Tables(PATH)),
    ("probe", Tables(PROBE)),
    ("check", Tables(CHECK)),
    ("view", Table(VIEW)),
    ("record", Later("use the output of `pliant compare`")),
    ("hand", AtTheEnd(HAND)),
];

/// Refuses the first key of a scene that is unknown, not yet supported, missing, or has a value of the wrong type.
///
/// # Errors
/// [`SceneError::UnknownKey`], [`SceneError::NotYetSupported`], [`SceneError::MissingKey`], [`SceneError::BadValue`].
pub(crate) fn check_keys(scene: &toml::Table) -> Result<(), SceneError> {
    check_table(scene, SCENE, "")
}

/// The keys of a scene as JSON schema, which `pliant schema` prints. It has keys and types. Ranges, words and combinations are checked when a scene is read.
pub fn scene_schema() -> String {
    schema_of(SCENE)
}

/// The keys of the table `[hand]`, or those of the tables in its list `list`; none where it has no such list.
pub fn hand_keys(list: Option<&str>) -> Vec<&'static str> {
    let keys: Keys = match list {
        None => HAND,
        Some(list) => match HAND.iter().find(|(key, _)| *key == list) {
            Some((_, Tables(keys))) => keys,
            _ => &[],
        },
    };
    keys.iter().map(|(key, _)| *key).collect()
}
