//! `pliant solve`: one boundary value problem on baked Green's functions.

use std::sync::Arc;

use pliant_core::boundary::{BoundaryConditions, DisplacementConstraint};
use pliant_core::math::Vec3;
use pliant_core::model::{DeformableModel, FrameRequest};
use pliant_quasistatic::{GreensAsset, QuasistaticModel, QuasistaticParams};
use serde_json::{Value, json};

use super::asset_file::{no_such_vertex, read_asset};
use crate::args::Solve;
use crate::failure::{CHECK_FAILED, Failure};
use crate::options::parse_vector;
use crate::output::{Done, vector};
use crate::session::Session;

/// Runs the command.
pub fn solve(session: &Session, args: &Solve) -> Result<Done, Failure> {
    let asset = Arc::new(read_asset(&args.file)?);
    let count = asset.skin.vertex_count();
    let held = displaced_vertices(args, &asset)?;
    for &vertex in &args.at {
        in_range(vertex, count)?;
    }
    let params = QuasistaticParams {
        max_contacts: usize::MAX,
        ..QuasistaticParams::default()
    };
    let mut model = QuasistaticModel::new(asset.clone(), &params);
    for text in &args.load {
        let (name, force) = point_load(text)?;
        model
            .set_inside_load(name, force)
            .map_err(|e| Failure::of(&e, None))?;
    }
    let mut boundary = BoundaryConditions::default();
    boundary
        .set_displacements(held.iter().map(|&(vertex, by)| {
            DisplacementConstraint::held(vertex, asset.skin.positions[vertex as usize] + by)
        }))
        .map_err(|e| Failure::from_text("BadConditions", &e.to_string(), None))?;
    let report = model
        .advance(FrameRequest::new(1.0 / 60.0, &boundary))
        .map_err(|e| Failure {
            exit: CHECK_FAILED,
            ..Failure::of(&e, None)
        })?;
    let areas = asset.skin.nodal_areas();
    let mut displaced = Vec::new();
    let mut total = Vec3::zeros();
    for (&(vertex, _), force) in held.iter().zip(model.reactions()) {
        let traction = force / areas[vertex as usize];
        total += force;
        let u = model.displacement(vertex as usize);
        session.output.line(format!(
            "vertex {vertex}: displacement ({:.6e}, {:.6e}, {:.6e}) m, force ({:.6e}, {:.6e}, {:.6e}) N",
            u.x, u.y, u.z, force.x, force.y, force.z
        ));
        displaced.push(json!({
            "vertex": vertex, "displacement": vector(&u), "force": vector(force), "traction": vector(&traction),
            "area": areas[vertex as usize],
        }));
    }
    let at: Vec<_> = args
        .at
        .iter()
        .map(|&vertex| {
            let u = model.displacement(vertex as usize);
            session.output.line(format!(
                "at vertex {vertex}: displacement ({:.6e}, {:.6e}, {:.6e}) m",
                u.x, u.y, u.z
            ));
            json!({ "vertex": vertex, "displacement": vector(&u) })
        })
        .collect();
    let inside = points_inside(session, &model);
    let support: Vec3 = model.support_reactions().iter().sum();
    Ok(Done::new(json!({
        "displaced": displaced, "at": at, "inside": inside, "force": vector(&total), "support": vector(&support),
        "max_violation": report.max_violation,
    })))
}

/// The vertices that are displaced, and by how much, m.
fn displaced_vertices(args: &Solve, asset: &GreensAsset) -> Result<Vec<(u32, Vec3)>, Failure> {
    let mut held = Vec::with_capacity(args.displace.len());
    for text in &args.displace {
        let (vertex, by) = displacement(text)?;
        in_range(vertex, asset.skin.vertex_count())?;
        if asset.rows.row(vertex as usize).0.is_empty() {
            return Err(Failure::bad_input(
                "VertexOnSupport",
                format!("vertex {vertex} belongs to a support, which does not move"),
                "displace a vertex that no support holds",
            ));
        }
        if held.iter().any(|(v, _)| *v == vertex) {
            return Err(Failure::bad_input(
                "DuplicateVertex",
                format!("vertex {vertex} is displaced twice"),
                "name each vertex once",
            ));
        }
        held.push((vertex, by));
    }
    Ok(held)
}

/// Lines and JSON of the points inside.
fn points_inside(session: &Session, model: &QuasistaticModel) -> Vec<Value> {
    let states = model.inside_states().iter().zip(model.inside_loads());
    let mut list = Vec::new();
    for (point, (state, load)) in model.inside().iter().zip(states) {
        let (name, x, u) = (&point.named.name, point.named.point, state.displacement);
        let [xx, yy, zz, yz, xz, xy] = state.stress;
        session.output.line(format!(
            "inside `{name}` at ({:.4}, {:.4}, {:.4}) m: displacement ({:.6e}, {:.6e}, {:.6e}) m, stress xx {xx:.6e}, yy {yy:.6e}, zz {zz:.6e}, yz {yz:.6e}, xz {xz:.6e}, xy {xy:.6e} Pa, von Mises {:.6e} Pa",
            x.x, x.y, x.z, u.x, u.y, u.z, state.von_mises()
        ));
        list.push(json!({
            "name": name, "point": vector(&x), "load": vector(load), "displacement": vector(&u),
            "stress": state.stress, "von_mises": state.von_mises(),
        }));
    }
    list
}

/// `NAME:fx,fy,fz`.
fn point_load(text: &str) -> Result<(&str, Vec3), Failure> {
    let wrong = || {
        Failure::bad_input(
            "BadLoad",
            format!("--load {text} is not a point inside and three newtons"),
            "write it as tendon:0,-1.5,0",
        )
    };
    let (name, force) = text.rsplit_once(':').ok_or_else(wrong)?;
    Ok((name.trim(), parse_vector(force).ok_or_else(wrong)?))
}

/// `V:ux,uy,uz`.
fn displacement(text: &str) -> Result<(u32, Vec3), Failure> {
    let wrong = || {
        Failure::bad_input(
            "BadDisplacement",
            format!("--displace {text} is not a vertex and three metres"),
            "write it as 17:0.001,0,-0.002",
        )
    };
    let (vertex, by) = text.split_once(':').ok_or_else(wrong)?;
    let vertex = vertex.trim().parse().map_err(|_| wrong())?;
    Ok((vertex, parse_vector(by).ok_or_else(wrong)?))
}

fn in_range(vertex: u32, count: usize) -> Result<(), Failure> {
    if (vertex as usize) < count {
        return Ok(());
    }
    Err(no_such_vertex(vertex, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displacements_are_a_vertex_and_three_numbers() {
        let (vertex, by) = displacement("17:0.001, 0,-2e-3").expect("valid");
        assert_eq!((vertex, by), (17, Vec3::new(0.001, 0.0, -0.002)));
        for bad in ["17", "17:1,2", "x:1,2,3", "1:1,2,nan", "1:1,2,3,4", ""] {
            assert_eq!(displacement(bad).expect_err(bad).code, "BadDisplacement");
        }
        assert!(in_range(3, 3).is_err() && in_range(2, 3).is_ok());
        let (name, force) = point_load("knee:tendon:0,-2,1e1").expect("valid");
        assert_eq!((name, force), ("knee:tendon", Vec3::new(0.0, -2.0, 10.0)));
        for bad in ["tendon", "tendon:1,2", "tendon:1,2,inf"] {
            assert_eq!(point_load(bad).expect_err(bad).code, "BadLoad");
        }
    }
}
