//! Writes a recording to any stream, frame by frame.

use std::io::{self, Write};

use crate::contents::{Frame, Header, Skin, Summary};
use crate::format::chunk::{Kind, sealed};
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
    /// so far
    bytes: u64,
}

impl<W: Write> RecordingWriter<W> {
    /// Begins with the header and, where surfaces are to be kept, with the skin.
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

    /// What the recording is of.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Writes the next frame. `surfaces` has the skin of each method where [`Header::keeps_surface`] says so, else it is ignored.
    ///
    /// Cost: packing takes about 40 ns a vertex.
    ///
    /// # Errors
    /// Those of the stream. [`io::ErrorKind::InvalidInput`] for surfaces that are missing or have another number of vertices.
    pub fn frame(&mut self, frame: &Frame, surfaces: &[Vec<[f32; 3]>]) -> io::Result<()> {
        let keeps = self.header.keeps_surface(self.frames);
        let vertices = self.header.vertices as usize;
        let fits = surfaces.len() == self.header.methods.len()
            && surfaces.iter().all(|s| s.len() == vertices);
        if keeps && !fits {
            let text = "a surface is missing, or is not that of the skin";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        }
        let content = write_frame(&self.header, frame);
        self.chunk(Kind::Frame, &content)?;
        if keeps {
            for (method, surface) in surfaces.iter().enumerate() {
                let previous = &mut self.previous[method];
                let content = write_surface(method as u32, surface, previous);
                self.chunk(Kind::Surface, &content)?;
            }
        }
        self.frames += 1;
        Ok(())
    }

    /// Ends the recording; the stream, and the number of bytes that went into it.
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
        self.write(&sealed(kind, content))
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}
