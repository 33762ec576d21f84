//! What a reference takes into account.

use pliant_core::scene::ReferenceChoice;

/// What a reference takes into account. All kinds have the same meshes, supports, tools and contact, so that the difference of two kinds is what one of them leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ReferenceKind {
    /// The law of the material, inertia and damping.
    #[default]
    Dynamic,
    /// The law of the material: in each frame the body has come to rest.
    Static,
    /// Small strains, and equilibrium in each frame: linear elasticity.
    Linear,
}

pliant_core::named!(ReferenceKind {
    Dynamic => "dynamic",
    Static => "static",
    Linear => "linear",
});

impl ReferenceKind {
    /// The kind that a scene asks for. An estimate and an explained reference are dynamic ones.
    pub fn of(choice: ReferenceChoice) -> Self {
        match choice {
            ReferenceChoice::Static => Self::Static,
            ReferenceChoice::Linear => Self::Linear,
            ReferenceChoice::None
            | ReferenceChoice::Estimate
            | ReferenceChoice::Dynamic
            | ReferenceChoice::Explained => Self::Dynamic,
        }
    }

    /// Before the word "reference" in a sentence, with a blank at its end; the dynamic one has no adjective.
    pub fn adjective(self) -> &'static str {
        match self {
            Self::Dynamic => "",
            Self::Static => "static ",
            Self::Linear => "linear ",
        }
    }
}
