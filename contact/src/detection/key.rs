//! Keys that name contacts, by which a row finds its impulse of the last frame.

use crate::detection::candidate::{Candidate, Partner};

/// Bits of a key for a body and for a contact point.
const BITS: u32 = 20;

/// Marks a tool among partners.
const TOOL: u64 = 1 << (BITS - 1);

/// Names a contact for as long as it lasts; ascending in the order in which contacts are found.
pub(crate) fn key_of(c: &Candidate) -> u64 {
    match c.partner {
        Partner::Body(b) => pair_key(c.body.min(b), c.body.max(b), c.body > b, c.point),
        Partner::Tool(t) => tool_key(c.body, t, c.point),
    }
}

/// The same for point `point` of body `low`, or, when `turned`, of body `high`.
pub(crate) fn pair_key(low: u32, high: u32, turned: bool, point: u32) -> u64 {
    key(u64::from(low), u64::from(high), turned, point)
}

/// The same for point `point` of a body and a tool.
pub(crate) fn tool_key(body: u32, tool: u32, point: u32) -> u64 {
    key(u64::from(body), TOOL + u64::from(tool), false, point)
}

/// The key of the same contact where its contact point has number `point`.
pub(crate) fn with_point(key: u64, point: u32) -> u64 {
    let mask = (1 << BITS) - 1;
    key & !mask | u64::from(point)
}

/// Whether two keys name contacts of the same two bodies.
pub(crate) fn is_same_pair(a: u64, b: u64) -> bool {
    a >> (BITS + 1) == b >> (BITS + 1)
}

fn key(first: u64, second: u64, turned: bool, point: u32) -> u64 {
    (first << BITS | second) << (BITS + 1) | u64::from(turned) << BITS | u64::from(point)
}

/// Body, partner and contact point of a key.
pub(crate) fn parts_of_key(key: u64) -> (u32, Partner, u32) {
    let mask = (1 << BITS) - 1;
    let (first, second) = (key >> (2 * BITS + 1), key >> (BITS + 1) & mask);
    let point = (key & mask) as u32;
    if second >= TOOL {
        let tool = Partner::Tool((second - TOOL) as u32);
        return (first as u32, tool, point);
    }
    let (body, partner) = if key >> BITS & 1 == 1 {
        (second, first)
    } else {
        (first, second)
    };
    (body as u32, Partner::Body(partner as u32), point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_core::math::Vec3;

    #[test]
    fn keys_can_be_taken_apart_and_ascend() {
        let candidate = |body, partner| Candidate {
            body,
            point: 1234,
            partner,
            normal: Vec3::y(),
            gap: 0.0,
            surface_velocity: Vec3::zeros(),
            relative: Vec3::zeros(),
            friction: 0.0,
            kinetic_friction: 0.0,
            from: 0,
            split: 0,
            to: 0,
            compliance: [0.0; 2],
        };
        let mut last = 0;
        for (body, partner) in [
            (42, Partner::Body(42)),
            (42, Partner::Body(149)),
            (149, Partner::Body(42)),
            (42, Partner::Body(150)),
            (42, Partner::Tool(7)),
            (43, Partner::Body(44)),
        ] {
            let key = key_of(&candidate(body, partner));
            assert_eq!(parts_of_key(key), (body, partner, 1234));
            let other = with_point(key, 77);
            assert_eq!(parts_of_key(other), (body, partner, 77));
            assert!(key > last);
            last = key;
        }
    }
}
