//! Figures of the book: some of those that `cargo xtask figures METHOD quick` draws, and a chart of the table of accuracy.

use std::path::Path;

use super::image::Image;
use crate::figures;
use crate::step::files::{read_bytes, write};
use crate::step::{Outcome, root};
use crate::tables::accuracy;

/// Methods with figures in their chapters, with the file of each figure and its name in `docs/pictures`.
const FIGURES: [(&str, &[[&str; 2]]); 3] = [
    (
        "adaptive",
        &[
            ["figure-5a.svg", "adaptive-swing.svg"],
            ["figure-6.png", "adaptive-strain.png"],
        ],
    ),
    (
        "quasistatic",
        &[
            ["figure-1.5.svg", "quasistatic-point.svg"],
            ["figure-1.7.svg", "quasistatic-masks.svg"],
            ["octahedron.png", "quasistatic-squeezed.png"],
        ],
    ),
    (
        "lattice",
        &[
            ["figure-2.png", "lattice-regions.png"],
            ["figure-3.png", "lattice-matching.png"],
        ],
    ),
];

/// Draws the figures and copies them to `docs/pictures`. This takes some minutes.
pub fn make() -> Outcome {
    let docs = root().join("docs/pictures");
    for (method, files) in FIGURES {
        let folder = figures::draw_examples(method, true)?;
        for [file, name] in files {
            copy_figure(&folder.join(file), &docs.join(name))?;
        }
    }
    accuracy::draw()
}

/// Copies a figure. PNG files are reduced to 255 colours.
fn copy_figure(from: &Path, to: &Path) -> Outcome {
    let bytes = match from.extension() {
        Some(end) if end == "png" => Image::read(from)?.small_png()?,
        _ => read_bytes(from)?,
    };
    write(to, &bytes)?;
    println!("{}: {} kB", to.display(), bytes.len().div_ceil(1000));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_picture_of_the_documents_is_shown() {
        let docs = root().join("docs");
        let mut pages = std::fs::read_to_string(root().join("README.md")).expect("readme");
        pages += &std::fs::read_to_string(root().join("python/README.md")).expect("tutorial");
        for entry in std::fs::read_dir(docs.join("book")).expect("chapters") {
            pages += &std::fs::read_to_string(entry.expect("entry").path()).expect("chapter");
        }
        for entry in std::fs::read_dir(docs.join("pictures")).expect("pictures") {
            let name = entry.expect("entry").file_name();
            let name = name.to_string_lossy();
            let shown = format!("pictures/{name})");
            assert!(pages.contains(&shown), "no page shows {name}");
        }
    }
}
