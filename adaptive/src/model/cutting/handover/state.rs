//! What a level keeps of the hand-over after which it moves.

use crate::model::cut_body::skin_fade::SkinFade;

/// Why a body that moved on its cut moves on one level, with its number in snapshots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum HandoverCause {
    /// A blade has reached it.
    #[default]
    Blade = 0,
    /// Its stress has come near the strength of its material.
    Load = 1,
}

impl HandoverCause {
    /// What has happened, in words.
    pub fn event(self) -> &'static str {
        match self {
            Self::Blade => "a blade has reached the body",
            Self::Load => "a load has come near breaking the body",
        }
    }

    /// The cause with this number in snapshots.
    fn from_number(number: f64) -> Option<Self> {
        let all = [Self::Blade, Self::Load];
        all.into_iter()
            .find(|cause| f64::from(*cause as u8) == number)
    }
}

/// What a level keeps of a hand-over.
#[derive(Debug, Clone)]
pub(crate) struct HandoverState {
    pub cause: HandoverCause,
    /// remaining offsets of the skin
    pub fade: SkinFade,
}

impl HandoverState {
    /// Before a hand-over, for a skin of this number of vertices.
    pub fn new(vertices: usize) -> Self {
        Self {
            cause: HandoverCause::default(),
            fade: SkinFade::new(vertices),
        }
    }

    /// As before a hand-over.
    pub fn reset(&mut self) {
        self.cause = HandoverCause::default();
        self.fade.reset();
    }

    /// Count of the numbers that [`Self::save`] writes.
    pub fn saved_count(&self) -> usize {
        self.fade.saved_count() + 1
    }

    pub fn save(&self, to: &mut Vec<f64>) {
        self.fade.save(to);
        to.push(f64::from(self.cause as u8));
    }

    /// Restores what was saved from the first of these numbers, and removes them; `None` where they are none of a hand-over.
    pub fn restore(&mut self, from: &mut &[f64]) -> Option<()> {
        self.fade.restore(from)?;
        self.cause = HandoverCause::from_number(*from.split_off_first()?)?;
        Some(())
    }
}
