//! Titles of the problems of a mesh.

/// Codes of problems and their titles.
const TITLES: [(&str, &str); 13] = [
    ("BoundaryEdges", "Open edges"),
    ("NonManifoldEdges", "Edges of more than two triangles"),
    ("SelfIntersections", "Triangles that cross"),
    ("ThinWalls", "Thin walls"),
    ("FarFromOrigin", "Far from the origin"),
    ("MisorientedEdges", "Neighbours with opposite orientation"),
    ("Pinches", "Parts that touch in a point"),
    ("InsideOut", "Parts inside out"),
    ("DegenerateFaces", "Triangles without area"),
    ("DuplicateFaces", "Duplicate triangles"),
    ("DuplicateVertices", "Vertices at one position"),
    ("UnreferencedVertices", "Vertices of no triangle"),
    ("NonFinite", "Vertices with coordinates that are not finite"),
];

/// Title of a problem; its code if it has none.
pub fn title(code: &'static str) -> &'static str {
    let known = TITLES.iter().find(|(known, _)| *known == code);
    known.map_or(code, |(_, title)| *title)
}
