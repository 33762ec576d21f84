//! Names of all procedural bodies.

/// Names of all bodies.
pub fn names() -> &'static [&'static str] {
    &[
        "box",
        "bar",
        "sphere",
        "torus",
        "nodule",
        "octahedron",
        "kidney",
        "liver",
        "fingertip",
        "torso",
        "spatula",
        "banana_seat",
        "rabbit",
        "bear",
        "penguin",
        "dragon",
        "buddha",
        "infant",
    ]
}
