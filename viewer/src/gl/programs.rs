//! All shader programs.

use eframe::glow;

use crate::gl::program::{GlError, Program};

/// Where the vertices of a skin come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VertexSource {
    /// They were uploaded.
    Vertices,
    /// The shader computes them from control points in a texture.
    Texture,
    /// The shader computes them from control points in a uniform block.
    Batch,
}

impl VertexSource {
    /// Text of the shader's function `skin_vertex`.
    pub fn skinning(self) -> &'static str {
        match self {
            Self::Vertices => include_str!("shaders/skinning/from_vertices.glsl"),
            Self::Texture => include_str!("shaders/skinning/from_texture.glsl"),
            Self::Batch => include_str!("shaders/skinning/from_batch.glsl"),
        }
    }
}

/// The shader programs that draw a skin.
pub struct SkinPrograms {
    /// Lit, with hard-edged shadows.
    pub hard: Program,
    /// Lit, with soft-edged shadows.
    pub soft: Program,
    /// Edges.
    pub line: Program,
    /// The shadow on the floor.
    pub shadow: Program,
    /// Depth seen from the light.
    pub depth: Program,
}

impl SkinPrograms {
    /// Compiles all of them.
    pub fn new(gl: &glow::Context, source: VertexSource) -> Result<Self, GlError> {
        let program = |name, vertex: &str, fragment: &str| {
            let vertex = format!("{}{vertex}", source.skinning());
            Program::new(gl, name, &vertex, fragment, &[])
        };
        let (vertex, fragment) = (
            include_str!("shaders/skin/skin.vert"),
            include_str!("shaders/skin/skin.frag"),
        );
        let soft = format!("#define SOFT\n{fragment}");
        Ok(Self {
            hard: program("the shader of skins", vertex, fragment)?,
            soft: program("the shader of skins", vertex, &soft)?,
            line: program(
                "the shader of lines",
                include_str!("shaders/skin/line.vert"),
                include_str!("shaders/skin/line.frag"),
            )?,
            shadow: program(
                "the shader of shadows",
                include_str!("shaders/skin/shadow.vert"),
                include_str!("shaders/skin/shadow.frag"),
            )?,
            depth: program(
                "the shader of depth",
                include_str!("shaders/skin/depth.vert"),
                include_str!("shaders/skin/depth.frag"),
            )?,
        })
    }
}

/// The shader programs by what they draw.
pub struct Programs {
    /// Skins and tools that were uploaded.
    pub uploaded: SkinPrograms,
    /// Skins by control points in a texture, compiled when they are first needed.
    texture: Option<SkinPrograms>,
    /// Skins by control points in uniform blocks, compiled when they are first needed.
    batch: Option<SkinPrograms>,
    /// The floor.
    pub floor: Program,
    /// What is behind everything.
    pub backdrop: Program,
    /// Shadows on the floor, turned into a share of light.
    pub combine: Program,
    /// A finished pane.
    pub present: Program,
}

impl Programs {
    /// Compiles what every scene needs.
    ///
    /// # Errors
    /// [`GlError`] when the context is older than OpenGL 3.3 or WebGL 2.
    pub fn new(gl: &glow::Context) -> Result<Self, GlError> {
        let screen_vertex = include_str!("shaders/screen/screen.vert");
        let program = |name, vertex, fragment| Program::new(gl, name, vertex, fragment, &[]);
        Ok(Self {
            uploaded: SkinPrograms::new(gl, VertexSource::Vertices)?,
            texture: None,
            batch: None,
            floor: program(
                "the shader of the floor",
                include_str!("shaders/screen/floor.vert"),
                include_str!("shaders/screen/floor.frag"),
            )?,
            backdrop: program(
                "the shader of the backdrop",
                screen_vertex,
                include_str!("shaders/screen/backdrop.frag"),
            )?,
            combine: program(
                "the shader of light",
                screen_vertex,
                include_str!("shaders/screen/combine.frag"),
            )?,
            present: program(
                "the shader of panes",
                screen_vertex,
                include_str!("shaders/screen/present.frag"),
            )?,
        })
    }

    /// Compiles the programs for a source unless that was done before.
    pub fn prepare(&mut self, gl: &glow::Context, source: VertexSource) -> Result<(), GlError> {
        let slot = match source {
            VertexSource::Vertices => return Ok(()),
            VertexSource::Texture => &mut self.texture,
            VertexSource::Batch => &mut self.batch,
        };
        if slot.is_none() {
            *slot = Some(SkinPrograms::new(gl, source)?);
        }
        Ok(())
    }

    /// The programs for a source; those for uploaded skins where [`Self::prepare`] was not called.
    pub fn for_source(&self, source: VertexSource) -> &SkinPrograms {
        let found = match source {
            VertexSource::Vertices => None,
            VertexSource::Texture => self.texture.as_ref(),
            VertexSource::Batch => self.batch.as_ref(),
        };
        found.unwrap_or(&self.uploaded)
    }
}
