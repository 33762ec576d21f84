//! Changes of parameters that can be undone and made again.

use pliant_core::inspect::ParameterValue;
use pliant_core::scene::Method;
use pliant_simulation::command::Command;

/// Most changes that can be undone.
const MOST: usize = 200;

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
    /// What the simulation is asked for to make the change, or to take it back.
    pub fn command(&self, back: bool) -> Command {
        let value = if back { &self.before } else { &self.after };
        Command::SetParameter {
            method: self.method,
            name: self.name.clone(),
            value: value.clone(),
        }
    }
}

/// Changes, in their order.
#[derive(Debug, Clone, Default)]
pub struct Edits {
    done: Vec<Edit>,
    undone: Vec<Edit>,
}

impl Edits {
    /// A parameter was set. With `goes_on` it belongs to the last change of the same parameter: a value is being dragged.
    pub fn record(&mut self, edit: Edit, goes_on: bool) {
        self.undone.clear();
        if goes_on
            && let Some(last) = self.done.last_mut()
            && (last.method, &last.name) == (edit.method, &edit.name)
        {
            last.after = edit.after;
            return;
        }
        if self.done.len() == MOST {
            self.done.remove(0);
        }
        self.done.push(edit);
    }

    /// The model did not take a value: if it was the last change, there is nothing to undo.
    pub fn forget(&mut self, method: Method, name: &str, refused: &ParameterValue) {
        let last = self.done.last();
        if last.is_some_and(|e| e.method == method && e.name == name && e.after == *refused) {
            self.done.pop();
        }
    }

    /// Takes the last change back.
    pub fn undo(&mut self) -> Option<Command> {
        let edit = self.done.pop()?;
        let command = edit.command(true);
        self.undone.push(edit);
        Some(command)
    }

    /// Makes the change again that was taken back last.
    pub fn redo(&mut self) -> Option<Command> {
        let edit = self.undone.pop()?;
        let command = edit.command(false);
        self.done.push(edit);
        Some(command)
    }

    /// Whether there is something to undo, and something to make again.
    pub fn can(&self) -> (bool, bool) {
        (!self.done.is_empty(), !self.undone.is_empty())
    }

    /// Forgets everything: another scene has other parameters.
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
        assert_eq!((edits.undo(), edits.can()), (None, (false, false)));
        edits.record(edit(1.0, 2.0), false);
        edits.record(edit(2.0, 3.0), true);
        edits.record(edit(3.0, 9.0), false);
        assert_eq!(edits.undo(), Some(edit(3.0, 9.0).command(true)));
        assert_eq!(edits.undo(), Some(edit(1.0, 3.0).command(true)));
        assert_eq!(edits.redo(), Some(edit(1.0, 3.0).command(false)));
        assert_eq!(edits.can(), (true, true));
        edits.record(edit(3.0, 4.0), false);
        assert_eq!(edits.redo(), None);
        edits.forget(Method::Lattice, "young", &ParameterValue::Number(7.0));
        edits.forget(Method::Adaptive, "young", &ParameterValue::Number(4.0));
        assert_eq!(edits.can(), (true, false));
        edits.forget(Method::Lattice, "young", &ParameterValue::Number(4.0));
        assert_eq!(edits.undo(), Some(edit(1.0, 3.0).command(true)));
    }
}
