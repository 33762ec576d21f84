//! Offscreen pictures: colour, depth, and one or several samples for each pixel.

// Calls into the graphics driver; handles come from the same context.
#![allow(unsafe_code)]

use eframe::glow::{self, HasContext as _};

use crate::gl::program::{GlError, refused};

/// An offscreen picture of fixed size.
pub struct Target {
    size: [i32; 2],
    samples: i32,
    /// what is drawn into; the same as `resolved` with one sample
    drawn: glow::Framebuffer,
    resolved: glow::Framebuffer,
    color: glow::Texture,
    buffers: Vec<glow::Renderbuffer>,
}

impl Target {
    /// A picture of `size` pixels with `samples` samples each (1, or what the driver multisamples).
    pub fn new(gl: &glow::Context, size: [i32; 2], samples: i32) -> Result<Self, GlError> {
        // SAFETY: all objects are made here by this context
        unsafe {
            let color = color_texture(gl, size, glow::LINEAR)?;
            let resolved = framebuffer(gl, glow::COLOR_ATTACHMENT0, color)?;
            let mut buffers = Vec::new();
            let drawn = if samples > 1 {
                let drawn = gl.create_framebuffer().map_err(refused("a framebuffer"))?;
                gl.bind_framebuffer(glow::FRAMEBUFFER, Some(drawn));
                let format = (glow::RGBA8, glow::COLOR_ATTACHMENT0);
                buffers.push(attach_buffer(gl, size, samples, format)?);
                drawn
            } else {
                resolved
            };
            let format = (glow::DEPTH_COMPONENT24, glow::DEPTH_ATTACHMENT);
            buffers.push(attach_buffer(gl, size, samples, format)?);
            check_complete(gl)?;
            Ok(Self {
                size,
                samples,
                drawn,
                resolved,
                color,
                buffers,
            })
        }
    }

    /// Whether the picture has this size and number of samples.
    pub fn matches(&self, size: [i32; 2], samples: i32) -> bool {
        self.size == size && self.samples == samples
    }

    /// Binds the picture for drawing and clears its depth.
    pub fn begin(&self, gl: &glow::Context) {
        // SAFETY: the framebuffer is complete
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.drawn));
            gl.viewport(0, 0, self.size[0], self.size[1]);
            gl.disable(glow::SCISSOR_TEST);
            gl.depth_mask(true);
            gl.clear_depth_f32(1.0);
            gl.clear(glow::DEPTH_BUFFER_BIT);
        }
    }

    /// Makes what was drawn readable as [`Self::color`].
    pub fn finish(&self, gl: &glow::Context) {
        if self.drawn == self.resolved {
            return;
        }
        let [w, h] = self.size;
        // SAFETY: both framebuffers are complete and have the same size
        unsafe {
            gl.bind_framebuffer(glow::READ_FRAMEBUFFER, Some(self.drawn));
            gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(self.resolved));
            let (mask, filter) = (glow::COLOR_BUFFER_BIT, glow::NEAREST);
            gl.blit_framebuffer(0, 0, w, h, 0, 0, w, h, mask, filter);
        }
    }

    /// The picture.
    pub fn color(&self) -> glow::Texture {
        self.color
    }

    /// The picture's pixels, red, green, blue and alpha from the lower left corner. Slow: waits for the device.
    pub fn pixels(&self, gl: &glow::Context) -> Vec<u8> {
        let [w, h] = self.size;
        let mut pixels = vec![0; (4 * w * h) as usize];
        // SAFETY: the framebuffer is complete and the memory as large as the picture
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.resolved));
            let memory = glow::PixelPackData::Slice(Some(&mut pixels));
            gl.read_pixels(0, 0, w, h, glow::RGBA, glow::UNSIGNED_BYTE, memory);
        }
        pixels
    }

    /// Deletes all objects on the device.
    pub fn delete(&self, gl: &glow::Context) {
        // SAFETY: all belong to this context and are not used again
        unsafe {
            gl.delete_framebuffer(self.resolved);
            if self.drawn != self.resolved {
                gl.delete_framebuffer(self.drawn);
            }
            gl.delete_texture(self.color);
            for buffer in &self.buffers {
                gl.delete_renderbuffer(*buffer);
            }
        }
    }
}

/// A texture of eight bits a channel without content.
pub fn color_texture(
    gl: &glow::Context,
    size: [i32; 2],
    filter: u32,
) -> Result<glow::Texture, GlError> {
    let format = [glow::RGBA8, glow::RGBA, glow::UNSIGNED_BYTE];
    texture(gl, size, filter, format)
}

/// A texture without content; `format` is (internal format, pixel format, component type).
pub fn texture(
    gl: &glow::Context,
    size: [i32; 2],
    filter: u32,
    format: [u32; 3],
) -> Result<glow::Texture, GlError> {
    // SAFETY: the texture is made here; no pixels are read from memory
    unsafe {
        let texture = gl.create_texture().map_err(refused("a texture"))?;
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        gl.tex_image_2d(
            glow::TEXTURE_2D,
            0,
            format[0] as i32,
            size[0],
            size[1],
            0,
            format[1],
            format[2],
            glow::PixelUnpackData::Slice(None),
        );
        let magnified = if filter == glow::LINEAR_MIPMAP_LINEAR {
            glow::LINEAR
        } else {
            filter
        };
        for (name, value) in [
            (glow::TEXTURE_MIN_FILTER, filter),
            (glow::TEXTURE_MAG_FILTER, magnified),
            (glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE),
            (glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE),
        ] {
            gl.tex_parameter_i32(glow::TEXTURE_2D, name, value as i32);
        }
        gl.bind_texture(glow::TEXTURE_2D, None);
        Ok(texture)
    }
}

/// A framebuffer with `texture` attached at `attachment`. It is left bound.
pub fn framebuffer(
    gl: &glow::Context,
    attachment: u32,
    texture: glow::Texture,
) -> Result<glow::Framebuffer, GlError> {
    // SAFETY: the framebuffer is made here; the texture belongs to this context
    unsafe {
        let made = gl.create_framebuffer().map_err(refused("a framebuffer"))?;
        gl.bind_framebuffer(glow::FRAMEBUFFER, Some(made));
        let target = glow::FRAMEBUFFER;
        gl.framebuffer_texture_2d(target, attachment, glow::TEXTURE_2D, Some(texture), 0);
        Ok(made)
    }
}

/// Refuses a framebuffer that cannot be drawn into.
pub fn check_complete(gl: &glow::Context) -> Result<(), GlError> {
    // SAFETY: asks about the bound framebuffer
    let status = unsafe { gl.check_framebuffer_status(glow::FRAMEBUFFER) };
    if status == glow::FRAMEBUFFER_COMPLETE {
        Ok(())
    } else {
        Err(refused("an offscreen picture")(format!(
            "status 0x{status:x}"
        )))
    }
}

/// Attaches a new renderbuffer of a format to the bound framebuffer.
///
/// # Safety
/// The context of `gl` is current in this thread, and a framebuffer of it is bound.
unsafe fn attach_buffer(
    gl: &glow::Context,
    size: [i32; 2],
    samples: i32,
    (format, attachment): (u32, u32),
) -> Result<glow::Renderbuffer, GlError> {
    // SAFETY: the caller has bound a framebuffer of this context
    unsafe {
        let buffer = gl
            .create_renderbuffer()
            .map_err(refused("a renderbuffer"))?;
        let target = glow::RENDERBUFFER;
        gl.bind_renderbuffer(target, Some(buffer));
        if samples > 1 {
            gl.renderbuffer_storage_multisample(target, samples, format, size[0], size[1]);
        } else {
            gl.renderbuffer_storage(target, format, size[0], size[1]);
        }
        gl.framebuffer_renderbuffer(glow::FRAMEBUFFER, attachment, target, Some(buffer));
        gl.bind_renderbuffer(target, None);
        Ok(buffer)
    }
}
