//! Lists of the parts of pieces.

/// A part of a piece and where its first particle is from that of the whole, cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    pub(crate) number: u32,
    pub(crate) shift: [f32; 3],
}

/// Lists of parts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pieces {
    pub(crate) ends: Vec<u32>,
    pub(crate) parts: Vec<Part>,
}

impl Pieces {
    #[inline(always)]
    pub(crate) fn of(&self, piece: usize) -> &[Part] {
        let start = if piece == 0 { 0 } else { self.ends[piece - 1] };
        &self.parts[start as usize..self.ends[piece] as usize]
    }

    pub(crate) fn close(&mut self) {
        self.ends.push(self.parts.len() as u32);
    }
}
