//! Layout of a vertex buffer. The driver and [`super::emulate`] read the same description.

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

impl Kind {
    /// Bytes of a number.
    pub fn bytes(self) -> usize {
        match self {
            Self::Float | Self::Long => 4,
            Self::Short => 2,
        }
    }
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

    /// Its whole numbers for vertex `vertex` of a buffer whose vertices are `stride` bytes; zeros beyond the buffer and for floats.
    pub fn integers(&self, buffer: &[u8], stride: usize, vertex: usize) -> [u32; 4] {
        let mut all = [0; 4];
        for (k, n) in all.iter_mut().enumerate().take(self.count) {
            let bytes = self.number(buffer, stride, vertex, k);
            *n = match self.kind {
                Kind::Long => bytes.try_into().map_or(0, u32::from_ne_bytes),
                Kind::Short => bytes
                    .try_into()
                    .map_or(0, |b| u32::from(u16::from_ne_bytes(b))),
                Kind::Float => 0,
            };
        }
        all
    }

    /// Its numbers of single precision; zeros beyond the buffer and for whole numbers.
    pub fn floats(&self, buffer: &[u8], stride: usize, vertex: usize) -> [f32; 4] {
        let mut all = [0.0; 4];
        for (k, x) in all.iter_mut().enumerate().take(self.count) {
            if self.kind == Kind::Float {
                let bytes = self.number(buffer, stride, vertex, k);
                *x = bytes.try_into().map_or(0.0, f32::from_ne_bytes);
            }
        }
        all
    }

    fn number<'a>(&self, buffer: &'a [u8], stride: usize, vertex: usize, k: usize) -> &'a [u8] {
        let size = self.kind.bytes();
        let from = vertex * stride + self.offset + k * size;
        buffer.get(from..from + size).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_where_they_lie() {
        let mut buffer = vec![0_u8; 32];
        buffer[20..24].copy_from_slice(&1.5_f32.to_ne_bytes());
        buffer[26..28].copy_from_slice(&7_u16.to_ne_bytes());
        let attribute = |kind, offset| Attribute::new(0, 2, kind, offset);
        assert_eq!(attribute(Kind::Float, 4).floats(&buffer, 16, 1)[0], 1.5);
        assert_eq!(
            attribute(Kind::Short, 8).integers(&buffer, 16, 1),
            [0, 7, 0, 0]
        );
        assert_eq!(attribute(Kind::Long, 0).integers(&buffer, 16, 9), [0; 4]);
    }
}
