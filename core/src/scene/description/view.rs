//! Camera and colours of a scene in a window: the table `view`. No result depends on it.

use crate::diagnostics::nearest_name;
use crate::math::Vec3;
use crate::scene::error::SceneError;
use crate::scene::method::{Method, read_method};
use crate::scene::text::Reader;

/// Default field of view, degrees.
const DEFAULT_FIELD_OF_VIEW: f64 = 35.0;

/// The quantities of methods that have a number for each skin vertex; the first three are those of all methods.
const QUANTITIES: [&str; 11] = [
    "displacement",
    "surface_stress",
    "surface_strain",
    "speed",
    "von_mises_stress",
    "volume_ratio",
    "lod_level",
    "dt_level",
    "refinement_indicator",
    "refused_reason",
    "traction",
];

/// The view of a scene in a window.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ViewDescription {
    /// Camera; `None` for one that looks at the body.
    pub camera: Option<CameraDescription>,
    /// Name of the quantity that colours the skins; `None` for plain colours.
    pub quantity: Option<String>,
    /// A method: the distance from its skin is shown instead of a quantity.
    pub difference_to: Option<Method>,
    /// Range of the colour bar, in the unit of the quantity; `None` for the range of the values that are shown.
    pub range: Option<[f64; 2]>,
    /// The only method that is shown, if there is one.
    pub alone: Option<Method>,
    /// The method whose skin is drawn as a wireframe over those of the others.
    pub overlay: Option<Method>,
    /// Whether the edges of the triangles are drawn.
    pub edges: bool,
}

/// A camera on a sphere around a target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraDescription {
    /// The point in the middle of the picture, m.
    pub target: Vec3,
    /// Rotation about the vertical axis, degrees; 0 looks along -z, and positive angles move the eye towards +x.
    pub yaw: f64,
    /// Elevation of the eye above the target, degrees.
    pub pitch: f64,
    /// Distance from the eye to the target, m.
    pub distance: f64,
    /// Vertical field of view, degrees.
    pub field_of_view: f64,
}

impl CameraDescription {
    /// Smallest and largest [`distance`](Self::distance), m.
    pub const DISTANCES: (f64, f64) = (1e-6, 1e6);
    /// Largest coordinate of the [`target`](Self::target), m.
    pub const MAX_COORDINATE: f64 = 1e6;
}

/// Reads the table `view`; `None` where there is none.
pub(crate) fn read_view(scene: &Reader<'_>) -> Result<Option<ViewDescription>, SceneError> {
    let Some(view) = scene.table("view") else {
        return Ok(None);
    };
    let method = |key: &str| match view.text(key)? {
        Some(name) => read_method(&view, key, name).map(Some),
        None => Ok(None),
    };
    let quantity = read_quantity(&view)?;
    let difference_to = method("difference_to")?;
    let has_both = quantity.is_some() && difference_to.is_some();
    let text = "cannot be combined with `quantity`\n  remedy: keep one of them";
    view.refuse_if(has_both, "difference_to", text)?;
    let range = match view.numbers("range")?[..] {
        [] => None,
        [low, high] if low < high => Some([low, high]),
        _ => return Err(view.bad("range", "must be two numbers, the smaller one first")),
    };
    Ok(Some(ViewDescription {
        camera: read_camera(&view)?,
        quantity,
        difference_to,
        range,
        alone: method("alone")?,
        overlay: method("overlay")?,
        edges: view.flag("edges")?,
    }))
}

/// The quantity of the table `view`; `None` where it has none.
fn read_quantity(view: &Reader<'_>) -> Result<Option<String>, SceneError> {
    let Some(name) = view.text("quantity")? else {
        return Ok(None);
    };
    if QUANTITIES.contains(&name) {
        return Ok(Some(name.to_string()));
    }
    let remedy = match nearest_name(name, QUANTITIES) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("use one of {}", QUANTITIES.join(", ")),
    };
    Err(view.bad(
        "quantity",
        format!("no method has a quantity `{name}` on its skin\n  remedy: {remedy}"),
    ))
}

/// The camera of the table `view`; `None` where none of its keys is there.
fn read_camera(view: &Reader<'_>) -> Result<Option<CameraDescription>, SceneError> {
    let keys = ["target", "yaw", "pitch", "distance", "field_of_view"];
    if keys.iter().all(|key| view.get(key).is_none()) {
        return Ok(None);
    }
    let angle = |key: &str, default: f64, range: (f64, f64)| {
        let read = view.number_in(key, range, "degrees")?;
        Ok::<f64, SceneError>(read.unwrap_or(default))
    };
    let distance = view.number_in("distance", CameraDescription::DISTANCES, "m")?;
    let target = view.required_vector("target")?;
    let is_far = target.amax() > CameraDescription::MAX_COORDINATE;
    let text = "must be within 1e6 m of the origin";
    view.refuse_if(is_far, "target", text)?;
    Ok(Some(CameraDescription {
        target,
        yaw: angle("yaw", 0.0, (-360.0, 360.0))?,
        pitch: angle("pitch", 0.0, (-90.0, 90.0))?,
        distance: distance.ok_or_else(|| view.missing("distance"))?,
        field_of_view: angle("field_of_view", DEFAULT_FIELD_OF_VIEW, (1.0, 170.0))?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::load::tests::assert_refused;
    use crate::scene::load_scene;

    const SCENE: &str =
        "[[body]]\nname = 'b'\nmesh = { procedural = 'sphere', longest = 0.1 }\n[view]\n";

    #[test]
    fn a_view_is_read_and_a_scene_needs_none() {
        let text = "target = [0, 0.1, 0]\nyaw = 34.5\ndistance = 2\nquantity = 'speed'\nrange = [-1, 2.5]\nalone = 'lattice'\nedges = true\n";
        let scene = load_scene(&format!("{SCENE}{text}")).expect("valid");
        let view = scene.view.expect("a view");
        let camera = view.camera.expect("a camera");
        assert_eq!(camera.target, Vec3::new(0.0, 0.1, 0.0));
        assert_eq!((camera.yaw, camera.pitch), (34.5, 0.0));
        assert_eq!((camera.distance, camera.field_of_view), (2.0, 35.0));
        assert_eq!(view.quantity.as_deref(), Some("speed"));
        assert_eq!((view.range, view.edges), (Some([-1.0, 2.5]), true));
        assert_eq!((view.alone, view.overlay), (Some(Method::Lattice), None));
        let empty = load_scene(SCENE).expect("valid").view;
        assert_eq!(empty, Some(ViewDescription::default()));
        let none = load_scene(SCENE.trim_end_matches("[view]\n")).expect("valid");
        assert_eq!(none.view, None);
    }

    #[test]
    fn an_error_in_a_view_names_its_key() {
        assert_refused(
            |keys| format!("{SCENE}{keys}\n"),
            &[
                "yaww = 1 => UnknownKey view.yaww",
                "yaw = 1 => MissingKey view.target",
                "target = [0, 0, 0] => MissingKey view.distance",
                "distance = 0 => BadValue view.distance",
                "target = [0, -1e300, 0]\ndistance = 1 => BadValue view.target",
                "target = [0, 0, 0]\ndistance = 1\npitch = 91 => BadValue view.pitch",
                "range = [2, 1] => BadValue view.range",
                "alone = 'magic' => BadValue view.alone",
                "quantity = 'spead' => BadValue view.quantity",
                "quantity = 'speed'\ndifference_to = 'lattice' => BadValue view.difference_to",
                "quantity = 'von-mises_stres' => BadValue view.quantity: did you mean `von_mises_stress`?",
                "quantity = 'colour' => BadValue view.quantity: use one of displacement, surface_stress,",
            ],
        );
    }
}
