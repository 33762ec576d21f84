//! Compressed matrices of Green's functions: columns of blocks over the vertices of a surface, stored in a small part of their size and summed without being expanded.
pub mod hierarchical_matrix;
pub mod subdivision;
