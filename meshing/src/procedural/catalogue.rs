//! Names of all procedural bodies.

/// Names of all bodies.
pub fn names() -> &'static [&'static str] {
    &[
        "box",
        "bar",
        "sphere",
        "torus",
        "nodule",
        "kidney",
        "liver",
        "spatula",
        "banana_seat",
        "rabbit",
        "penguin",
        "dragon",
        "buddha",
        "infant",
    ]
}
