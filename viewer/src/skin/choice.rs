//! The user's choice of how the skin is computed.

/// How a skin with control points is computed. The processor always computes other skins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SkinChoice {
    /// The processor; all vertices are uploaded.
    #[default]
    Processor,
    /// The graphics card, with control points in a texture.
    Texture,
    /// The graphics card, with triangles in batches and control points in a uniform block each.
    Batches,
    /// The same, each batch in its colour.
    ColoredBatches,
}

impl SkinChoice {
    /// All choices in the order of the menu.
    pub const ALL: [Self; 4] = [
        Self::Processor,
        Self::Texture,
        Self::Batches,
        Self::ColoredBatches,
    ];

    /// Name on the command line, name in the menu, and a description in a sentence.
    fn words(self) -> [&'static str; 3] {
        match self {
            Self::Processor => [
                "cpu",
                "processor",
                "the processor computes the skin, all its vertices are uploaded in every frame",
            ],
            Self::Texture => [
                "texture",
                "texture",
                "a vertex shader computes the skin; particles are uploaded as a texture",
            ],
            Self::Batches => [
                "batches",
                "batches",
                "a vertex shader computes the skin batch by batch; the few particles of a batch are uniforms",
            ],
            Self::ColoredBatches => [
                "batch-colors",
                "coloured batches",
                "the same, with a colour for each batch",
            ],
        }
    }

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        self.words()[0]
    }

    /// The choice of that name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.name() == name)
    }

    /// Name in the menu.
    pub fn label(self) -> &'static str {
        self.words()[1]
    }

    /// Description in a sentence.
    pub fn about(self) -> &'static str {
        self.words()[2]
    }

    /// Whether triangles are drawn in batches.
    pub fn is_batched(self) -> bool {
        matches!(self, Self::Batches | Self::ColoredBatches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_choice_is_found_by_its_name() {
        for choice in SkinChoice::ALL {
            assert_eq!(SkinChoice::of_name(choice.name()), Some(choice));
        }
        assert_eq!(SkinChoice::of_name("gpu"), None);
    }
}
