//! The keys that a scene may have: known today, or known and refused because their time has not come.

use crate::scene::error::SceneError;
use crate::scene::text::node::{Node, check_table};
use crate::scene::tool::SHAPE_KEYS;

use Node::{Later, Table, Tables, Value as Any};

const REMOVE: &str = "leave the default";

const SELECT: &[(&str, Node)] = &[
    ("box", Table(&[("min", Any), ("max", Any)])),
    ("sphere", Table(&[("center", Any), ("radius", Any)])),
    ("half_space", Table(&[("point", Any), ("normal", Any)])),
    ("list", Any),
    ("group", Any),
    ("lowest", Any),
];

const VERTEX_WEIGHTS: &[(&str, Node)] = &[
    ("select", Table(SELECT)),
    ("factor", Any),
    ("attribute", Any),
];

const BODY: &[(&str, Node)] = &[
    ("name", Any),
    (
        "mesh",
        Table(&[
            ("procedural", Any),
            ("file", Any),
            ("size", Any),
            ("edge", Any),
            ("longest", Any),
            ("scale", Any),
            ("units", Any),
            ("up", Any),
            ("rest_on_floor", Any),
            ("repair", Any),
            ("thickness", Any),
            ("subdivision", Later(REMOVE)),
        ]),
    ),
    (
        "material",
        Table(&[
            ("young", Any),
            ("poisson", Any),
            ("density", Any),
            ("zeta", Any),
            ("damping", Table(&[("phi", Any), ("psi", Any)])),
            ("law", Any),
            ("toughness", Later("set `lattice.toughness`")),
        ]),
    ),
    (
        "support",
        Tables(&[("name", Any), ("select", Table(SELECT)), ("motion", Any)]),
    ),
    (
        "adaptive",
        Table(&[
            ("target_edges", Any),
            ("nodes", Any),
            ("budget_ms", Any),
            ("one_level_each", Any),
            ("models", Any),
            ("dt_rule", Any),
            ("recover", Any),
            ("precision", Any),
            ("resolution", Any),
            ("gamma_max", Any),
            ("interface", Any),
            ("allow_unstable", Any),
            ("scheme", Any),
            ("calibrate", Any),
            ("levels", Later("give `nodes` or `target_edges`")),
            ("filter", Any),
            ("body_contact", Any),
            ("self_contact", Any),
            ("friction", Any),
            ("law", Later("set `material.law`")),
        ]),
    ),
    (
        "lattice",
        Table(&[
            ("cell", Any),
            ("cells_longest", Any),
            ("half_width", Any),
            ("alpha", Any),
            ("steps", Any),
            ("sums", Any),
            ("precision", Any),
            ("fill", Any),
            ("toughness", Any),
            ("max_breaks", Any),
            ("masses", Any),
            ("rotation", Any),
            ("stiffness", Tables(VERTEX_WEIGHTS)),
            ("split_cells", Any),
            ("multiplicity", Any),
            ("calibrate", Any),
            ("break_in", Any),
            ("damping", Any),
            ("damp_every", Any),
            ("weights", Tables(VERTEX_WEIGHTS)),
            (
                "bones",
                Tables(&[
                    ("name", Any),
                    ("capsule", Table(&[("a", Any), ("b", Any), ("radius", Any)])),
                    ("box", Table(&[("min", Any), ("max", Any)])),
                    ("sphere", Table(&[("center", Any), ("radius", Any)])),
                ]),
            ),
            ("matching", Any),
            ("beta", Any),
            ("body_contact", Any),
            ("self_contact", Any),
            ("friction", Any),
        ]),
    ),
    (
        "quasistatic",
        Table(&[
            ("generator", Any),
            ("elements", Any),
            ("asset", Any),
            ("boundary", Any),
            ("max_contacts", Any),
            ("stiffness", Tables(VERTEX_WEIGHTS)),
            (
                "fibres",
                Table(&[
                    ("direction", Any),
                    ("young", Any),
                    ("shear", Any),
                    ("poisson", Any),
                ]),
            ),
            (
                "inside",
                Tables(&[("name", Any), ("point", Any), ("load", Any)]),
            ),
            ("releasable", Any),
            ("subdivision_levels", Later(REMOVE)),
            ("sharp", Later(REMOVE)),
            ("wavelet", Any),
            ("threshold", Any),
            ("near_field", Any),
            ("hierarchical", Any),
            ("constraint_level", Any),
            ("display", Later(REMOVE)),
        ]),
    ),
    ("count", Any),
    (
        "layout",
        Table(&[
            ("grid", Any),
            ("spacing", Any),
            ("origin", Any),
            ("jitter", Any),
            ("turn", Any),
        ]),
    ),
    ("fracture", Later("set `lattice.toughness`")),
];

const TOOL: &[(&str, Node)] = &[
    ("name", Any),
    ("shape", Table(SHAPE_KEYS)),
    (
        "contact",
        Table(&[
            ("kind", Any),
            ("mu_s", Any),
            ("mu_k", Any),
            ("mask_radius", Later(REMOVE)),
            ("f_max", Later(REMOVE)),
        ]),
    ),
    ("motion", Any),
    ("normal", Later(REMOVE)),
    ("repeat", Later("describe each tool")),
];

const SCENE: &[(&str, Node)] = &[
    ("schema", Any),
    ("name", Any),
    ("title", Any),
    ("duration", Any),
    ("frame_rate", Any),
    ("gravity", Any),
    ("strain_hint", Any),
    ("seed", Any),
    ("methods", Any),
    ("compare", Table(&[("material", Any), ("reference", Any)])),
    ("body", Tables(BODY)),
    ("tool", Tables(TOOL)),
    (
        "grab",
        Tables(&[
            ("name", Any),
            ("body", Any),
            ("select", Table(SELECT)),
            ("motion", Any),
        ]),
    ),
    (
        "path",
        Tables(&[
            ("name", Any),
            ("interpolation", Any),
            ("keys", Any),
            ("loop", Any),
        ]),
    ),
    (
        "probe",
        Tables(&[
            ("name", Any),
            ("body", Any),
            ("at", Table(&[("nearest_surface_point", Any)])),
            ("quantity", Any),
        ]),
    ),
    (
        "check",
        Tables(&[
            ("metric", Any),
            ("of", Any),
            ("against", Any),
            ("min", Any),
            ("max", Any),
        ]),
    ),
    ("record", Later("use the output of `pliant compare`")),
];

/// Walks a scene and refuses the first key that is unknown or not yet supported.
///
/// # Errors
/// [`SceneError::UnknownKey`], [`SceneError::NotYetSupported`], [`SceneError::BadValue`] where a table is something else.
pub(crate) fn check_keys(scene: &toml::Table) -> Result<(), SceneError> {
    check_table(scene, SCENE, "")
}
