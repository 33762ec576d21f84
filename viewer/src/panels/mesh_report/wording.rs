//! Titles of the problems of a mesh.

/// Title of a problem; its code if it has none.
pub fn title(code: &'static str) -> &'static str {
    match code {
        "BoundaryEdges" => "Open edges",
        "NonManifoldEdges" => "Edges of more than two triangles",
        "SelfIntersections" => "Triangles that cross",
        "ThinWalls" => "Thin walls",
        "FarFromOrigin" => "Far from the origin",
        "MisorientedEdges" => "Neighbours with opposite orientation",
        "Pinches" => "Parts that touch in a point",
        "InsideOut" => "Parts inside out",
        "DegenerateFaces" => "Triangles without area",
        "DuplicateFaces" => "Duplicate triangles",
        "DuplicateVertices" => "Vertices at one position",
        "UnreferencedVertices" => "Vertices of no triangle",
        "CoordinateTooLarge" => "Coordinates too large",
        "NonFinite" => "Vertices with coordinates that are not finite",
        code => code,
    }
}
