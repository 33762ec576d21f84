//! A rigid tool: its shape, its initial position, and what moves it.

use pliant_core::contact::{CustomShape, PosePath, SignedDistance, ToolShape};
use pliant_core::math::Vec3;
use pliant_core::scene::{MotionDescription, shape_table};
use toml::{Table, Value};

/// A rigid thing that touches bodies: a finger, a probe, a floor. It follows its path ([`Tool::along`]), or stays where it is, until [`World::move_tool`](crate::World::move_tool) moves it.
/// Contact is without friction unless [`Tool::friction`] or [`Tool::sticky`] says otherwise.
///
/// The largest ball inside a tool needs a radius of one and a half mean edges of the skin, so that vertices do not slip past it. Skins from files are refined for that; a procedural body needs a
/// smaller [`Body::edge`](crate::Body::edge). A blade cuts and needs none.
///
/// ```
/// use pliant::Tool;
/// let finger = Tool::sphere("finger", 0.02, [0.0, 0.3, 0.0]).friction(0.4);
/// let floor = Tool::floor("floor", 0.0);
/// assert_eq!((finger.name(), floor.name()), ("finger", "floor"));
/// ```
#[derive(Debug, Clone)]
pub struct Tool {
    name: String,
    pub(crate) shape: ToolShape,
    pub(crate) start: Vec3,
    /// what moves it while the program does not; it rests where it begins without
    pub(crate) motion: Option<MotionDescription>,
    /// its table `contact` in a scene; without friction it has none
    contact: Option<Value>,
}

impl Tool {
    /// A ball with a radius (m) and an initial position `at` (world, m).
    pub fn sphere(name: &str, radius: f64, at: impl Into<Vec3>) -> Self {
        Self::of_shape(name, ToolShape::Sphere { radius }, at)
    }

    /// A cylinder along y with round ends, whose centres are `half_length` (m) from its middle, which is `at` (world, m).
    pub fn capsule(name: &str, radius: f64, half_length: f64, at: impl Into<Vec3>) -> Self {
        let shape = ToolShape::Capsule {
            radius,
            half_length,
        };
        Self::of_shape(name, shape, at)
    }

    /// A box around `at` (world, m) with these sides (m) along x, y and z. Its edges are rounded with the radius `rounding` (m), inside of these sides.
    pub fn cuboid(name: &str, sides: [f64; 3], rounding: f64, at: impl Into<Vec3>) -> Self {
        let shape = ToolShape::Box {
            half_size: Vec3::from(sides) * 0.5,
            rounding,
        };
        Self::of_shape(name, shape, at)
    }

    /// Everything below y = `height`, m.
    pub fn floor(name: &str, height: f64) -> Self {
        let shape = ToolShape::HalfSpace {
            point: Vec3::zeros(),
            normal: Vec3::y(),
        };
        Self::of_shape(name, shape, [0.0, height, 0.0])
    }

    /// A shape of your own, by its signed distance. It lives as long as the program: a `static`, or a leaked box.
    pub fn custom(name: &str, shape: &'static dyn SignedDistance, at: impl Into<Vec3>) -> Self {
        Self::of_shape(name, ToolShape::Custom(CustomShape::new(shape)), at)
    }

    /// Any shape, with its local origin at `at` (world, m). For the common ones the functions above are shorter. A [`ToolShape::Blade`] cuts bodies instead of pushing them.
    ///
    /// ```
    /// use pliant::{Tool, ToolShape};
    /// let ball = Tool::of_shape("ball", ToolShape::Sphere { radius: 0.02 }, [0.0, 0.3, 0.0]);
    /// assert_eq!(ball.name(), "ball");
    /// ```
    pub fn of_shape(name: &str, shape: ToolShape, at: impl Into<Vec3>) -> Self {
        Self {
            name: name.to_string(),
            shape,
            start: at.into(),
            motion: None,
            contact: None,
        }
    }

    /// Its name in the scene.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Coulomb friction with one coefficient, 0 to 10, for sticking and sliding.
    pub fn friction(self, coefficient: f64) -> Self {
        self.friction_of(coefficient, coefficient)
    }

    /// Coulomb friction with a coefficient while sticking and one while sliding, 0 to 10.
    pub fn friction_of(self, sticking: f64, sliding: f64) -> Self {
        self.with_contact("coulomb", &[("mu_s", sticking), ("mu_k", sliding)])
    }

    /// Bodies stick to it: what the tool has pushed moves with it in all directions.
    ///
    /// ```
    /// use pliant::Tool;
    /// let cup = Tool::sphere("cup", 0.05, [0.0, 0.3, 0.0]).sticky();
    /// let weak_cup = Tool::sphere("weak cup", 0.05, [0.0, 0.3, 0.0]).sticky_up_to(1.5);
    /// assert_eq!((cup.name(), weak_cup.name()), ("cup", "weak cup"));
    /// ```
    pub fn sticky(self) -> Self {
        self.with_contact("sticky", &[])
    }

    /// The same, but the tool releases the body when it pulls with more than `pull`, N, 0 to 1e6. It can stick again once it has left the body.
    pub fn sticky_up_to(self, pull: f64) -> Self {
        self.with_contact("sticky", &[("f_max", pull)])
    }

    /// As [`Self::sticky`], but each vertex is released by itself when the tool pulls at it along its normal with more than `pull`, N, 0 to 1e6: the body comes off from the edge. A vertex can
    /// stick again once the tool has left it.
    ///
    /// ```
    /// use pliant::Tool;
    /// let plaster = Tool::sphere("plaster", 0.05, [0.0, 0.3, 0.0]).bonded_up_to(0.05);
    /// assert_eq!(plaster.name(), "plaster");
    /// ```
    pub fn bonded_up_to(self, pull: f64) -> Self {
        self.with_contact("bonded", &[("f_max", pull)])
    }

    fn with_contact(mut self, kind: &str, numbers: &[(&str, f64)]) -> Self {
        let mut table = Table::new();
        table.insert("kind".into(), Value::String(kind.into()));
        for (key, x) in numbers {
            table.insert((*key).into(), Value::Float(*x));
        }
        self.contact = Some(Value::Table(table));
        self
    }

    /// Follows a path (poses in the world over time, s since the start), unless the program moves it.
    pub fn along(mut self, path: PosePath) -> Self {
        self.motion = Some(MotionDescription::Path(path));
        self
    }

    /// Pokes the highest free point of the body, 4 % of its diagonal deep but at most a third of its height, every four seconds, unless the program moves it. Its initial position follows from that.
    pub fn poking(mut self) -> Self {
        self.motion = Some(MotionDescription::ScriptedPoke);
        self
    }

    /// The table for a scene. What has no key there (a custom shape, an initial position) is set in the description afterwards.
    pub(crate) fn table(&self) -> Value {
        let mut table = Table::new();
        table.insert("name".into(), Value::String(self.name.clone()));
        let shape = shape_table(&self.shape);
        table.insert("shape".into(), Value::Table(shape));
        if let Some(contact) = &self.contact {
            table.insert("contact".into(), contact.clone());
        }
        Value::Table(table)
    }
}
