//! Table II: how long Green's functions take, and a response to a point that presses.

use std::path::Path;

use pliant_core::math::Vec3;

use crate::body::{Body, Failure};
use crate::table::{Table, csv};
use crate::timing::{on_one_thread, shortest_time};

/// The paper's rabbits on a Pentium III of 450 MHz, the last one on eight of them: levels, faces, vertices, free vertices, precomputation as printed, and ms of a point response.
const PAPER: [(usize, usize, usize, usize, &str, f64); 3] = [
    (2, 320, 162, 133, "1.8 min", 0.07),
    (3, 1280, 642, 537, "40 min", 0.33),
    (4, 5120, 2562, 2145, "9 h", 1.3),
];

/// Writes `table-2.csv`. The bodies were baked on one thread.
pub fn write(bodies: &[Body], folder: &Path, table: &mut Table) -> Result<(), Failure> {
    table.section("II: precomputation and point response, one thread");
    let mut rows = Vec::new();
    for body in bodies {
        let Some((levels, faces, vertices, free, precomputed, response)) =
            PAPER.iter().find(|row| row.0 == body.levels)
        else {
            continue;
        };
        let ours = on_one_thread(|| Ok(point_response(body)))?;
        let skin = body.skin();
        let ours = [
            format!("{}", skin.triangles.len()),
            format!("{}", skin.vertex_count()),
            format!("{}", body.matrix.nodes()),
            format!("{:.2}", body.seconds),
            format!("{:.4}", 1e3 * ours),
        ];
        table.row(
            &format!("{levels} levels: free vertices, s of the bake, ms of a point response"),
            ours[2..].join(", "),
            &format!("{free}, {precomputed}, {response}"),
        );
        let mut row: Vec<String> = [*levels, *faces, *vertices, *free]
            .map(|n| n.to_string())
            .into();
        row.extend([(*precomputed).to_string(), response.to_string()]);
        row.extend(ours);
        rows.push(row);
    }
    let header = [
        "levels",
        "faces_paper",
        "vertices_paper",
        "free_paper",
        "precomputation_paper",
        "response_ms_paper",
        "faces",
        "vertices",
        "free",
        "bake_s",
        "response_ms",
    ];
    std::fs::write(folder.join("table-2.csv"), csv(&header, &rows))?;
    Ok(())
}

/// Seconds to displace all free vertices by forces on the three corners of a triangle.
fn point_response(body: &Body) -> f64 {
    let forces = body.patch(3).into_iter();
    let forces: Vec<(u32, Vec3)> = forces
        .map(|node| (node, Vec3::new(0.1, -0.2, 0.3)))
        .collect();
    let mut field = vec![0.0; 3 * body.matrix.nodes()];
    shortest_time(|| body.matrix.add_columns(&forces, &mut field))
}
