//! Changes of parameters and of the material that can be undone and redone.

use std::path::{Path, PathBuf};

use pliant_core::inspect::ParameterValue;
use pliant_core::material::Material;
use pliant_core::scene::Method;
use pliant_simulation::command::Command;
use pliant_simulation::setup::Setup;

/// Most changes that can be undone.
const MAX_EDITS: usize = 200;

/// A parameter was set.
#[derive(Debug, Clone, PartialEq)]
pub struct Edit {
    /// The method.
    pub method: Method,
    /// Name of the parameter.
    pub name: String,
    /// Value before.
    pub before: ParameterValue,
    /// Value since.
    pub after: ParameterValue,
}

impl Edit {
    /// The command that makes the change, or undoes it.
    pub fn command(&self, undo: bool) -> Command {
        let value = if undo { &self.before } else { &self.after };
        Command::SetParameter {
            method: self.method,
            name: self.name.clone(),
            value: value.clone(),
        }
    }
}

/// The material of all methods was changed, which prepares the scene again.
#[derive(Debug, Clone, PartialEq)]
struct MaterialEdit {
    before: Material,
    after: Material,
}

/// Changes of the material of one scene, in their order.
#[derive(Debug, Clone, Default)]
struct MaterialEdits {
    /// where the scene came from
    origin: PathBuf,
    done: Vec<MaterialEdit>,
    undone: Vec<MaterialEdit>,
}

/// Changes, in their order. A change of the material drops the earlier ones of parameters.
#[derive(Debug, Clone, Default)]
pub struct Edits {
    done: Vec<Edit>,
    undone: Vec<Edit>,
    materials: MaterialEdits,
}

impl Edits {
    /// Records the request of another material for all methods of the scene `present`.
    pub fn record_material(&mut self, present: &Setup, after: Material) {
        let materials = &mut self.materials;
        if materials.origin != present.origin {
            *materials = MaterialEdits {
                origin: present.origin.clone(),
                ..MaterialEdits::default()
            };
        }
        materials.undone.clear();
        // a change that was refused, or came before the scene was reopened, does not lead to the current material
        let before = present.description.body.material;
        while materials.done.last().is_some_and(|e| e.after != before) {
            materials.done.pop();
        }
        materials.done.push(MaterialEdit { before, after });
    }

    /// The material that the scene `present` had before the first change.
    pub fn first_material(&self, present: &Setup) -> Option<Material> {
        let first = self.materials_of(&present.origin)?.done.first()?;
        Some(first.before)
    }

    fn materials_of(&self, origin: &Path) -> Option<&MaterialEdits> {
        (self.materials.origin == origin).then_some(&self.materials)
    }

    /// The change of the material that can be undone, and the one that can be redone. A change that is still being prepared, or that came before
    /// the scene was reopened, is neither.
    fn last_materials(&self, present: Option<&Setup>) -> [Option<&MaterialEdit>; 2] {
        let known = present.and_then(|setup| Some((setup, self.materials_of(&setup.origin)?)));
        let Some((setup, all)) = known else {
            return [None, None];
        };
        let now = setup.description.body.material;
        let undoable = all.done.last().filter(|edit| edit.after == now);
        let redoable = all.undone.last().filter(|edit| edit.before == now);
        [undoable, redoable]
    }

    /// Records that a parameter was set. With `continues` it belongs to the last change of the same parameter: a value is being dragged.
    pub fn record(&mut self, edit: Edit, continues: bool) {
        self.undone.clear();
        self.materials.undone.clear();
        if continues
            && let Some(last) = self.done.last_mut()
            && (last.method, &last.name) == (edit.method, &edit.name)
        {
            last.after = edit.after;
            return;
        }
        if self.done.len() == MAX_EDITS {
            self.done.remove(0);
        }
        self.done.push(edit);
    }

    /// Removes the last change if it set the `refused` value.
    pub fn remove_refused(&mut self, method: Method, name: &str, refused: &ParameterValue) {
        let last = self.done.last();
        if last.is_some_and(|e| e.method == method && e.name == name && e.after == *refused) {
            self.done.pop();
        }
    }

    /// Undoes the last change, in the scene `present`.
    pub fn undo(&mut self, present: Option<&Setup>) -> Option<Command> {
        if let Some(edit) = self.done.pop() {
            let command = edit.command(true);
            self.undone.push(edit);
            return Some(command);
        }
        let [undoable, _] = self.last_materials(present);
        let before = undoable?.before;
        self.undone.clear();
        let materials = &mut self.materials;
        materials.undone.extend(materials.done.pop());
        Some(Command::SetMaterial(before))
    }

    /// Redoes the change that was undone last, in the scene `present`.
    pub fn redo(&mut self, present: Option<&Setup>) -> Option<Command> {
        if let Some(edit) = self.undone.pop() {
            let command = edit.command(false);
            self.done.push(edit);
            return Some(command);
        }
        let [_, redoable] = self.last_materials(present);
        let after = redoable?.after;
        self.done.clear();
        let materials = &mut self.materials;
        materials.done.extend(materials.undone.pop());
        Some(Command::SetMaterial(after))
    }

    /// Whether there is something to undo, and something to redo, in the scene `present`.
    pub fn available(&self, present: Option<&Setup>) -> (bool, bool) {
        let [undoable, redoable] = self.last_materials(present);
        (
            !self.done.is_empty() || undoable.is_some(),
            !self.undone.is_empty() || redoable.is_some(),
        )
    }

    /// Drops changes of parameters: another scene has other parameters, and a scene that was prepared again has its initial values.
    pub fn clear(&mut self) {
        self.done.clear();
        self.undone.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(before: f64, after: f64) -> Edit {
        Edit {
            method: Method::Lattice,
            name: "young".into(),
            before: ParameterValue::Number(before),
            after: ParameterValue::Number(after),
        }
    }

    #[test]
    fn a_drag_is_one_change_and_a_new_change_ends_redoing() {
        let mut edits = Edits::default();
        assert_eq!(edits.undo(None), None);
        assert_eq!(edits.available(None), (false, false));
        edits.record(edit(1.0, 2.0), false);
        edits.record(edit(2.0, 3.0), true);
        edits.record(edit(3.0, 9.0), false);
        assert_eq!(edits.undo(None), Some(edit(3.0, 9.0).command(true)));
        assert_eq!(edits.undo(None), Some(edit(1.0, 3.0).command(true)));
        assert_eq!(edits.redo(None), Some(edit(1.0, 3.0).command(false)));
        assert_eq!(edits.available(None), (true, true));
        edits.record(edit(3.0, 4.0), false);
        assert_eq!(edits.redo(None), None);
        edits.remove_refused(Method::Lattice, "young", &ParameterValue::Number(7.0));
        edits.remove_refused(Method::Adaptive, "young", &ParameterValue::Number(4.0));
        assert_eq!(edits.available(None), (true, false));
        edits.remove_refused(Method::Lattice, "young", &ParameterValue::Number(4.0));
        assert_eq!(edits.undo(None), Some(edit(1.0, 3.0).command(true)));
    }

    #[test]
    fn a_material_is_undone_and_redone_once_it_is_prepared_and_only_in_its_scene() {
        let mut setup = crate::testing::setup();
        let soft = setup.description.body.material;
        let mut hard = soft;
        hard.elastic.young *= 2.0;
        let mut edits = Edits::default();
        edits.record_material(&setup, hard);
        let being_prepared = edits.available(Some(&setup));
        assert_eq!(being_prepared, (false, false));
        setup.description.body.material = hard;
        edits.clear();
        assert_eq!(edits.available(Some(&setup)), (true, false));
        assert_eq!(edits.first_material(&setup), Some(soft));
        // a parameter that was changed since comes first
        edits.record(edit(1.0, 2.0), false);
        assert_eq!(edits.undo(Some(&setup)), Some(edit(1.0, 2.0).command(true)));
        assert_eq!(edits.undo(Some(&setup)), Some(Command::SetMaterial(soft)));
        assert_eq!(edits.undo(Some(&setup)), None);
        setup.description.body.material = soft;
        edits.clear();
        assert_eq!(edits.available(Some(&setup)), (false, true));
        let mut other = setup.clone();
        other.origin = "other.toml".into();
        assert_eq!(edits.available(Some(&other)), (false, false));
        assert_eq!(edits.redo(Some(&setup)), Some(Command::SetMaterial(hard)));
        setup.description.body.material = hard;
        assert_eq!(edits.available(Some(&setup)), (true, false));
    }
}
