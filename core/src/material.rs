//! Materials: elastic constants, damping, density, and the law that turns strain into stress.

/// Young's modulus and Poisson's ratio of an isotropic solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct YoungPoisson {
    /// Young's modulus, Pa.
    pub young: f64,
    /// Poisson's ratio, -1 < ν < 1/2.
    pub poisson: f64,
}

/// Lamé parameters of an isotropic solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LameParameters {
    /// First Lamé parameter λ, Pa.
    pub lambda: f64,
    /// Shear modulus μ, Pa.
    pub mu: f64,
}

/// Viscous counterparts of the Lamé parameters (Debunne et al. 2001, Eq. 4).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DampingParameters {
    /// φ, acts on the rate of volume change, Pa·s.
    pub phi: f64,
    /// ψ, acts on the strain rate, Pa·s.
    pub psi: f64,
}

impl From<YoungPoisson> for LameParameters {
    /// λ = Eν / ((1 + ν)(1 − 2ν)), μ = E / (2(1 + ν)).
    fn from(m: YoungPoisson) -> Self {
        Self {
            lambda: m.young * m.poisson / ((1.0 + m.poisson) * (1.0 - 2.0 * m.poisson)),
            mu: m.young / (2.0 * (1.0 + m.poisson)),
        }
    }
}

impl From<LameParameters> for YoungPoisson {
    /// E = μ(3λ + 2μ)/(λ + μ), ν = λ/(2(λ + μ)).
    fn from(m: LameParameters) -> Self {
        Self {
            young: m.mu * (3.0 * m.lambda + 2.0 * m.mu) / (m.lambda + m.mu),
            poisson: m.lambda / (2.0 * (m.lambda + m.mu)),
        }
    }
}

/// The law that gives the stress for a strain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MaterialLaw {
    /// St. Venant–Kirchhoff: Green strain, linear stress (Debunne et al. 2001, Eqs. 1, 2, 8). The default.
    #[default]
    Green,
    /// Infinitesimal ("Cauchy") strain: linear, wrong under rotation; the comparison model of the 2001 paper.
    Cauchy,
    /// Navier form without the transposed gradient: the paper's "simplified" model, `P = (λ+μ) tr(H) I + μ H`.
    SimplifiedCauchy,
    /// Stable neo-Hookean (Smith, de Goes, Kim 2018): keeps its shape under extreme compression and inversion.
    StableNeoHookean,
    /// Corotated linear: infinitesimal strain in the frame of the rotation nearest to `F` (Müller, Gross 2004; in the variational form of Chao, Pinkall, Sanan,
    /// Schröder 2010, whose force is the derivative of an energy).
    Corotated,
    /// Compressible neo-Hookean with the logarithm of the volume ratio (Bonet, Wood 2008, section 6.4.3), continued below a fifth of the volume.
    NeoHookean,
}

crate::named!(MaterialLaw {
    Green => "green",
    Cauchy => "cauchy",
    SimplifiedCauchy => "simplified",
    StableNeoHookean => "stable_neo_hookean",
    Corotated => "corotated",
    NeoHookean => "neo_hookean",
});

impl MaterialLaw {
    /// Its number in files of baked bodies: the index in [`Self::ALL`]. A new law is added at the end.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// A description for people: the strain measure, or the name of the law.
    pub fn description(self) -> &'static str {
        match self {
            Self::Green => "Green strain",
            Self::Cauchy | Self::SimplifiedCauchy => "linear strain",
            Self::StableNeoHookean => "stable neo-Hookean",
            Self::Corotated => "corotated strain",
            Self::NeoHookean => "neo-Hookean",
        }
    }

    /// Whether its stress is linear in the displacements: right for small strains and rotations.
    pub fn is_linear(self) -> bool {
        matches!(self, Self::Cauchy | Self::SimplifiedCauchy)
    }

    /// Whether its stress decreases, or stops growing, in an element that is nearly flat. Solvers then have to prevent inversion.
    pub fn softens_under_compression(self) -> bool {
        matches!(self, Self::Green | Self::NeoHookean)
    }
}

/// A homogeneous isotropic material.
///
/// ```
/// use pliant_core::material::Material;
///
/// let muscle = Material::isotropic(1.2e4, 0.25).with_density(1060.0).with_damping_ratio(0.2);
/// // λ = E ν / ((1 + ν)(1 − 2ν)), μ = E / (2(1 + ν))
/// assert!((muscle.lame().lambda - 4800.0).abs() < 1e-9 && (muscle.lame().mu - 4800.0).abs() < 1e-9);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// Elastic constants.
    pub elastic: YoungPoisson,
    /// Density at rest, kg/m³.
    pub density: f64,
    /// Damping.
    pub damping: Damping,
    /// Stress law of the methods that have one; the others are linear, or have a stiffness only.
    pub law: MaterialLaw,
}

/// Damping, as a ratio or as parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Damping {
    /// Damping ratio ζ of the lowest elastic mode, stiffness-proportional: each method maps it to its own parameters.
    Ratio(f64),
    /// φ and ψ directly.
    Parameters(DampingParameters),
}

/// Limits beyond which a material breaks; `None` is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FractureLimits {
    /// Largest principal Cauchy stress, Pa, above 0. A crack begins where it is exceeded.
    pub strength: Option<f64>,
    /// Fracture energy: the energy that a square metre of a crack takes, J/m², above 0 (Griffith 1921). A crack grows where more energy is released.
    pub toughness: Option<f64>,
}

impl FractureLimits {
    /// Whether the material can break.
    pub fn breaks(&self) -> bool {
        self.strength.is_some() || self.toughness.is_some()
    }
}

impl Material {
    /// An isotropic solid with Young's modulus in Pa; the rest as in [`Material::default`].
    pub fn isotropic(young: f64, poisson: f64) -> Self {
        Self {
            elastic: YoungPoisson { young, poisson },
            ..Self::default()
        }
    }

    /// The same with this density, kg/m³.
    pub fn with_density(self, density: f64) -> Self {
        Self { density, ..self }
    }

    /// The same with this damping ratio of the lowest elastic mode.
    pub fn with_damping_ratio(self, ratio: f64) -> Self {
        Self {
            damping: Damping::Ratio(ratio),
            ..self
        }
    }

    /// The same with another law.
    pub fn with_law(self, law: MaterialLaw) -> Self {
        Self { law, ..self }
    }

    /// Lamé parameters of the elastic constants.
    pub fn lame(&self) -> LameParameters {
        self.elastic.into()
    }

    /// Speed of longitudinal waves √((λ + 2μ)/ρ), m/s.
    pub fn wave_speed(&self) -> f64 {
        let lame = self.lame();
        ((lame.lambda + 2.0 * lame.mu) / self.density).sqrt()
    }

    /// Speed of Rayleigh waves, m/s, which no crack under tension exceeds (Freund 1990): `(0.87 + 1.12 ν) / (1 + ν) √(μ/ρ)`, within a per cent for ν from 0 to 1/2
    /// (Viktorov 1967).
    pub fn rayleigh_speed(&self) -> f64 {
        let poisson = self.elastic.poisson;
        (0.87 + 1.12 * poisson) / (1.0 + poisson) * (self.lame().mu / self.density).sqrt()
    }
}

impl Default for Material {
    /// Soft rubber-like tissue: E = 20 kPa, ν = 0.3, 1000 kg/m³, ζ = 0.1.
    fn default() -> Self {
        Self {
            elastic: YoungPoisson {
                young: 2.0e4,
                poisson: 0.3,
            },
            density: 1000.0,
            damping: Damping::Ratio(0.1),
            law: MaterialLaw::Green,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_law_keeps_its_number_and_its_name() {
        for (index, law) in MaterialLaw::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(law.number()), index, "{law:?}");
            assert_eq!(MaterialLaw::from_name(law.name()), Some(law));
        }
        // existing files contain these numbers
        let old = [MaterialLaw::Green, MaterialLaw::Corotated];
        assert_eq!(old.map(MaterialLaw::number), [0, 4]);
        assert_eq!(MaterialLaw::NeoHookean.number(), 5);
    }

    #[test]
    fn lame_and_young_are_inverse_to_each_other() {
        let m = YoungPoisson {
            young: 1.022222e6,
            poisson: 0.277778,
        };
        let lame = LameParameters::from(m);
        assert!((lame.lambda - 5e5).abs() < 5.0 && (lame.mu - 4e5).abs() < 5.0);
        let back = YoungPoisson::from(lame);
        assert!((back.young / m.young - 1.0).abs() < 1e-14);
        assert!((back.poisson / m.poisson - 1.0).abs() < 1e-14);
    }
}
