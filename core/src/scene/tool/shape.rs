//! The shape of a tool as scene text: keys, reading and writing.

use toml::{Table, Value};

use crate::contact::ToolShape;
use crate::math::Vec3;
use crate::scene::body::{MeshRepair, MeshSource, read_mesh};
use crate::scene::error::SceneError;
use crate::scene::text::{Node, Reader};

use Node::{Factor, Later, Length, Must, Number, Text, Vector};

/// Keys of the table `shape`, which has one entry, named after the shape.
pub(crate) const SHAPE_KEYS: &[(&str, Node)] = &[
    ("sphere", Node::Table(&[("radius", Must(&Length))])),
    (
        "capsule",
        Node::Table(&[("radius", Must(&Length)), ("half_length", Must(&Number))]),
    ),
    (
        "box",
        Node::Table(&[("size", Must(&Vector)), ("rounding", Number)]),
    ),
    (
        "half_space",
        Node::Table(&[("point", Must(&Vector)), ("normal", Must(&Vector))]),
    ),
    (
        "cylinder",
        Node::Table(&[("radius", Must(&Length)), ("half_length", Must(&Number))]),
    ),
    (
        "blade",
        Node::Table(&[
            ("length", Must(&Length)),
            ("height", Length),
            ("thickness", Length),
        ]),
    ),
    (
        "mesh",
        Node::Table(&[
            ("file", Text),
            ("units", Text),
            ("up", Text),
            ("scale", Factor),
            ("procedural", Text),
            ("edge", Length),
            ("size", Vector),
            ("longest", Length),
            ("repair", Text),
            ("cell", Length),
        ]),
    ),
    ("procedural", Later("write mesh = { procedural = NAME }")),
    ("distance", Later("use one of the other shapes")),
];

/// Default height of a blade, as a share of its length.
const BLADE_HEIGHT: f64 = 0.3;
/// Default thickness of a blade, as a share of its height.
const BLADE_THICKNESS: f64 = 0.03;

/// Radius of the ball that replaces a shape without a ball inside, m.
const MIN_RADIUS: f64 = 1e-9;

/// The shape of a tool in a scene.
#[derive(Debug, Clone, PartialEq)]
pub enum ShapeDescription {
    /// A shape that is completely described.
    Given(ToolShape),
    /// A closed mesh that is to be read. The centre of its box becomes the origin of the tool.
    Mesh {
        /// Source of the mesh. It is repaired only where the scene says so.
        source: MeshSource,
        /// Edge of the cells in which distances are sampled, m; `None` for as small as a megabyte allows.
        cell: Option<f64>,
    },
}

impl ShapeDescription {
    /// Whether it is a blade, which cuts and exerts no contact forces.
    pub fn is_blade(&self) -> bool {
        matches!(self, Self::Given(shape) if shape.is_blade())
    }
}

/// Reads the entry of a table `shape`.
pub(super) fn read_shape(shape: &Reader<'_>) -> Result<ShapeDescription, SceneError> {
    let (kind, _) = shape.only_entry()?;
    let inner = shape.required_table(kind)?;
    match kind {
        "mesh" => read_mesh_shape(&inner),
        _ => read_given(kind, &inner).map(ShapeDescription::Given),
    }
}

fn read_mesh_shape(mesh: &Reader<'_>) -> Result<ShapeDescription, SceneError> {
    let mut source = read_mesh(mesh)?;
    if let MeshSource::File { repair, .. } = &mut source
        && mesh.get("repair").is_none()
    {
        // an instrument has an exact shape, which a repair can only guess
        *repair = MeshRepair::Off;
    }
    let cell = mesh.length("cell")?;
    Ok(ShapeDescription::Mesh { source, cell })
}

fn read_given(kind: &str, inner: &Reader<'_>) -> Result<ToolShape, SceneError> {
    let length = |key: &str| inner.required_length(key);
    Ok(match kind {
        "sphere" => ToolShape::Sphere {
            radius: length("radius")?,
        },
        "capsule" => ToolShape::Capsule {
            radius: length("radius")?,
            half_length: half_length_of_capsule(inner)?,
        },
        "cylinder" => ToolShape::Cylinder {
            radius: length("radius")?,
            half_length: length("half_length")?,
        },
        "blade" => {
            let edge = length("length")?;
            let height = inner.length("height")?.unwrap_or(BLADE_HEIGHT * edge);
            ToolShape::Blade {
                length: edge,
                height,
                thickness: inner
                    .length("thickness")?
                    .unwrap_or(BLADE_THICKNESS * height),
            }
        }
        "box" => {
            let half_size = inner.required_vector("size")? * 0.5;
            let text =
                "must be three positive lengths in metres\n  remedy: give lengths above zero";
            inner.refuse_if(half_size.min() <= 0.0, "size", text)?;
            let largest = half_size.min();
            let rounding = inner.number_in("rounding", (0.0, largest), "m")?;
            ToolShape::Box {
                half_size,
                rounding: rounding.unwrap_or(0.1 * largest),
            }
        }
        _ => {
            let normal = inner.required_direction("normal")?;
            ToolShape::HalfSpace {
                point: inner.required_vector("point")?,
                normal: normal.normalize(),
            }
        }
    })
}

/// Half the distance between the centres of a capsule's ends, m; 0 gives a ball.
fn half_length_of_capsule(capsule: &Reader<'_>) -> Result<f64, SceneError> {
    let half_length = capsule.required_number("half_length")?;
    if half_length < 0.0 {
        let reason = format!(
            "must not be negative, got {half_length} m\n  remedy: give half the distance between the centres of its round ends"
        );
        return Err(capsule.bad("half_length", reason));
    }
    Ok(half_length)
}

/// A shape as the table `shape` of a scene, lengths in m.
///
/// Scenes have no custom shapes and no meshes in memory. Such a shape becomes its largest ball inside, whose radius is what a scene checks of a tool.
pub fn shape_table(shape: &ToolShape) -> Table {
    let triple = |x: Vec3| Value::Array(x.iter().map(|x| Value::Float(*x)).collect());
    let metres = |key: &'static str, x: f64| (key, Value::Float(x));
    let round =
        |radius, half_length| vec![metres("radius", radius), metres("half_length", half_length)];
    let (kind, entries) = match *shape {
        ToolShape::Sphere { radius } => ("sphere", vec![metres("radius", radius)]),
        ToolShape::Capsule {
            radius,
            half_length,
        } => ("capsule", round(radius, half_length)),
        ToolShape::Cylinder {
            radius,
            half_length,
        } => ("cylinder", round(radius, half_length)),
        ToolShape::Box {
            half_size,
            rounding,
        } => {
            let size = ("size", triple(half_size * 2.0));
            ("box", vec![size, metres("rounding", rounding)])
        }
        ToolShape::Blade {
            length,
            height,
            thickness,
        } => {
            let entries = vec![
                metres("length", length),
                metres("height", height),
                metres("thickness", thickness),
            ];
            ("blade", entries)
        }
        ToolShape::HalfSpace { point, normal } => {
            let entries = vec![("point", triple(point)), ("normal", triple(normal))];
            ("half_space", entries)
        }
        ToolShape::Mesh(_) | ToolShape::Custom(_) => {
            // a mesh thinner than its cells has no ball inside, and lengths in scenes are above zero
            let radius = shape.inner_radius().max(MIN_RADIUS);
            ("sphere", vec![metres("radius", radius)])
        }
    };
    let entries = entries.into_iter().map(|(key, value)| (key.into(), value));
    let inner = Value::Table(entries.collect());
    Table::from_iter([(kind.to_string(), inner)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::tool::tests::shapes;
    use crate::contact::{DistanceGrid, GridLayout, MeshShape};
    use crate::mesh::procedural::{CellStyle, box_surface};

    #[test]
    fn a_shape_that_is_written_is_read_again() {
        for shape in shapes() {
            let table = shape_table(&shape);
            let read = read_shape(&Reader::new(&table, "tool[0].shape"));
            assert_eq!(read, Ok(ShapeDescription::Given(shape)));
        }
    }

    fn read(text: &str) -> Result<ShapeDescription, SceneError> {
        let table: Table = text.parse().expect("TOML");
        read_shape(&Reader::new(&table, "tool[0].shape"))
    }

    fn refused(text: &str) -> SceneError {
        read(text).expect_err(text)
    }

    #[test]
    fn a_blade_needs_an_edge_and_gets_a_height_and_a_thickness_to_be_drawn_with() {
        let blade = read("blade = { length = 0.1 }").expect("a blade");
        let ShapeDescription::Given(ToolShape::Blade {
            length,
            height,
            thickness,
        }) = blade
        else {
            panic!("{blade:?}");
        };
        assert_eq!(length, 0.1);
        assert!(height > 0.0 && height < length && thickness > 0.0 && thickness < height);
        assert_eq!(
            refused("blade = {}").to_string(),
            "`tool[0].shape.blade.length` is missing\n  remedy: add it"
        );
        assert_eq!(
            refused("blade = { length = 0 }").to_string(),
            "`tool[0].shape.blade.length`: must be a positive length in metres, got 0\n  remedy: give a length above zero"
        );
        assert_eq!(
            refused("blade = { length = nan }").to_string(),
            "`tool[0].shape.blade.length`: must be finite, got NaN\n  remedy: give a number"
        );
        assert_eq!(
            refused("blade = { length = 0.1, height = -0.02 }").to_string(),
            "`tool[0].shape.blade.height`: must be a positive length in metres, got -0.02\n  remedy: give a length above zero"
        );
    }

    #[test]
    fn a_shape_without_extent_is_refused_with_its_key_and_a_remedy() {
        // the shape, then the key that is wrong
        for (text, key) in [
            ("sphere = { radius = -1 }", "radius"),
            ("capsule = { radius = 0, half_length = 1 }", "radius"),
            ("capsule = { radius = 1, half_length = -2 }", "half_length"),
            ("cylinder = { radius = 0, half_length = 1 }", "radius"),
            ("cylinder = { radius = 1, half_length = -2 }", "half_length"),
            ("box = { size = [1, -1, 1] }", "size"),
            ("box = { size = [1, 1, 1], rounding = -1 }", "rounding"),
            ("blade = { length = 1, thickness = -1 }", "thickness"),
            (
                "half_space = { point = [0, 0, 0], normal = [0, 0, 0] }",
                "normal",
            ),
            ("mesh = { procedural = 'sphere', cell = -1 }", "cell"),
            ("mesh = { procedural = 'box', size = [1, 0, 1] }", "size"),
        ] {
            let error = refused(text);
            let shape = text.split(' ').next().unwrap_or_default();
            assert_eq!(error.code(), "BadValue");
            assert_eq!(error.place(), format!("tool[0].shape.{shape}.{key}"));
            assert!(error.to_string().contains("remedy"), "{error}");
        }
        let ball = read("capsule = { radius = 0.1, half_length = 0 }");
        assert!(ball.is_ok(), "{ball:?}");
        let error = refused("cylinder = { radius = 0.1 }");
        assert_eq!(error.code(), "MissingKey");
        assert_eq!(error.place(), "tool[0].shape.cylinder.half_length");
    }

    #[test]
    fn a_mesh_without_a_ball_inside_has_a_table_that_can_be_read() {
        let cube = box_surface(Vec3::repeat(0.2), [1; 3], CellStyle::Kuhn);
        let layout = GridLayout::around(&cube.bounds(), 0.1);
        let outside = vec![1.0; layout.corner_count()];
        let grid = DistanceGrid::new(layout, outside).expect("one for each corner");
        let table = shape_table(&ToolShape::Mesh(MeshShape::new(cube, grid)));
        let read = read_shape(&Reader::new(&table, "tool[0].shape"));
        assert!(read.is_ok(), "{read:?}");
    }

    #[test]
    fn a_mesh_says_where_it_comes_from_and_is_repaired_only_if_asked() {
        let part = read("mesh = { file = 'part.stl', units = 'mm', cell = 0.001 }");
        let Ok(ShapeDescription::Mesh { source, cell }) = part else {
            panic!("{part:?}");
        };
        let MeshSource::File {
            path, unit, repair, ..
        } = source
        else {
            panic!("{source:?}");
        };
        assert_eq!((path.to_str(), unit), (Some("part.stl"), 0.001));
        assert_eq!((repair, cell), (MeshRepair::Off, Some(0.001)));
        let repaired = read("mesh = { file = 'scan.ply', repair = 'auto' }");
        let repair = |shape: &ShapeDescription| match shape {
            ShapeDescription::Mesh {
                source: MeshSource::File { repair, .. },
                ..
            } => Some(*repair),
            _ => None,
        };
        assert_eq!(repaired.map(|m| repair(&m)), Ok(Some(MeshRepair::Auto)));
        let body = read("mesh = { procedural = 'spatula', longest = 0.1 }").expect("a mesh");
        assert!(!body.is_blade());
        assert_eq!(
            refused("mesh = { file = 'part.stl', scale = 0 }").to_string(),
            "`tool[0].shape.mesh.scale`: must be a positive factor, got 0\n  remedy: give a factor above zero"
        );
        assert_eq!(
            refused("mesh = { cell = 0.1 }").place(),
            "tool[0].shape.mesh.procedural"
        );
        assert_eq!(
            refused("mesh = { file = 'part.stl', longest = 1000 }").code(),
            "UnitSuspicious"
        );
    }
}
