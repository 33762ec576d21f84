//! Names, units and shapes of the quantities.

use pliant_core::inspect::{QuantityInfo, QuantityShape};

pub(crate) static QUANTITIES: [QuantityInfo; 9] = [
    QuantityInfo {
        name: "displacement",
        unit: "m",
        help: "Distance from the rest position.",
        shape: QuantityShape::VertexScalar,
    },
    QuantityInfo {
        name: "speed",
        unit: "m/s",
        help: "Magnitude of the velocity.",
        shape: QuantityShape::VertexScalar,
    },
    QuantityInfo {
        name: "von_mises_stress",
        unit: "Pa",
        help: "Equivalent Cauchy stress, mean over the tetrahedra around a node.",
        shape: QuantityShape::VertexScalar,
    },
    QuantityInfo {
        name: "volume_ratio",
        unit: "",
        help: "Present over rest volume, mean over the tetrahedra around a node.",
        shape: QuantityShape::VertexScalar,
    },
    QuantityInfo {
        name: "lod_level",
        unit: "",
        help: "Level of detail that moves, 0 is the coarsest.",
        shape: QuantityShape::VertexScalar,
    },
    QuantityInfo {
        name: "dt_level",
        unit: "",
        help: "Binary logarithm of the steps a frame of the fastest element around.",
        shape: QuantityShape::VertexScalar,
    },
    QuantityInfo {
        name: "refinement_indicator",
        unit: "",
        help: "Departure from linear motion around a node over the one from which it is split.",
        shape: QuantityShape::VertexScalar,
    },
    QuantityInfo {
        name: "refused_reason",
        unit: "",
        help: "Why the last request for more nodes was refused: 0 none was, 1 contact is near, 2 the motion is too far from linear; either way the budget forbids it.",
        shape: QuantityShape::VertexScalar,
    },
    QuantityInfo {
        name: "nodes",
        unit: "",
        help: "Nodes that are computed, with their level.",
        shape: QuantityShape::Points,
    },
];
