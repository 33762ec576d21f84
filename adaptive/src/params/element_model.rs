//! How strain becomes nodal forces.

use pliant_core::material::MaterialLaw;

/// How strain becomes nodal forces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ElementModel {
    /// St. Venant–Kirchhoff with Green strain (Debunne et al. 2001, Eqs. 1 to 8).
    #[default]
    Green,
    /// Infinitesimal strain: linear, wrong under rotation.
    Cauchy,
    /// The Navier form without the transposed gradient.
    Simplified,
    /// Stable neo-Hookean (Smith, de Goes, Kim 2018).
    StableNeoHookean,
    /// Infinitesimal strain in the frame of the nearest rotation (Chao et al. 2010). Computed in double precision.
    Corotated,
    /// Springs along the edges with the stiffness of Van Gelder 1998: the baseline of the 2001 paper.
    Spring,
}

impl ElementModel {
    /// All models in the order of the paper's comparison.
    pub const ALL: [Self; 6] = [
        Self::Green,
        Self::Cauchy,
        Self::Simplified,
        Self::StableNeoHookean,
        Self::Corotated,
        Self::Spring,
    ];

    /// The name used in scenes and on the command line.
    pub fn name(self) -> &'static str {
        match self.law() {
            Some(law) => law.name(),
            None => "spring",
        }
    }

    /// The model of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }

    /// The stress law; `None` for springs, which have none.
    pub fn law(self) -> Option<MaterialLaw> {
        match self {
            Self::Green => Some(MaterialLaw::Green),
            Self::Cauchy => Some(MaterialLaw::Cauchy),
            Self::Simplified => Some(MaterialLaw::SimplifiedCauchy),
            Self::StableNeoHookean => Some(MaterialLaw::StableNeoHookean),
            Self::Corotated => Some(MaterialLaw::Corotated),
            Self::Spring => None,
        }
    }
}

impl From<MaterialLaw> for ElementModel {
    fn from(law: MaterialLaw) -> Self {
        match law {
            MaterialLaw::Green => Self::Green,
            MaterialLaw::Cauchy => Self::Cauchy,
            MaterialLaw::SimplifiedCauchy => Self::Simplified,
            MaterialLaw::StableNeoHookean => Self::StableNeoHookean,
            MaterialLaw::Corotated => Self::Corotated,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_is_found_by_its_name() {
        for model in ElementModel::ALL {
            assert_eq!(ElementModel::from_name(model.name()), Some(model));
            if let Some(law) = model.law() {
                assert_eq!(ElementModel::from(law), model);
            }
        }
        assert_eq!(ElementModel::from_name("rubber"), None);
    }
}
