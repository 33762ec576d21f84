//! Options that several commands have.

use pliant_core::math::Vec3;
use pliant_core::scene::Method;
use pliant_simulation::scenes::LoadedScene;

use crate::args::Import;
use crate::failure::Failure;

/// The method of that name.
pub fn parse_method(name: &str) -> Result<Method, Failure> {
    Method::from_name(name.trim()).ok_or_else(|| {
        let failure = Failure::bad_input(
            "UnknownMethod",
            format!("unknown method `{name}`"),
            "use adaptive, quasistatic or lattice",
        );
        failure.meaning(name, Method::NAMES)
    })
}

/// Checked method names; `None` for the scene's own choice.
pub fn parse_methods(names: &[String]) -> Result<Option<Vec<Method>>, Failure> {
    if names.is_empty() {
        return Ok(None);
    }
    let methods = names.iter().map(|name| parse_method(name));
    methods.collect::<Result<Vec<_>, _>>().map(Some)
}

/// Finite numbers with commas between them.
pub fn parse_numbers(text: &str) -> Option<Vec<f64>> {
    let numbers = text.split(',').map(|x| x.trim().parse().ok());
    numbers.map(|x| x.filter(|x: &f64| x.is_finite())).collect()
}

/// Three of them.
pub fn parse_vector(text: &str) -> Option<Vec3> {
    match parse_numbers(text)?[..] {
        [x, y, z] => Some(Vec3::new(x, y, z)),
        _ => None,
    }
}

/// Refuses import options that contradict each other: walls of a thickness are a repair.
pub fn refuse_contradiction(import: &Import) -> Result<(), Failure> {
    match import.thickness {
        Some(_) if !import.repairs() => Err(Failure::bad_input(
            "Usage",
            "`--thickness` has no effect with `--repair off`",
            "leave one of them out",
        )),
        _ => Ok(()),
    }
}

/// Refuses import options if the input is no mesh file, and those that contradict each other.
pub fn refuse_import(import: &Import, loaded: &LoadedScene) -> Result<(), Failure> {
    refuse_contradiction(import)?;
    match loaded.is_dropped_mesh() {
        true => Ok(()),
        false => refuse_import_of(import, &loaded.description.name),
    }
}

/// Refuses them for `name`, which is no mesh file.
pub fn refuse_import_of(import: &Import, name: &str) -> Result<(), Failure> {
    match import.words().first() {
        None => Ok(()),
        Some(option) => Err(Failure::bad_input(
            "Usage",
            format!("`{option}` says how a mesh file is read, but `{name}` is not a mesh file"),
            "leave it out; a scene says it in `body.mesh`",
        )),
    }
}

/// Checks a duration: above 0, at most an hour.
pub fn checked_duration(duration: Option<f64>) -> Result<Option<f64>, Failure> {
    match duration {
        Some(d) if !(d > 0.0 && d <= 3600.0) => Err(Failure::bad_input(
            "BadDuration",
            format!("a duration of {d} s is not possible"),
            "give seconds above 0 and up to 3600",
        )),
        other => Ok(other),
    }
}
