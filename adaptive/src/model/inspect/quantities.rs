//! Names, units and shapes of the quantities.

use pliant_core::inspect::QuantityInfo;

pub(crate) static QUANTITIES: [QuantityInfo; 9] = pliant_core::quantities! {
    "displacement", "m", VertexScalar, "Distance from the rest position.";
    "speed", "m/s", VertexScalar, "Magnitude of the velocity.";
    "von_mises_stress", "Pa", VertexScalar, "Equivalent Cauchy stress, mean over the tetrahedra around a node.";
    "volume_ratio", "", VertexScalar, "Present over rest volume, mean over the tetrahedra around a node.";
    "lod_level", "", VertexScalar, "Level of detail that moves, 0 is the coarsest.";
    "dt_level", "", VertexScalar, "Binary logarithm of the steps a frame of the fastest element around.";
    "refinement_indicator", "", VertexScalar, "Departure from linear motion around a node over the one from which it is split.";
    "refused_reason", "", VertexScalar, "Why the last request for more nodes was refused: 0 none was, 1 contact is near, 2 the motion is too far from linear; either way the budget forbids it.";
    "nodes", "", Points, "Nodes that are computed, with their level.";
};
