//! All shader programs.

use eframe::glow;

use crate::gl::program::{GlError, Program};

/// The shader programs by what they draw.
pub struct Programs {
    /// Skins and tools, with hard-edged shadows.
    pub skin: Program,
    /// Skins and tools, with soft-edged shadows.
    pub skin_soft: Program,
    /// Edges.
    pub line: Program,
    /// The floor.
    pub floor: Program,
    /// What is behind everything.
    pub backdrop: Program,
    /// The skin thrown onto the floor.
    pub shadow: Program,
    /// That, turned into light.
    pub combine: Program,
    /// Depth seen from the light.
    pub depth: Program,
    /// A finished pane.
    pub present: Program,
}

impl Programs {
    /// Compiles all of them.
    ///
    /// # Errors
    /// [`GlError::Refused`] when the context is older than OpenGL 3.3 or WebGL 2.
    pub fn new(gl: &glow::Context) -> Result<Self, GlError> {
        let skin_fragment = include_str!("shaders/skin.frag");
        let screen_vertex = include_str!("shaders/screen.vert");
        let skin_vertex = include_str!("shaders/skin.vert");
        let soft_fragment = format!("#define SOFT\n{skin_fragment}");
        let program = |name, vertex, fragment| Program::new(gl, name, vertex, fragment);
        Ok(Self {
            skin: program("the shader of skins", skin_vertex, skin_fragment)?,
            skin_soft: program("the shader of skins", skin_vertex, &soft_fragment)?,
            line: program(
                "the shader of lines",
                include_str!("shaders/line.vert"),
                include_str!("shaders/line.frag"),
            )?,
            floor: program(
                "the shader of the floor",
                include_str!("shaders/floor.vert"),
                include_str!("shaders/floor.frag"),
            )?,
            backdrop: program(
                "the shader of the backdrop",
                screen_vertex,
                include_str!("shaders/backdrop.frag"),
            )?,
            shadow: program(
                "the shader of shadows",
                include_str!("shaders/shadow.vert"),
                include_str!("shaders/shadow.frag"),
            )?,
            combine: program(
                "the shader of light",
                screen_vertex,
                include_str!("shaders/combine.frag"),
            )?,
            depth: program(
                "the shader of depth",
                include_str!("shaders/depth.vert"),
                include_str!("shaders/depth.frag"),
            )?,
            present: program(
                "the shader of panes",
                screen_vertex,
                include_str!("shaders/present.frag"),
            )?,
        })
    }

    /// Gives all of them back to the driver.
    pub fn delete(&self, gl: &glow::Context) {
        for program in [
            &self.skin,
            &self.skin_soft,
            &self.line,
            &self.floor,
            &self.backdrop,
            &self.shadow,
            &self.combine,
            &self.depth,
            &self.present,
        ] {
            program.delete(gl);
        }
    }
}
