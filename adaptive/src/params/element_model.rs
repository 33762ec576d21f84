//! How strain becomes nodal forces.

use pliant_core::material::MaterialLaw;

/// How strain becomes nodal forces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementModel {
    /// By a material law.
    Law(MaterialLaw),
    /// Springs along the edges with the stiffness of Van Gelder 1998: the baseline of the 2001 paper.
    Spring,
}

/// Short names of the laws that the study of the 2001 paper compares, and of two others.
#[allow(non_upper_case_globals)]
impl ElementModel {
    /// St. Venant–Kirchhoff with Green strain (Debunne et al. 2001, Eqs. 1 to 8).
    pub const Green: Self = Self::Law(MaterialLaw::Green);
    /// Infinitesimal strain: linear, wrong under rotation.
    pub const Cauchy: Self = Self::Law(MaterialLaw::Cauchy);
    /// The Navier form without the transposed gradient.
    pub const Simplified: Self = Self::Law(MaterialLaw::SimplifiedCauchy);
    /// Stable neo-Hookean (Smith, de Goes, Kim 2018).
    pub const StableNeoHookean: Self = Self::Law(MaterialLaw::StableNeoHookean);
    /// Infinitesimal strain in the frame of the nearest rotation (Chao et al. 2010). Computed in double precision.
    pub const Corotated: Self = Self::Law(MaterialLaw::Corotated);
}

impl ElementModel {
    /// All models: the laws, then springs.
    pub const ALL: [Self; MaterialLaw::ALL.len() + 1] = {
        let mut all = [Self::Spring; MaterialLaw::ALL.len() + 1];
        let mut k = 0;
        while k < MaterialLaw::ALL.len() {
            all[k] = Self::Law(MaterialLaw::ALL[k]);
            k += 1;
        }
        all
    };

    /// The name used in scenes and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Law(law) => law.name(),
            Self::Spring => "spring",
        }
    }

    /// The model of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }

    /// The material law; `None` for springs.
    pub fn law(self) -> Option<MaterialLaw> {
        match self {
            Self::Law(law) => Some(law),
            Self::Spring => None,
        }
    }

    /// The law by which stresses and departures from linear motion are measured: that of Green strain for springs.
    pub(crate) fn law_of_stress(self) -> MaterialLaw {
        self.law().unwrap_or(MaterialLaw::Green)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_is_found_by_its_name() {
        for model in ElementModel::ALL {
            assert_eq!(ElementModel::from_name(model.name()), Some(model));
        }
        assert_eq!(ElementModel::from_name("rubber"), None);
    }
}
