//! What the bodies of a group touch, and how.

/// What the bodies of a group touch, unless something else is said of one of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroupOptions {
    /// Whether bodies touch each other.
    pub between_bodies: bool,
    /// Whether a body touches itself.
    pub with_itself: bool,
    /// Coefficient of friction between skins.
    pub friction: f64,
    /// Rate at which what touches and hardly moves is slowed, 1/s: towers of soft bodies would sway for long otherwise. It stands for what a
    /// contact loses when it rolls, and takes momentum.
    pub settling: f64,
    /// Whether bodies at rest are left alone until something touches them.
    pub sleeping: bool,
}

/// What one body touches, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyContact {
    /// Whether it touches other bodies that touch others.
    pub with_others: bool,
    /// Whether it touches itself.
    pub with_itself: bool,
    /// Coefficient of friction of its skin; between two skins the geometric mean of theirs counts.
    pub friction: f64,
}

impl GroupOptions {
    /// What a body touches where nothing else is said of it.
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
