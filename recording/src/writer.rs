//! Writing of recordings to any stream, frame by frame.

use std::io::{self, Write};
use std::sync::Arc;

use crate::contents::{Cut, Frame, Header, Skin, Summary, Surface};
use crate::format::chunk::{Kind, chunk_bytes};
use crate::format::cut::{write_positions, write_topology};
use crate::format::frame::write_frame;
use crate::format::header::write_header;
use crate::format::skin::{position_words, write_skin, write_surface};
use crate::format::summary::write_summary;
use crate::format::{MAGIC, VERSION};

/// Writes a recording to any stream, frame by frame.
#[derive(Debug)]
pub struct RecordingWriter<W> {
    out: W,
    header: Header,
    frames: u32,
    /// words of the last surface of each method
    previous: Vec<Vec<u32>>,
    /// the skin at rest; empty where no surfaces are kept
    skin: Skin,
    /// the last cut surface at rest of each method, and the words of its last positions
    cuts: Vec<Option<(Arc<Skin>, Vec<u32>)>>,
    /// bytes written so far
    bytes: u64,
}

impl<W: Write> RecordingWriter<W> {
    /// Writes the header and, where surfaces are to be kept, the skin.
    ///
    /// # Errors
    /// Those of the stream. [`io::ErrorKind::InvalidInput`] where the skin has other counts than the header says.
    pub fn new(out: W, header: Header, skin: &Skin) -> io::Result<Self> {
        let counts = [header.vertices as usize, header.triangles as usize];
        if counts != [skin.rest.len(), skin.triangles.len()] {
            let text = "the skin has other counts than the header says";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        let keeps = header.surface_every > 0;
        let rest = if keeps {
            position_words(&skin.rest)
        } else {
            Vec::new()
        };
        let mut writer = Self {
            out,
            frames: 0,
            previous: vec![rest; header.methods.len()],
            skin: match keeps {
                true => skin.clone(),
                false => Skin::default(),
            },
            cuts: vec![None; header.methods.len()],
            bytes: 0,
            header,
        };
        writer.write(MAGIC)?;
        writer.write(&VERSION.to_le_bytes())?;
        let content = write_header(&writer.header);
        writer.chunk(Kind::Header, &content)?;
        if keeps {
            writer.chunk(Kind::Skin, &write_skin(skin))?;
        }
        Ok(writer)
    }

    /// Writes the next frame. `surfaces` has the surface of each method where [`Header::keeps_surface`] says so; otherwise it is ignored.
    ///
    /// Cost: packing takes about 40 ns a vertex, and as much for each vertex of a cut surface. Where the cuts have changed, it takes twice as much, and as much for each triangle.
    ///
    /// # Errors
    /// Those of the stream. [`io::ErrorKind::InvalidInput`] for surfaces that are missing or have another number of vertices.
    pub fn frame(&mut self, frame: &Frame, surfaces: &[Surface]) -> io::Result<()> {
        let keeps = self.header.keeps_surface(self.frames);
        let vertices = self.header.vertices as usize;
        let fits = surfaces.len() == self.header.methods.len()
            && surfaces
                .iter()
                .all(|s| s.positions.len() == vertices && s.cut.iter().all(|c| fits(c, vertices)));
        if keeps && !fits {
            let text = "a surface is missing, or is not that of the skin";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        let content = write_frame(&self.header, frame);
        self.chunk(Kind::Frame, &content)?;
        if keeps {
            for (method, surface) in surfaces.iter().enumerate() {
                let previous = &mut self.previous[method];
                let content = write_surface(method as u32, &surface.positions, previous);
                self.chunk(Kind::Surface, &content)?;
                match &surface.cut {
                    Some(cut) => self.cut(method, cut, &surface.positions)?,
                    None => self.cuts[method] = None,
                }
            }
        }
        self.frames += 1;
        Ok(())
    }

    /// Writes the cut surface of a skin at these positions: its triangles where they have changed, and its positions.
    fn cut(&mut self, method: usize, cut: &Cut, skin: &[[f32; 3]]) -> io::Result<()> {
        let last = self.cuts[method].take();
        let is_same = |last: &Arc<Skin>| Arc::ptr_eq(last, &cut.skin) || *last == cut.skin;
        let mut previous = match last {
            Some((last, previous)) if is_same(&last) => previous,
            _ => {
                let content = write_topology(method as u32, &cut.skin, &self.skin);
                self.chunk(Kind::CutTopology, &content)?;
                position_words(&cut.skin.rest)
            }
        };
        let content = write_positions(method as u32, &cut.positions, skin, &mut previous);
        self.chunk(Kind::CutPositions, &content)?;
        self.cuts[method] = Some((Arc::clone(&cut.skin), previous));
        Ok(())
    }

    /// Ends the recording. Returns the stream, and the number of bytes that were written.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn finish(mut self, summary: &Summary) -> io::Result<(W, u64)> {
        let content = write_summary(&self.header, self.frames, summary);
        self.chunk(Kind::Summary, &content)?;
        self.out.flush()?;
        Ok((self.out, self.bytes))
    }

    fn chunk(&mut self, kind: Kind, content: &[u8]) -> io::Result<()> {
        self.write(&chunk_bytes(kind, content))
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

/// Whether a cut surface fits a skin with this number of vertices.
fn fits(cut: &Cut, vertices: usize) -> bool {
    let count = cut.skin.rest.len();
    let corners = cut.skin.triangles.as_flattened();
    count >= vertices
        && cut.positions.len() == count
        && corners.iter().all(|v| (*v as usize) < count)
}
