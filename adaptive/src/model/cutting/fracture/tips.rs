//! The state of the front of a crack: the energy that its growth releases, and the stress ahead of it.
//!
//! The energy release rate is the integral over a domain (Li, Shih, Needleman 1985; its weight `q` falls from 1 around the front to 0):
//!
//! ```text
//! G = 1/L ∫ (P_iK u_i,J e_J − W e_K) ∂q/∂X_K dV,   L = | Σ q l |
//! ```
//!
//! `e` is the direction of growth, `l` the area that a segment of the front sweeps per metre of growth: for edges that zigzag about a straight front, the sum is that of the straight one.
//! The integral does not depend on the domain while the body is in equilibrium, nor on how fine elements are at the front. Displacements are taken in the frame that rotates with the
//! front, so that the error by gravity and inertia is of the size of the strain.

use pliant_core::math::polar::nearest_rotation;
use pliant_core::math::{Mat3, Vec3};

use super::elements::{ElementState, largest_principal};
use super::front::FrontSegment;

/// Radius of the domain around a front, and of the core where its weight is 1, mean edges.
pub(super) const DOMAIN_RADIUS: f64 = 3.0;
const CORE_RADIUS: f64 = 1.0;
/// Radius of the region ahead of a front whose stress determines the direction of growth, mean edges.
const STRESS_RADIUS: f64 = 1.5;
/// Least cosine between the normal of a crack and the direction of the largest tension at which the crack turns.
const MIN_TURN_COSINE: f64 = 0.3;
/// Least ratio of the length of the vector sum of segments to their total length at which a front is straight enough for the integral.
const MIN_STRAIGHTNESS: f64 = 0.2;

/// The state of a segment of a front.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tip {
    /// J/m²; `None` for a front that closes on itself within the domain: elements are too coarse for it
    pub energy_release: Option<f64>,
    /// largest principal value of the mean stress ahead, Pa
    pub stress: f64,
    /// see [`FrontDomain::stress_at_front`], Pa; 0 where the toughness alone decides
    pub stress_at_front: f64,
    /// of the plane in which the crack grows, at rest, unit, on the side of the normal of the segment
    pub normal: Vec3,
    /// of growth, at rest, unit
    pub direction: Vec3,
    /// whether the crack is open, and not compressed
    pub is_open: bool,
}

/// How far the two sides of a crack have come apart at a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opening {
    /// of the node at rest, m
    pub place: Vec3,
    /// from the virtual node, which belongs to the other side, to the node itself, m
    pub jump: Vec3,
}

/// Fronts, and the elements and openings near them.
#[derive(Debug, Clone, Copy)]
pub(super) struct FrontDomain<'a> {
    pub fronts: &'a [FrontSegment],
    pub elements: &'a [ElementState],
    pub openings: &'a [Opening],
    /// nodes at rest, m
    pub rest: &'a [Vec3],
    /// mean edge, m
    pub spacing: f64,
}

/// The front within the domain of a segment.
struct LocalFront {
    /// area that it sweeps per metre of growth, m
    swept: Vec3,
    /// along its zigzag, m
    length: f64,
    /// mean normal, on the side of that of the segment, unit
    normal: Vec3,
}

impl FrontDomain<'_> {
    /// The state of a segment; `ahead` is the deformation gradient ahead of it.
    ///
    /// Cost: some nanoseconds an element, and some tens for each of the about 300 in the domain.
    pub fn tip(&self, segment: &FrontSegment, ahead: &Mat3) -> Tip {
        let front = self.local_front(segment);
        let is_straight = front.swept.norm() > MIN_STRAIGHTNESS * front.length;
        let along = match is_straight {
            true => front.swept,
            false => segment.advance,
        };
        let direction = along.normalize();
        let rotation = nearest_rotation(ahead);
        let inverse_rotation = rotation.transpose();
        let mean = inverse_rotation * self.stress_ahead(segment, &direction) * rotation;
        let (stress, across) = largest_principal(&mean);
        let cosine = across.dot(&front.normal);
        // half of the turn: the direction of the stress is inaccurate
        let normal = match cosine.abs() < MIN_TURN_COSINE {
            true => front.normal,
            false => (front.normal + across * cosine.signum()).normalize(),
        };
        let energy_release =
            || self.energy_flow(segment, &direction, &inverse_rotation) / front.swept.norm();
        let opening = self.opening(segment, &inverse_rotation);
        Tip {
            energy_release: is_straight.then(energy_release),
            stress,
            stress_at_front: 0.0,
            normal,
            direction,
            is_open: match opening == 0.0 {
                true => segment.normal.dot(&(mean * segment.normal)) > 0.0,
                false => opening > 0.0,
            },
        }
    }

    /// Weight of a point (m) in the domain around a segment.
    fn weight(&self, segment: &FrontSegment, x: &Vec3) -> f64 {
        let distance = (x - segment.middle).norm() / self.spacing;
        ((DOMAIN_RADIUS - distance) / (DOMAIN_RADIUS - CORE_RADIUS)).clamp(0.0, 1.0)
    }

    fn local_front(&self, segment: &FrontSegment) -> LocalFront {
        let (mut swept, mut length, mut normal) = (Vec3::zeros(), 0.0, Vec3::zeros());
        for other in self.fronts {
            let weight = self.weight(segment, &other.middle);
            let part = other.advance.norm() * weight;
            swept += other.advance * weight;
            length += part;
            let is_turned = other.normal.dot(&segment.normal) < 0.0;
            normal += other.normal * if is_turned { -part } else { part };
        }
        LocalFront {
            swept,
            length,
            normal: normal.try_normalize(0.0).unwrap_or(segment.normal),
        }
    }

    /// The integral over the domain, N.
    fn energy_flow(
        &self,
        segment: &FrontSegment,
        direction: &Vec3,
        inverse_rotation: &Mat3,
    ) -> f64 {
        let reach = ((DOMAIN_RADIUS + 1.0) * self.spacing).powi(2);
        let is_near = |e: &&ElementState| (e.middle - segment.middle).norm_squared() < reach;
        let part = |element: &ElementState| {
            let nodes = element.nodes.iter().zip(&element.gradients);
            let weight = |n: u32| self.weight(segment, &self.rest[n as usize]);
            let slope: Vec3 = nodes.map(|(&n, g)| g * weight(n)).sum();
            let pulled = inverse_rotation * (element.deformation_gradient * direction) - direction;
            let flow = pulled.dot(&(inverse_rotation * (element.piola * slope)));
            element.volume * (flow - element.energy_density * direction.dot(&slope))
        };
        self.elements.iter().filter(is_near).map(part).sum()
    }

    /// Mean Cauchy stress ahead of a segment, Pa, world.
    fn stress_ahead(&self, segment: &FrontSegment, direction: &Vec3) -> Mat3 {
        let (mut sum, mut shares) = (Mat3::zeros(), 0.0);
        for element in self.elements {
            let offset = element.middle - segment.middle;
            let near = (1.0 - offset.norm() / (STRESS_RADIUS * self.spacing)).max(0.0);
            let share = element.volume * near * offset.dot(direction).max(0.0);
            sum += element.cauchy * share;
            shares += share;
        }
        match shares > 0.0 {
            true => sum / shares,
            false => sum,
        }
    }

    /// Largest principal stress in the element ahead of a segment, and around its corners, Pa. Around a node it is that of the mean over its elements, as where cracks begin.
    ///
    /// The last ligament of a body needs it. There nothing lies ahead of the front, or what lies ahead is under pressure because the ligament bends, while its elements bear the whole load.
    pub fn stress_at_front(&self, ahead: &ElementState) -> f64 {
        let mut sums = [(Mat3::zeros(), 0.0); 4];
        for element in self.elements {
            for ((sum, volume), node) in sums.iter_mut().zip(&ahead.nodes) {
                if element.nodes.contains(node) {
                    *sum += element.cauchy * element.volume;
                    *volume += element.volume;
                }
            }
        }
        let around = |(sum, volume): (Mat3, f64)| match volume > 0.0 {
            true => largest_principal(&(sum / volume)).0,
            false => 0.0,
        };
        let (in_element, _) = largest_principal(&ahead.cauchy);
        sums.into_iter().map(around).fold(in_element, f64::max)
    }

    /// Opening of the crack behind a segment: the weighted sum over the domain, m. Negative where its sides have penetrated each other.
    fn opening(&self, segment: &FrontSegment, inverse_rotation: &Mat3) -> f64 {
        let part = |opening: &Opening| {
            let height = segment.normal.dot(&(opening.place - segment.middle));
            let wide = segment.normal.dot(&(inverse_rotation * opening.jump));
            self.weight(segment, &opening.place) * wide * height.signum()
        };
        self.openings.iter().map(part).sum()
    }
}
