//! Pictures, plots and the comparison report on a machine without a graphics library.
//!
//! Everything here runs on the CPU and gives the same bytes for any number of threads; the viewer shares the camera,
//! the colours and the lighting, so a picture in a report looks like the window.
//!
//! The flow, from a simulated frame to a page:
//!
//! 1. [`camera::OrbitCamera`] looks at a body ([`camera::OrbitCamera::fit`] frames it).
//! 2. [`picture::draw_scene`] draws [`picture::BodyView`]s and [`glyph::ToolGlyph`]s into a [`canvas::Canvas`]
//!    ([`raster`] fills triangles, [`shade`] and [`shadow`] light them, [`ground`] adds the floor).
//! 3. [`canvas::Canvas::write_png`] stores it; [`panel::side_by_side`] joins several under titles.
//! 4. [`plot::Plot::svg`] turns curves into SVG text.
//! 5. [`report::html`] puts pictures, curves and tables into one self-contained file.
//!
//! Conventions: world coordinates in metres, y up; colours in arguments are sRGB-encoded 0 to 1 (what a person writes),
//! colours inside a canvas are linear light.

pub mod camera;
pub mod canvas;
pub mod colormap;
pub mod crease;
pub mod glyph;
pub mod ground;
pub mod markup;
pub mod panel;
pub mod picture;
pub mod plot;
pub mod projection;
pub mod raster;
pub mod report;
pub mod shade;
pub mod shadow;
pub mod strokes;
pub mod text;
pub mod ticks;

pub use camera::OrbitCamera;
pub use canvas::{Canvas, PictureError};
pub use colormap::ColorMap;
pub use glyph::ToolGlyph;
pub use panel::{Panel, side_by_side};
pub use picture::{BodyView, PictureOptions, ToolView, draw_scene};
pub use plot::{Plot, Series};
pub use report::{Report, html};
