//! `pliant gf --import`: Green's functions that were computed or measured elsewhere.

use std::path::Path;

use pliant_meshing::io::quoted;
use pliant_quasistatic::QuasistaticParams;
use pliant_quasistatic::foreign::{self, ForeignColumns, gravity_rows, transposed};
use pliant_quasistatic::npy::Array;
use pliant_render::note::Note;
use pliant_simulation::scenes::LoadedScene;
use serde_json::json;

use crate::args::Gf;
use crate::failure::Failure;
use crate::output::{Done, write_whole};
use crate::recording_file::bytes_of;
use crate::session::Session;

/// Reads the columns, reports what they violate, and writes them as Green's functions of the scene's body.
pub fn import(
    session: &Session,
    args: &Gf,
    file: &Path,
    scene: &LoadedScene,
) -> Result<Done, Failure> {
    refuse_materials(scene)?;
    let watch = session.output.watch(&session.progress);
    let setup = session.prepare(scene)?;
    session.progress.stage("reading the columns");
    let count = setup.geometry.skin.vertex_count();
    let vertices = match &args.import_vertices {
        None => (0..count as u32).collect(),
        Some(list) => vertex_numbers(list)?,
    };
    let values = array(file)?;
    let gravity = args.import_gravity.as_deref().map(array).transpose()?;
    let columns = ForeignColumns {
        values: transposed(&values, 3 * vertices.len()),
        vertices,
        gravity: gravity.map(|values| gravity_rows(&values)),
    };
    let params = QuasistaticParams::default();
    let (asset, report) = foreign::import(&setup.geometry, &columns, &params)
        .map_err(|e| Failure::of(&e, Some(file.display().to_string())))?;
    session.progress.check()?;
    if let Some(out) = &args.out {
        session.progress.stage("writing");
        write_whole(out, &asset.to_bytes())?;
    }
    drop(watch);
    let output = &session.output;
    output.line(format!(
        "{} of {} free vertices have columns; {:.3} % antisymmetric, {}, supports move by {:.2} % of the largest displacement",
        report.known,
        report.free,
        100.0 * report.asymmetry,
        match report.positive_definite {
            true => "positive definite".to_string(),
            false => format!("an eigenvalue of {:.1e} of the largest", report.most_negative),
        },
        100.0 * report.held_motion
    ));
    for note in &asset.notes {
        output.line(format!("note: {}", Note::read(note)));
    }
    if let Some(out) = &args.out {
        output.written_to(out);
    }
    Ok(Done::new(json!({
        "generator": "import", "n": count, "free": report.free, "known": report.known,
        "dense_mb": asset.matrix.bytes() as f64 / 1e6,
        "violations": {
            "asymmetry": report.asymmetry, "worst_pair": report.worst_pair,
            "positive_definite": report.positive_definite, "most_negative": report.most_negative,
            "held_motion": report.held_motion, "not_dominant": report.not_dominant,
        },
        "notes": asset.notes, "file": args.out.as_ref().map(|f| f.display().to_string()),
    })))
}

/// Refuses settings of the material and points inside, which imported columns cannot honour.
fn refuse_materials(scene: &LoadedScene) -> Result<(), Failure> {
    let description = &scene.description.body.quasistatic;
    let keys = [
        ("quasistatic.stiffness", !description.stiffness.is_empty()),
        ("quasistatic.fibres", description.fibres.is_some()),
        ("quasistatic.inside", !description.inside.is_empty()),
    ];
    match keys.into_iter().find(|(_, given)| *given) {
        Some((key, _)) => Err(Failure::bad_input(
            "ColumnsOnly",
            format!("`{key}` cannot be honoured with columns that were computed elsewhere"),
            format!("leave `{key}` out, or let `pliant gf` compute the columns"),
        )),
        None => Ok(()),
    }
}

fn array(file: &Path) -> Result<Vec<f64>, Failure> {
    let place = file.display().to_string();
    let array = Array::from_bytes(&bytes_of(file)?)
        .map_err(|e| Failure::from_text("NpyFormat", &format!("{place}: {e}"), Some(place)))?;
    Ok(array.values)
}

/// Whole numbers between commas, blanks and ends of lines.
fn vertex_numbers(file: &Path) -> Result<Vec<u32>, Failure> {
    let bytes = bytes_of(file)?;
    let text = String::from_utf8_lossy(&bytes);
    let mut numbers = Vec::new();
    for (line, text) in text.lines().enumerate() {
        let words = text.split(|c: char| c == ',' || c.is_whitespace());
        for word in words.filter(|w| !w.is_empty()) {
            let number = word.parse().map_err(|_| {
                let place = format!("{}: line {}", file.display(), line + 1);
                Failure::bad_input(
                    "BadVertexList",
                    format!("{place}: {} is not a vertex", quoted(word.as_bytes())),
                    "write whole numbers, one a line or with commas between them",
                )
                .at(place)
            })?;
            numbers.push(number);
        }
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use pliant_fuzzing::{Limits, Plan, Target, fuzz};

    use super::*;

    /// The list of `--import-vertices`, in a folder.
    struct Vertices(tempfile::TempDir);

    impl Target for Vertices {
        fn name(&self) -> &str {
            "vertices"
        }

        fn files(&self) -> Vec<Vec<u8>> {
            let lists: [&[u8]; 3] = [b"3, 4\n\n17\n", b"0\r\n12\r\n405\r\n", b"7\t8,9"];
            lists.map(<[u8]>::to_vec).into()
        }

        fn tokens(&self) -> &[&[u8]] {
            &[b",", b"\n", b"4294967296", b"-1", b"1e3", b"\0", b"\x1b[2J"]
        }

        fn check(&self, bytes: &[u8]) -> Option<String> {
            let file = self.0.path().join("list.txt");
            std::fs::write(&file, bytes).expect("written");
            let text = |error: Failure| format!("{}\n  remedy: {}", error.message, error.hint);
            let read = |_: &[u8]| vertex_numbers(&file).map_err(text);
            Limits::default().complaint(bytes, read, |numbers| {
                let is_sound = 2 * numbers.len() <= bytes.len() + 1;
                (!is_sound).then(|| format!("gave {} numbers", numbers.len()))
            })
        }
    }

    #[test]
    fn no_damaged_list_of_vertices_breaks_the_reader() {
        let target = Vertices(tempfile::tempdir().expect("a folder"));
        for bytes in target.files() {
            assert_eq!(target.check(&bytes), None);
        }
        fuzz(&target, &Plan::from_environment(), &std::env::temp_dir());
    }

    #[test]
    fn lists_of_vertices_name_the_line_that_is_wrong() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("list.csv");
        std::fs::write(&file, "3, 4\n\n17\n").expect("written");
        assert_eq!(vertex_numbers(&file).expect("numbers"), [3, 4, 17]);
        std::fs::write(&file, "3\nx").expect("written");
        let error = vertex_numbers(&file).expect_err("no number");
        assert_eq!(error.code, "BadVertexList");
        assert!(error.message.contains("line 2"), "{}", error.message);
        assert_eq!(array(&file).expect_err("no array").code, "NpyFormat");
        assert_eq!(
            array(folder.path()).expect_err("a folder").code,
            "Unreadable"
        );
    }
}
