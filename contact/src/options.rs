//! Options of contact for a group and for each of its bodies.

/// Contact of all bodies of a group. [`BodyContact`] can override it for a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroupOptions {
    /// Whether bodies touch each other.
    pub between_bodies: bool,
    /// Whether a body touches itself.
    pub with_itself: bool,
    /// Coefficient of Coulomb friction between skins, while sticking and while sliding.
    pub friction: f64,
    /// Rate at which bodies that touch something and hardly move are slowed, 1/s: towers of soft bodies would sway for long otherwise. It stands for rolling
    /// resistance, and takes momentum.
    pub settling: f64,
    /// Whether bodies at rest sleep until something touches them.
    pub sleeping: bool,
}

/// Contact of one body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyContact {
    /// Whether it touches other bodies for which this is true, too.
    pub with_others: bool,
    /// Whether it touches itself.
    pub with_itself: bool,
    /// Coefficient of friction of its skin; between two skins it is the geometric mean of both.
    pub friction: f64,
}

impl GroupOptions {
    /// Contact of a body without options of its own.
    pub(crate) fn of_each(&self) -> BodyContact {
        BodyContact {
            with_others: self.between_bodies,
            with_itself: self.with_itself,
            friction: self.friction,
        }
    }
}

impl Default for GroupOptions {
    fn default() -> Self {
        Self {
            between_bodies: true,
            with_itself: false,
            friction: 0.3,
            settling: 3.0,
            sleeping: true,
        }
    }
}
