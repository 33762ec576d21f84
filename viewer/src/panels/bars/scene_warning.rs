//! Warnings about the results of a scene, in one short line: forces that may be wrong, bodies that overlap, and a mesh that was changed.

use pliant_core::diagnostics::capitalised;
use pliant_core::math::numbers::counted;
use pliant_core::scene::Method;
use pliant_render::note::Note;
use pliant_render::numbers::grouped;
use pliant_simulation::setup::{NoteSubject, RepairStep, SceneNote, Setup};

/// Most changes that are named. The others are counted.
const MAX_NAMED_CHANGES: usize = 3;

/// Repairs that change the shape of the body: code, what was changed, and how.
const CHANGES: [(&str, &str, &str); 13] = [
    ("DroppedWalls", "face", "dropped"),
    ("DroppedDegenerate", "face", "dropped"),
    ("DroppedDuplicate", "face", "dropped"),
    ("DroppedFins", "face", "dropped"),
    ("ClosedHole", "hole", "closed"),
    ("WeldedNear", "vertex", "joined"),
    ("InsertedInEdges", "vertex", "inserted"),
    ("SplitPinches", "vertex", "split"),
    ("FlippedFaces", "face", "turned"),
    ("TurnedComponents", "component", "turned"),
    ("RemovedFlat", "diagonal", "turned"),
    ("Thickened", "", "walls made around the surface"),
    (WRAPPED, "", "the surface replaced by a wrap"),
];
/// The repair that is named first, because it moves the whole surface.
const WRAPPED: &str = "Wrapped";

/// A warning in a line, with the full notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SceneWarning {
    /// The line.
    pub line: String,
    /// The notes, one below the other.
    pub notes: String,
}

/// The warning about the results of a scene; `None` where there is no reason for one.
pub fn scene_warning(setup: &Setup) -> Option<SceneWarning> {
    let warnings = setup.notes.iter().filter(|note| note.is_warning);
    let (coarse, others): (Vec<&SceneNote>, Vec<&SceneNote>) =
        warnings.partition(|note| note.code() == Some("SkinTooCoarse"));
    let (steps, changes) = changes(&setup.repairs);
    let whole = whole_text(setup);
    let parts = [
        coarse_skin_text(&coarse),
        others_text(&others),
        whole.clone(),
        changes_text(&changes),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let sentence = |n: &&SceneNote| Note::read(&n.text).sentence.replace("\n  ", "; ");
    let notes = coarse.iter().chain(&others).map(sentence);
    let all: Vec<String> = notes.chain(whole).chain(steps).collect();
    (!parts.is_empty()).then(|| SceneWarning {
        line: parts.join("  ·  "),
        notes: all.join("\n"),
    })
}

/// Names the tools and grabs whose forces may be wrong because the skin is too coarse.
fn coarse_skin_text(coarse: &[&SceneNote]) -> Option<String> {
    // a tool has a note for each kind of bodies that stand on it
    let names = coarse.iter().filter_map(|note| match &note.subject {
        NoteSubject::Tool(name) | NoteSubject::Grab(name) => Some(name.as_str()),
        _ => None,
    });
    let is_grab = |note: &&SceneNote| matches!(note.subject, NoteSubject::Grab(_));
    let has_grabs = coarse.iter().any(is_grab);
    let mut names: Vec<&str> = names.collect();
    let name = *names.first()?;
    names.sort();
    names.dedup();
    let others = match names.len() - 1 {
        0 => String::new(),
        more if has_grabs => format!(" and {more} more"),
        more => format!(" and {}", counted(more, "more tool")),
    };
    Some(format!(
        "Forces on {name}{others} may be off: the skin is too coarse there"
    ))
}

/// What the first of the other warnings says, without its explanation and its remedy, and how many more there are.
fn others_text(others: &[&SceneNote]) -> Option<String> {
    let sentence = Note::read(&others.first()?.text).sentence;
    let message = sentence.split('\n').next().unwrap_or_default();
    // names are in backticks and may have colons
    let is_outside = |at: &usize| message[..*at].matches('`').count().is_multiple_of(2);
    let mut colons = message.match_indices(": ").map(|(at, _)| at);
    let end = colons.find(is_outside).unwrap_or(message.len());
    let mut line = capitalised(&message[..end]);
    if others.len() > 1 {
        let more = counted(others.len() - 1, "more warning");
        line.push_str(&format!(", and {more}"));
    }
    Some(line)
}

/// That one of the methods does not cut, where the scene has a blade.
fn whole_text(setup: &Setup) -> Option<String> {
    let methods = &setup.description.methods;
    let is_shown = setup.has_blades() && methods.contains(&Method::Quasistatic);
    is_shown.then(|| "The quasistatic body stays whole when it is cut".to_string())
}

/// The sentences of the repairs that changed the shape, and short texts of the changes. Equal changes are summed.
fn changes(repairs: &[RepairStep]) -> (Vec<String>, Vec<String>) {
    let mut sums: Vec<(&str, &str, usize)> = Vec::new();
    let mut sentences = Vec::new();
    for step in repairs {
        let known = CHANGES.iter().find(|(code, ..)| *code == step.code);
        let Some(&(code, thing, done)) = known else {
            continue;
        };
        match sums.iter_mut().find(|s| (s.0, s.1) == (thing, done)) {
            Some(sum) => sum.2 += step.count,
            None if code == WRAPPED => sums.insert(0, (thing, done, step.count)),
            None => sums.push((thing, done, step.count)),
        }
        sentences.push(step.message.clone());
    }
    let short = sums.into_iter().map(|(thing, done, count)| match thing {
        "" => done.to_string(),
        "vertex" if count > 1 => format!("{} vertices {done}", grouped(count)),
        thing if count > 1 => format!("{} {thing}s {done}", grouped(count)),
        thing => format!("1 {thing} {done}"),
    });
    (sentences, short.collect())
}

/// Lists the changes of the mesh.
fn changes_text(changes: &[String]) -> Option<String> {
    let named = changes
        .get(..MAX_NAMED_CHANGES)
        .unwrap_or(changes)
        .join(", ");
    let more = match changes.len().saturating_sub(MAX_NAMED_CHANGES) {
        0 => String::new(),
        more => format!(", and {}", counted(more, "more change")),
    };
    (!changes.is_empty()).then(|| format!("The mesh was changed: {named}{more}"))
}

#[cfg(test)]
mod tests {
    use pliant_simulation::scenes::{ImportOptions, load};

    use super::*;

    fn step(code: &'static str, count: usize) -> RepairStep {
        RepairStep {
            code,
            count,
            message: format!("{code} of {count}"),
        }
    }

    fn warning(notes: Vec<SceneNote>, repairs: &[RepairStep]) -> Option<SceneWarning> {
        let mut setup = crate::testing::setup();
        setup.notes = notes;
        setup.repairs = repairs.to_vec();
        scene_warning(&setup)
    }

    #[test]
    fn a_changed_mesh_gives_a_warning_and_a_tidied_one_does_not() {
        let tidied = [step("Welded", 441), step("DroppedUnreferenced", 441)];
        let reading = "reading: colours are left out".to_string();
        assert_eq!(warning(vec![reading.into()], &tidied), None);
        let [joined, unused] = tidied;
        let walls = warning(vec![], &[joined, step("DroppedWalls", 1600)]).expect("changed");
        assert_eq!(walls.line, "The mesh was changed: 1,600 faces dropped");
        assert_eq!(walls.notes, "DroppedWalls of 1600");
        let all = [
            step("ClosedHole", 1),
            step("ClosedHole", 5),
            step("DroppedFins", 1),
            step("FlippedFaces", 8),
            unused,
            step("Wrapped", 9000),
        ];
        assert_eq!(
            warning(vec![], &all).expect("changed").line,
            "The mesh was changed: the surface replaced by a wrap, 6 holes closed, 1 face dropped, and 1 more change"
        );
    }

    #[test]
    fn every_warning_is_told_whatever_its_code_and_a_remark_is_not() {
        let tool = "ToolOverlaps: `base: 1` and `block` overlap by 20.0 mm at the start: contact may push the body out\n  remedy: move `base: 1` down";
        let tool = SceneNote::warning(NoteSubject::Tool("base: 1".into()), tool.into());
        let bodies = "BodiesOverlap: bodies 1 (`a`) and 2 (`b`) overlap by 5.0 mm, 3.0 % of their size\n  remedy: move `a` up";
        let bodies = SceneNote::warning(NoteSubject::Scene, bodies.into());
        let remark = SceneNote::new(NoteSubject::Scene, "BigBear: repair: welded".into());
        let found = warning(vec![remark.clone(), tool.clone()], &[]).expect("doubtful");
        assert_eq!(
            found.line,
            "`base: 1` and `block` overlap by 20.0 mm at the start"
        );
        assert_eq!(
            found.notes,
            "`base: 1` and `block` overlap by 20.0 mm at the start: contact may push the body out; remedy: move `base: 1` down"
        );
        assert_eq!(
            warning(vec![bodies, tool], &[]).expect("doubtful").line,
            "Bodies 1 (`a`) and 2 (`b`) overlap by 5.0 mm, 3.0 % of their size, and 1 more warning"
        );
        assert_eq!(warning(vec![remark], &[]), None);
    }

    #[test]
    fn a_method_that_does_not_cut_is_told_in_a_scene_with_a_blade() {
        let scene = load("cut", &ImportOptions::default()).expect("bundled");
        let mut setup = crate::testing::setup();
        (setup.notes, setup.repairs) = (Vec::new(), Vec::new());
        setup.description.tools = scene.description.tools;
        for (method, is_told) in [(Method::Lattice, false), (Method::Quasistatic, true)] {
            setup.description.methods = vec![Method::Adaptive, method];
            let found = scene_warning(&setup);
            assert_eq!(
                found.is_some_and(|w| w.line.contains("stays whole")),
                is_told
            );
        }
    }

    #[test]
    fn forces_that_may_be_wrong_come_first_and_the_full_notes_follow() {
        let on = |tool: &str| {
            let text = format!(
                "SkinTooCoarse: the skin is too coarse for `{tool}`: its edges are 28.5 mm there\n  remedy: mesh.edge = 0.011 or less"
            );
            SceneNote::warning(NoteSubject::Tool(tool.into()), text)
        };
        let found = warning(vec![on("ball")], &[step("DroppedDegenerate", 2)]).expect("doubtful");
        assert_eq!(
            found.line,
            "Forces on ball may be off: the skin is too coarse there  ·  The mesh was changed: 2 faces dropped"
        );
        assert_eq!(
            found.notes,
            "the skin is too coarse for `ball`: its edges are 28.5 mm there; remedy: mesh.edge = 0.011 or less\nDroppedDegenerate of 2"
        );
        let two = warning(vec![on("ball"), on("rod")], &[])
            .expect("doubtful")
            .line;
        assert!(
            two.starts_with("Forces on ball and 1 more tool may be off"),
            "{two}"
        );
        let lid = SceneNote {
            subject: NoteSubject::Grab("lid".into()),
            ..on("lid")
        };
        let both = warning(vec![on("ball"), lid], &[]).expect("doubtful").line;
        assert_eq!(
            both,
            "Forces on ball and 1 more may be off: the skin is too coarse there"
        );
    }
}
