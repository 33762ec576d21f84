//! Reading of recordings.

use std::sync::Arc;

use crate::contents::{Cut, Frame, Header, Skin, Summary, Surface};
use crate::error::RecordingError;
use crate::format::bytes::Reader;
use crate::format::chunk::{Chunk, Kind, is_next, next_chunk};
use crate::format::cut::{read_positions, read_topology};
use crate::format::frame::read_frame;
use crate::format::header::read_header;
use crate::format::skin::{position_words, read_skin, read_surface};
use crate::format::summary::read_summary;
use crate::format::{MAGIC, VERSION};

/// A recording in memory; its surfaces stay packed.
#[derive(Debug, Clone)]
pub struct Recording<'a> {
    /// Version of the file.
    pub version: u32,
    /// The data that were known before the first frame.
    pub header: Header,
    /// The skin at rest; empty where no surfaces were kept.
    pub skin: Skin,
    /// The frames.
    pub frames: Vec<Frame>,
    /// The data that were known after the last frame.
    pub summary: Summary,
    surfaces: Vec<PackedSurface<'a>>,
}

/// A surface in packed form.
#[derive(Debug, Clone, Copy)]
struct PackedSurface<'a> {
    frame: u32,
    method: usize,
    packed: &'a [u8],
    /// offset in the file
    begin: u64,
    /// chunks of the cut surface, if there is one: triangles where they have changed, and positions
    cut: Option<(Option<Chunk<'a>>, Chunk<'a>)>,
}

/// A surface of a recording.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredSurface {
    /// Number of the frame that ended with it, from 0.
    pub frame: usize,
    /// Time at the end of the frame, s.
    pub time: f64,
    /// The skin, and the cut surface if there is one.
    pub surface: Surface,
}

impl<'a> Recording<'a> {
    /// Whether bytes begin as a recording does.
    pub fn is_recording(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Reads the bytes of a recording and checks all of them. Surfaces are not unpacked.
    ///
    /// Cost: some GB/s, for the checksums. Memory: some hundred bytes a frame, and the skin.
    ///
    /// # Errors
    /// [`RecordingError`] with the offset for bytes that are not a complete recording.
    pub fn read(bytes: &'a [u8]) -> Result<Self, RecordingError> {
        let version = read_version(bytes)?;
        let mut chunks = Chunks {
            bytes,
            at: MAGIC.len() + 4,
        };
        let header = read_header(chunks.expect(Kind::Header)?.reader())?;
        let skin = match header.surface_every {
            0 => Skin::default(),
            _ => read_skin(&header, chunks.expect(Kind::Skin)?.reader())?,
        };
        let mut frames: Vec<Frame> = Vec::new();
        let mut surfaces = Vec::new();
        let summary_chunk = loop {
            let chunk = chunks.next()?;
            match chunk.kind {
                Kind::Frame => {}
                Kind::Summary => break chunk,
                _ => return Err(chunk.misplaced()),
            }
            let number = frames.len() as u32;
            frames.push(read_frame(&header, chunk.reader())?);
            if header.keeps_surface(number) {
                for method in 0..header.methods.len() {
                    let chunk = chunks.expect(Kind::Surface)?;
                    let packed = chunk.reader_of(method)?.rest();
                    let topology = chunks.next_if(Kind::CutTopology)?;
                    let positions = match topology {
                        Some(_) => Some(chunks.expect(Kind::CutPositions)?),
                        None => chunks.next_if(Kind::CutPositions)?,
                    };
                    surfaces.push(PackedSurface {
                        frame: number,
                        method,
                        packed,
                        begin: chunk.begin,
                        cut: positions.map(|positions| (topology, positions)),
                    });
                }
            }
        };
        let summary = read_summary(&header, frames.len(), summary_chunk.reader())?;
        if chunks.at != bytes.len() {
            return Err(RecordingError::Invalid {
                what: "rest behind the summary",
                offset: chunks.at as u64,
            });
        }
        Ok(Self {
            version,
            header,
            skin,
            frames,
            summary,
            surfaces,
        })
    }

    /// Number of surfaces of each method.
    pub fn surface_count(&self) -> usize {
        self.surfaces.len() / self.header.methods.len().max(1)
    }

    /// Numbers of the frames whose surfaces were kept, from 0, ascending.
    pub fn surface_frames(&self) -> impl Iterator<Item = usize> {
        let frames = 0..self.frames.len() as u32;
        let kept = frames.filter(|frame| self.header.keeps_surface(*frame));
        kept.map(|frame| frame as usize)
    }

    /// Size of all packed surfaces, bytes.
    pub fn surface_bytes(&self) -> u64 {
        let content_bytes = |chunk: &Chunk<'_>| chunk.content.len() as u64;
        let surface_bytes = |s: &PackedSurface<'_>| {
            let cuts = s.cut.iter().map(|(topology, positions)| {
                topology.as_ref().map_or(0, content_bytes) + content_bytes(positions)
            });
            s.packed.len() as u64 + cuts.sum::<u64>()
        };
        self.surfaces.iter().map(surface_bytes).sum()
    }

    /// Whether one of the surfaces of method number `method` has cuts.
    pub fn has_cuts(&self, method: usize) -> bool {
        self.first_cut(method).is_some()
    }

    /// Number of the first frame, from 0, in which the surface of method number `method` has cuts.
    pub fn first_cut(&self, method: usize) -> Option<usize> {
        let mut own = self.surfaces.iter().filter(|s| s.method == method);
        let first = own.find(|s| s.cut.is_some())?;
        Some(first.frame as usize)
    }

    /// The surfaces of method number `method`, in the order of time. Each is unpacked on demand, and compared with its hash.
    ///
    /// Cost: about 30 ns a vertex, and as much for each vertex of a cut surface.
    pub fn surfaces(
        &self,
        method: usize,
    ) -> impl Iterator<Item = Result<StoredSurface, RecordingError>> {
        let mut previous = position_words(&self.skin.rest);
        let mut cuts = None;
        let stored = self.surfaces.iter().filter(move |s| s.method == method);
        stored.map(move |stored| {
            let damaged = RecordingError::Invalid {
                what: "surface",
                offset: stored.begin,
            };
            let positions = read_surface(stored.packed, &mut previous);
            let positions = positions.ok_or_else(|| damaged.clone())?;
            let frame = self.frames.get(stored.frame as usize);
            let result = frame.and_then(|f| Some((f.time, f.methods.get(method)?)));
            match result {
                Some((time, result)) if result.surface_hash == crate::surface_hash(&positions) => {
                    let cut = self.cut(stored, &positions, &mut cuts)?;
                    Ok(StoredSurface {
                        frame: stored.frame as usize,
                        time,
                        surface: Surface { positions, cut },
                    })
                }
                _ => Err(damaged),
            }
        })
    }

    /// The cut surface of a stored surface, if there is one. `last` is the previous cut surface at rest, with the words of its last positions.
    fn cut(
        &self,
        stored: &PackedSurface<'_>,
        positions: &[[f32; 3]],
        last: &mut Option<(Arc<Skin>, Vec<u32>)>,
    ) -> Result<Option<Cut>, RecordingError> {
        let Some((topology, chunk)) = &stored.cut else {
            *last = None;
            return Ok(None);
        };
        let damaged = || RecordingError::Invalid {
            what: "cut surface",
            offset: chunk.begin,
        };
        if let Some(topology) = topology {
            let skin = read_topology(topology.reader_of(stored.method)?, &self.skin)?;
            let words = position_words(&skin.rest);
            *last = Some((Arc::new(skin), words));
        }
        let (skin, previous) = last.as_mut().ok_or_else(damaged)?;
        let reader = chunk.reader_of(stored.method)?;
        let positions = read_positions(reader, positions, previous).ok_or_else(damaged)?;
        Ok(Some(Cut {
            skin: Arc::clone(skin),
            positions,
        }))
    }
}

/// Checks the first word and the version behind it; returns the version.
fn read_version(bytes: &[u8]) -> Result<u32, RecordingError> {
    let rest = bytes.strip_prefix(MAGIC.as_slice());
    let rest = rest.ok_or(match MAGIC.starts_with(bytes) && !bytes.is_empty() {
        true => RecordingError::Truncated {
            what: "the first word",
            offset: bytes.len() as u64,
        },
        false => RecordingError::NotARecording,
    })?;
    let version = rest.first_chunk::<4>().ok_or(RecordingError::Truncated {
        what: "the version",
        offset: bytes.len() as u64,
    })?;
    match u32::from_le_bytes(*version) {
        version @ 1..=VERSION => Ok(version),
        found if found > VERSION => Err(RecordingError::NewerVersion { found }),
        _ => Err(RecordingError::Invalid {
            what: "version",
            offset: MAGIC.len() as u64,
        }),
    }
}

/// The chunks of a file, one after the other.
struct Chunks<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Chunks<'a> {
    fn next(&mut self) -> Result<Chunk<'a>, RecordingError> {
        let (chunk, end) = next_chunk(self.bytes, self.at)?;
        self.at = end;
        Ok(chunk)
    }

    /// The next chunk if it is of this kind.
    fn next_if(&mut self, kind: Kind) -> Result<Option<Chunk<'a>>, RecordingError> {
        is_next(self.bytes, self.at, kind)
            .then(|| self.next())
            .transpose()
    }

    fn expect(&mut self, kind: Kind) -> Result<Chunk<'a>, RecordingError> {
        let chunk = self.next()?;
        match chunk.kind == kind {
            true => Ok(chunk),
            false => Err(chunk.misplaced()),
        }
    }
}

impl<'a> Chunk<'a> {
    fn reader(&self) -> Reader<'a> {
        Reader::new(self.content, self.begin, self.kind.name())
    }

    /// A reader after the number of the method, which has to be `method`.
    fn reader_of(&self, method: usize) -> Result<Reader<'a>, RecordingError> {
        let mut reader = self.reader();
        match reader.u32()? as usize == method {
            true => Ok(reader),
            false => Err(self.misplaced()),
        }
    }

    fn misplaced(&self) -> RecordingError {
        RecordingError::Invalid {
            what: "order of chunks",
            offset: self.begin,
        }
    }
}
