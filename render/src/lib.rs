//! Pictures, plots and the comparison report, without a graphics library.
//!
//! Everything here runs on the processor and gives the same bytes for any number of threads. The window uses the same camera,
//! colours and lighting, so that a picture in a report looks like the window. [`draw_scene`] says what a picture costs.
//!
//! | module | is for |
//! |---|---|
//! | [`camera`] | the orbit camera |
//! | [`color`] | colour maps, one colour for each method, sRGB |
//! | [`numbers`] | round steps, units, numbers as text |
//! | [`note`] | notes of models, worded for users |
//! | [`surface`] | skins with sharp edges, tools as triangles |
//! | `raster` | rasterisation of triangles and text into a [`Canvas`] |
//! | [`lighting`] | the lighting model and the shadows |
//! | [`picture`] | bodies and tools on a floor; several pictures side by side |
//! | [`plot`] | curves as SVG text |
//! | [`report`] | the HTML page |
//!
//! From a simulated frame to a page:
//!
//! 1. [`OrbitCamera`] looks at a body ([`OrbitCamera::fit`] chooses its distance).
//! 2. [`draw_scene`] draws [`BodyView`]s and [`ToolView`]s into a [`Canvas`].
//! 3. [`Canvas::write_png`] stores it; [`titled`](picture::titled) joins several under titles.
//! 4. [`Plot::svg`] turns curves into SVG text.
//! 5. [`html`] puts pictures, curves and tables into one self-contained file.
//!
//! Conventions: world coordinates in metres, y up. Colours in arguments are sRGB code values from 0 to 1;
//! colours inside a canvas are linear light.
//!
//! ```
//! use pliant_core::math::Vec3;
//! use pliant_core::mesh::SurfaceFrame;
//! use pliant_core::mesh::procedural::{CellStyle, box_surface};
//! use pliant_render::{BodyView, OrbitCamera, PictureOptions, draw_scene};
//!
//! let cube = box_surface(Vec3::repeat(0.1), [1; 3], CellStyle::Kuhn);
//! let mut frame = SurfaceFrame::default();
//! frame.set(&cube, |v| cube.positions[v]);
//! let mut camera = OrbitCamera::default();
//! camera.fit(&cube.bounds(), 1.0);
//! let red = BodyView { surface: &cube, frame: &frame, colors: None, base_color: [0.8, 0.1, 0.1] };
//! let options = PictureOptions { width: 32, height: 32, supersample: 1, ..Default::default() };
//! let pixels = draw_scene(&camera, &[red], &[], &options).to_rgb8();
//! // the camera looks at the cube: the pixel in the middle is red, the one in the corner is backdrop
//! let [middle, corner] = [3 * (16 * 32 + 16), 0].map(|at| [pixels[at], pixels[at + 2]]);
//! assert!(middle[0] > 2 * middle[1] && corner[0] <= corner[1], "{middle:?} {corner:?}");
//! ```
//!
//! Needs Rust 1.95 or newer. There are no feature flags.

pub mod camera;
pub mod color;
pub mod lighting;
mod markup;
pub mod note;
pub mod numbers;
pub mod picture;
pub mod plot;
mod raster;
pub mod report;
pub mod surface;

pub use camera::OrbitCamera;
pub use color::{ColorMap, method_color};
pub use picture::{BodyView, PictureOptions, ToolView, draw_scene};
pub use plot::{Mark, MarkShape, MarkStyle, Plot, Series};
pub use raster::{Canvas, PictureError};
pub use report::{Report, html};
