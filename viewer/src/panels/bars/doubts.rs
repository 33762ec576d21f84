//! What a scene's notes say against its results, in one short line: forces that may be off, and a mesh that was changed.

use pliant_core::math::numbers::counted;
use pliant_render::note::Note;
use pliant_render::numbers::grouped;

/// Changes that are named; the others are counted.
const NAMED: usize = 3;

/// Notes of a repair after which the body has the shape that the file has.
const HARMLESS: [&str; 4] = [
    "at the position of another: joined",
    "without a triangle: dropped",
    "crosses itself",
    "any of its shells encloses",
];

/// A line, and the whole notes behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// The line.
    pub line: String,
    /// The notes, one below the other.
    pub notes: String,
}

/// What `notes` of a scene say; `None` where nothing is doubtful.
pub fn of(notes: &[String]) -> Option<Doubt> {
    let coarse: Vec<&str> = found(notes, |note| note.starts_with("SkinTooCoarse"));
    let repairs: Vec<&str> = found(notes, |note| {
        repair(note).is_some_and(|step| !HARMLESS.iter().any(|end| step.contains(end)))
    });
    let parts = [off(&coarse), changed(&repairs)];
    let line = parts
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("  ·  ");
    let whole = coarse.iter().chain(&repairs).map(|note| {
        let note = Note::read(note);
        note.sentence.replace("\n  ", "; ")
    });
    let notes = whole.collect::<Vec<_>>().join("\n");
    (!line.is_empty()).then_some(Doubt { line, notes })
}

fn found(notes: &[String], counts: impl Fn(&str) -> bool) -> Vec<&str> {
    let notes = notes.iter().map(String::as_str);
    notes.filter(|note| counts(note)).collect()
}

/// What was repaired, of a body of any kind: further kinds have their name before it.
fn repair(note: &str) -> Option<&str> {
    match note.strip_prefix("repair: ") {
        Some(step) => Some(step),
        None => note.split_once(": repair: ").map(|(_, step)| step),
    }
}

/// Whose forces may be off.
fn off(coarse: &[&str]) -> Option<String> {
    let first = coarse.first()?;
    let name = first.split('`').nth(1).unwrap_or("a tool");
    let others = match coarse.len() - 1 {
        0 => String::new(),
        more => format!(" and {}", counted(more, "more tool")),
    };
    Some(format!(
        "Forces on {name}{others} may be off: the skin is too coarse there"
    ))
}

/// How the mesh was changed.
fn changed(repairs: &[&str]) -> Option<String> {
    let steps: Vec<String> = repairs
        .iter()
        .filter_map(|n| repair(n))
        .map(short)
        .collect();
    let named = steps.get(..NAMED).unwrap_or(&steps).join(", ");
    let more = match steps.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(", and {}", counted(more, "more change")),
    };
    (!steps.is_empty()).then(|| format!("The mesh was changed: {named}{more}"))
}

/// A step of a repair without its circumstances: how many of what, and what became of them.
fn short(step: &str) -> String {
    let mut words = step.split(' ');
    if let (Some(Ok(count)), Some(thing)) = (words.next().map(str::parse::<usize>), words.next())
        && let Some((_, done)) = step.split_once(": ")
    {
        let done = match done.split(' ').next().unwrap_or(done) {
            // a corner of an edge
            "made" => "inserted",
            word => word,
        };
        return format!("{} {thing} {done}", grouped(count));
    }
    let ends = [" near ", " that ", " around ", " with ", ": ", ", "];
    let end = ends.iter().filter_map(|end| step.find(end)).min();
    let begin = &step[..end.unwrap_or(step.len())];
    match step.contains("closed") && !begin.contains("closed") {
        true => format!("{begin} closed"),
        false => begin.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(notes: &[&str]) -> Option<String> {
        let notes: Vec<String> = notes.iter().map(|n| n.to_string()).collect();
        of(&notes).map(|doubt| doubt.line)
    }

    #[test]
    fn a_changed_mesh_is_told_in_one_line_and_a_tidied_one_is_not() {
        let joined = "repair: 441 vertices at the position of another: joined with it";
        let unused = "repair: 441 vertices without a triangle: dropped";
        assert_eq!(
            line(&[joined, unused, "reading: colours are left out"]),
            None
        );
        let walls = "repair: 1600 faces of walls with two sides, which bound nothing: dropped";
        assert_eq!(
            line(&[joined, walls]).as_deref(),
            Some("The mesh was changed: 1,600 faces dropped")
        );
        let hole = "repair: a hole of 12 edges near (0.1, 0, 2), 0.03 across, was closed with 0.001 of new area";
        let wrap = "rabbit: repair: the surface was replaced by a wrap that moved it by at most 0.01 (1.00 % of the diagonal), lost 1.0 % of its area and added 0.0 %";
        let turned = "repair: 8 faces turned to agree with neighbours";
        let many = "repair: 5 more holes were closed with 0.2 of new area";
        assert_eq!(
            line(&[hole, wrap, turned, many]).as_deref(),
            Some(
                "The mesh was changed: a hole of 12 edges closed, the surface was replaced by a wrap, 8 faces turned to agree, and 1 more change"
            )
        );
    }

    #[test]
    fn forces_that_may_be_off_come_first_and_the_whole_notes_stand_behind() {
        let note = "SkinTooCoarse: the skin is too coarse for `ball`: its edges are 28.5 mm there\n  remedy: mesh.edge = 0.011 or less".to_string();
        let other = note.replace("ball", "rod");
        let walls = "repair: 2 faces without area: dropped".to_string();
        let doubt = of(&[walls, note.clone()]).expect("doubtful");
        assert_eq!(
            doubt.line,
            "Forces on ball may be off: the skin is too coarse there  ·  The mesh was changed: 2 faces dropped"
        );
        assert!(
            doubt.notes.starts_with(
                "the skin is too coarse for `ball`: its edges are 28.5 mm there; remedy"
            ),
            "{}",
            doubt.notes
        );
        assert!(
            doubt
                .notes
                .ends_with("\nrepair: 2 faces without area: dropped")
        );
        let two = of(&[note, other]).expect("doubtful").line;
        assert!(
            two.starts_with("Forces on ball and 1 more tool may be off"),
            "{two}"
        );
    }
}
