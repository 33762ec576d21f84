//! `pliant rebase`: baked Green's functions with other supports.

use pliant_core::scene::Selection;
use pliant_quasistatic::GreensAsset;
use pliant_quasistatic::rebase::RebaseError;
use serde_json::json;

use super::asset_file::{no_such_vertex, read_asset};
use crate::args::Rebase;
use crate::failure::Failure;
use crate::options::parse_numbers;
use crate::output::{Done, GREENS, refuse_foreign, write_whole};
use crate::session::Session;

/// Runs the command: first it releases a support, then it adds supports in the given order.
pub fn rebase(session: &Session, args: &Rebase) -> Result<Done, Failure> {
    if args.release.is_none() && args.hold.is_empty() {
        return Err(Failure::bad_input(
            "Usage",
            "the supports would stay as they are",
            "give --release SUPPORT, --hold NAME=WHERE, or both",
        ));
    }
    let new_supports = args
        .hold
        .iter()
        .map(|text| support(text))
        .collect::<Result<Vec<_>, _>>()?;
    refuse_foreign(&args.out, &GREENS)?;
    let mut asset = read_asset(&args.file)?;
    let watch = session.output.watch(&session.progress);
    let (before, place) = (asset.nodes(), args.file.display().to_string());
    let refused = |error: RebaseError| Failure::of(&error, Some(place.clone()));
    if let Some(name) = &args.release {
        if !asset.supports.iter().any(|support| support.name == *name) {
            return Err(no_such_support(&asset, name).at(place));
        }
        session.progress.stage("releasing a support");
        asset = asset.without_support(name).map_err(refused)?;
    }
    for (name, selection) in &new_supports {
        session.progress.stage("holding the body elsewhere");
        session.progress.check()?;
        let count = asset.skin.vertex_count();
        if let Selection::List(list) = selection
            && let Some(vertex) = list.iter().find(|&&v| v as usize >= count)
        {
            return Err(no_such_vertex(*vertex, count).at(place));
        }
        let vertices = selection.skin_vertices(&asset.skin);
        if vertices.is_empty() {
            return Err(empty_selection(&asset, name, selection).at(place));
        }
        let nodes = asset.nodes_behind(&vertices);
        asset = asset.with_support(name, &nodes).map_err(refused)?;
    }
    session.progress.stage("writing");
    session.progress.check()?;
    write_whole(&args.out, &asset.to_bytes())?;
    drop(watch);
    let supports: Vec<&str> = asset.supports.iter().map(|s| s.name.as_str()).collect();
    let output = &session.output;
    output.line(format!(
        "{before} free boundary vertices before, {} now; held by {}",
        asset.nodes(),
        supports.join(", ")
    ));
    output.written_to(&args.out);
    Ok(Done::new(json!({
        "free_before": before, "free": asset.nodes(), "supports": supports,
        "file": args.out.display().to_string(),
    })))
}

fn no_such_support(asset: &GreensAsset, name: &str) -> Failure {
    let known: Vec<&str> = asset.supports.iter().map(|s| s.name.as_str()).collect();
    Failure::bad_input(
        "NoSuchSupport",
        format!(
            "the body has no support called `{name}`: it has {}",
            known.join(", ")
        ),
        "name one of them",
    )
}

/// The error of a selection without a skin vertex.
fn empty_selection(asset: &GreensAsset, name: &str, selection: &Selection) -> Failure {
    match selection {
        Selection::Group(group) => {
            let known: Vec<&str> = asset.skin.groups.iter().map(|g| g.name.as_str()).collect();
            let has = match known.as_slice() {
                [] => "it has none".to_string(),
                _ => format!("it has {}", known.join(", ")),
            };
            Failure::bad_input(
                "NoSuchGroup",
                format!("the skin has no vertex group called `{group}`: {has}"),
                "name one of them, or give numbers, box:, sphere: or half_space:",
            )
        }
        _ => Failure::bad_input(
            "Nothing",
            format!("the new support `{name}` holds no vertex of the skin"),
            format!(
                "the skin has vertices 0 to {} between {:?} and {:?} m",
                asset.skin.vertex_count().saturating_sub(1),
                <[f64; 3]>::from(asset.skin.bounds().min),
                <[f64; 3]>::from(asset.skin.bounds().max)
            ),
        ),
    }
}

/// `NAME=WHERE`.
fn support(text: &str) -> Result<(String, Selection), Failure> {
    let wrong = |why: &str| {
        Failure::bad_input(
            "BadSupport",
            format!("--hold {text}: {why}"),
            "write it as tip=GROUP, tip=12,17,40, tip=box:x,y,z,x,y,z, tip=sphere:x,y,z,r or tip=half_space:x,y,z,nx,ny,nz, in metres at rest",
        )
    };
    let (name, place) = text
        .split_once('=')
        .ok_or_else(|| wrong("a name, = and a place are needed"))?;
    let (name, place) = (name.trim(), place.trim());
    if name.is_empty() || place.is_empty() {
        return Err(wrong("a name, = and a place are needed"));
    }
    let selection = match place.split_once(':') {
        Some((kind, list)) => {
            let numbers = parse_numbers(list).ok_or_else(|| wrong("not all are finite numbers"))?;
            match (kind, numbers.as_slice()) {
                ("box", &[a, b, c, d, e, f]) if a <= d && b <= e && c <= f => Selection::Box {
                    min: [a, b, c],
                    max: [d, e, f],
                },
                ("box", [_, _, _, _, _, _]) => {
                    return Err(wrong("the first corner of a box is the smallest"));
                }
                ("sphere", &[x, y, z, radius]) if radius > 0.0 => Selection::Sphere {
                    center: [x, y, z],
                    radius,
                },
                ("half_space", &[x, y, z, p, q, r]) if [p, q, r] != [0.0; 3] => {
                    Selection::HalfSpace {
                        point: [x, y, z],
                        normal: [p, q, r],
                    }
                }
                ("box" | "sphere" | "half_space", _) => {
                    return Err(wrong("these numbers do not describe such a shape"));
                }
                _ => return Err(wrong("box, sphere and half_space are known")),
            }
        }
        None => {
            let numbers: Option<Vec<u32>> =
                place.split(',').map(|x| x.trim().parse().ok()).collect();
            match numbers {
                Some(list) => {
                    let mut sorted = list.clone();
                    sorted.sort_unstable();
                    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
                        return Err(wrong("a vertex is named twice"));
                    }
                    Selection::List(list)
                }
                None => Selection::Group(place.to_string()),
            }
        }
    };
    Ok((name.to_string(), selection))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_support_is_a_name_and_a_place() {
        let of = |text: &str| support(text).expect("valid");
        assert_eq!(
            of("tip=12, 17"),
            ("tip".into(), Selection::List(vec![12, 17]))
        );
        assert_eq!(
            of("tip=lid"),
            ("tip".into(), Selection::Group("lid".into()))
        );
        let ball = Selection::Sphere {
            center: [0.0, -1e-2, 0.0],
            radius: 0.1,
        };
        assert_eq!(of("a=sphere:0,-1e-2,0,0.1"), ("a".into(), ball));
        let above = Selection::HalfSpace {
            point: [0.0; 3],
            normal: [0.0, 1.0, 0.0],
        };
        assert_eq!(of("a=half_space:0,0,0,0,1,0"), ("a".into(), above));
        for bad in [
            "tip",
            "=3",
            "tip=",
            "tip=3,3",
            "tip=box:1,0,0,0,1,1",
            "tip=box:0,0,0,1,1",
            "tip=sphere:0,0,0,0",
            "tip=half_space:0,0,0,0,0,0",
            "tip=cone:1,2",
            "tip=sphere:0,0,0,nan",
        ] {
            assert_eq!(support(bad).expect_err(bad).code, "BadSupport");
        }
    }
}
