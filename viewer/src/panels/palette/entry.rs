//! The entries of the palette, and the search among them.

use std::path::PathBuf;

use crate::panels::bars::open::{open, open_recent};
use crate::panels::commands::{Shortcut, WindowCommand, all, show_layer};
use crate::panels::context::Context;
use crate::panels::curves::choices;
use crate::panels::palette::scene_titles::bundled;
use crate::state::{ForceSource, Layer, Plotted, SPANS};

/// A line of the palette.
pub struct Entry {
    /// The line itself.
    pub name: String,
    /// What it does, in a few words; may be empty.
    pub about: &'static str,
    action: Action,
}

/// What a line does.
enum Action {
    /// Runs a command of the window.
    Command(&'static WindowCommand),
    /// Colours the skins.
    Colour(Layer),
    /// Chooses what the curves show.
    Plot(Plotted),
    /// Chooses how much of the past they show, as a place in the list of spans.
    Span(usize),
    /// Opens a recent file.
    OpenRecent(PathBuf),
    /// Opens the bundled scene of this name.
    OpenScene(&'static str),
}

impl Entry {
    fn command(&self) -> Option<&'static WindowCommand> {
        match self.action {
            Action::Command(command) => Some(command),
            _ => None,
        }
    }

    /// Its keys, as text.
    pub fn keys(&self) -> String {
        let keys = self.command().map(WindowCommand::keys_text);
        keys.unwrap_or_default()
    }

    /// Whether `text` in small letters is one of its keys.
    fn has_key(&self, text: &str) -> bool {
        let is_key = |key: &Shortcut| key.text().to_lowercase() == text;
        self.command()
            .is_some_and(|command| command.keys().any(is_key))
    }

    /// Why it cannot be run now.
    pub fn refused(&self, cx: &Context<'_>) -> Option<&'static str> {
        self.command().and_then(|command| (command.refused)(cx))
    }

    /// Runs it.
    pub fn run(&self, ctx: &egui::Context, cx: &mut Context<'_>) {
        match &self.action {
            Action::Command(command) => (command.run)(ctx, cx),
            Action::Colour(layer) => show_layer(cx, layer.clone()),
            Action::Plot(choice) => cx.state.plotted = *choice,
            Action::Span(span) => cx.state.span = *span,
            Action::OpenRecent(file) => open_recent(cx, file),
            Action::OpenScene(name) => open(cx, *name),
        }
    }
}

/// Colours, curves and their spans among which the scene leaves a choice now.
pub fn present_choices(cx: &Context<'_>) -> Vec<Entry> {
    let source = ForceSource::of(cx.snapshot, false);
    let colours = Layer::choices(cx.snapshot).into_iter().map(|layer| Entry {
        name: format!("Colour: {}", layer.label()),
        about: "what the colours show",
        action: Action::Colour(layer),
    });
    let curves = choices(cx, &source)
        .into_iter()
        .map(|(choice, name)| Entry {
            name: format!("Curves: {name}"),
            about: "what the curves show",
            action: Action::Plot(choice),
        });
    let spans = SPANS.iter().enumerate().map(|(k, span)| Entry {
        name: format!("Curves of the last {span:.0} s"),
        about: "how much of the past they show",
        action: Action::Span(k),
    });
    colours.chain(curves).chain(spans).collect()
}

/// Entries that contain all words of `query`, in any case and order. First those whose name begins with the query or whose key it is, then those with the words in the name, then those with the words in the
/// explanation or keys.
pub fn matching_entries(query: &str, recent: &[PathBuf], choices: Vec<Entry>) -> Vec<Entry> {
    // the command that opens the list comes last
    let commands = all().skip(1).chain(all().take(1)).map(|command| Entry {
        name: command.name.to_string(),
        about: command.about,
        action: Action::Command(command),
    });
    let recent = recent.iter().map(|file| Entry {
        name: format!("Open {}", file.display()),
        about: "recent file",
        action: Action::OpenRecent(file.clone()),
    });
    let scenes = bundled().map(|(name, title)| Entry {
        name: format!("Open {name}"),
        about: title,
        action: Action::OpenScene(name),
    });
    let query = query.trim().to_lowercase();
    let mut ranked: Vec<(usize, Entry)> = commands
        .chain(choices)
        .chain(recent)
        .chain(scenes)
        .filter_map(|entry| Some((rank(&entry, &query)?, entry)))
        .collect();
    // the order of the table stays among equals
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, entry)| entry).collect()
}

fn rank(entry: &Entry, query: &str) -> Option<usize> {
    let name = entry.name.to_lowercase();
    let all = format!("{name} {} {}", entry.about, entry.keys()).to_lowercase();
    let has = |text: &str| query.split_whitespace().all(|word| text.contains(word));
    match query {
        _ if name.starts_with(query) || entry.has_key(query) => Some(0),
        _ if has(&name) => Some(1),
        _ if has(&all) => Some(2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(query: &str) -> Option<String> {
        let entry = matching_entries(query, &[], Vec::new())
            .into_iter()
            .next()?;
        Some(entry.name)
    }

    #[test]
    fn any_part_of_a_name_an_explanation_or_a_key_finds_it() {
        for (query, name) in [
            ("gra", "Gravity"),
            ("ABOVE", "View from above"),
            ("above view", "View from above"),
            ("parameter undo", "Undo"),
            ("theme", "Light or dark"),
            ("shift p", "Panes as PNG"),
            ("dragon", "Open dragon"),
            ("soft dragon", "Open welcome"),
        ] {
            assert_eq!(first(query).as_deref(), Some(name), "{query}");
        }
        assert!(matching_entries("no such words", &[], Vec::new()).is_empty());
        assert_eq!(
            matching_entries("", &[], Vec::new()).len(),
            all().count() + bundled().count()
        );
        let files = [PathBuf::from("/bodies/knee.stl")];
        let line = matching_entries("knee", &files, Vec::new());
        assert_eq!(line[0].name, "Open /bodies/knee.stl");
    }
}
