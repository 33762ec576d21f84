//! Layout of a vertex buffer, for the driver.

/// Type of an attribute's numbers in the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Single precision.
    Float,
    /// Whole numbers of four bytes.
    Long,
    /// Whole numbers of two bytes.
    Short,
}

/// One attribute of a vertex.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute {
    /// Location in the shader.
    pub slot: u32,
    /// How many numbers, 1 to 4.
    pub count: usize,
    /// Their type.
    pub kind: Kind,
    /// First byte in a vertex.
    pub offset: usize,
}

impl Attribute {
    /// `count` numbers of a vertex from byte `offset` on.
    pub const fn new(slot: u32, count: usize, kind: Kind, offset: usize) -> Self {
        Self {
            slot,
            count,
            kind,
            offset,
        }
    }
}
