//! The methods and resolutions that are tried on a body.

use pliant_core::scene::{BoundaryChoice, GreensElements, GreensGenerator, GreensLoads, Method};

use super::candidate::{Candidate, Family};
use super::setting::{Setting, SettingValue};
use crate::build::geometry::{MIN_CELLS, automatic_cells, half_width_of};
use crate::compare::advice::choice::Goal;
use crate::parameters::{DEFAULT_BUDGET_MS, moves_on_cut};
use crate::setup::Setup;

/// Budgets of the adaptive method over that of the goal.
const BUDGET_SHARES: [f64; 5] = [0.25, 0.5, 1.0, 2.0, 4.0];
/// Smallest and largest of these budgets, ms: below, every body is at its coarsest level, and above, at its finest.
const BUDGETS_MS: (f64, f64) = (0.25, 64.0);
/// Boundary nodes of dense Green's functions. More make the bake long and the answer hardly better: forces act on single nodes.
const BOUNDARY_NODES: [usize; 3] = [250, 500, 1000];
/// Vertices of the surface of Green's functions in wavelets. With 2,500 the force of a poked penguin differs by a tenth of a percent, and the bake takes twice as long.
const WAVELET_NODES: usize = 1000;
/// Cells along the longest side of bodies that are not too stiff.
const CELLS: [usize; 6] = [8, 12, 16, 24, 32, 48];
/// Cells along the longest side of stiff bodies over the automatic number. With many more the stiffness is out of reach, or regions are so large that they are too soft.
const STIFF_CELL_SHARES: [f64; 4] = [2.0 / 3.0, 1.0, 1.5, 2.0];
/// Settings that differ by less than this share are the same.
const SAME_TOLERANCE: f64 = 0.02;

/// All candidates of `methods`, each family from coarse to fine, with the scene's own settings among them.
pub(in crate::compare::advice) fn candidates(
    setup: &Setup,
    methods: &[Method],
    goal: &Goal,
) -> Vec<Candidate> {
    let candidates_of = |method: &Method| match method {
        Method::Adaptive => adaptive(setup, goal),
        Method::Quasistatic => quasistatic(setup),
        Method::Lattice => lattice(setup),
    };
    methods.iter().flat_map(candidates_of).collect()
}

fn adaptive(setup: &Setup, goal: &Goal) -> Vec<Candidate> {
    let method = Method::Adaptive;
    let own = setup.description.body.adaptive.budget_ms;
    let own = own.unwrap_or(DEFAULT_BUDGET_MS);
    let (min_budget, max_budget) = BUDGETS_MS;
    let budgets =
        BUDGET_SHARES.map(|share| (share * goal.budget_ms()).clamp(min_budget, max_budget));
    let budget = |ms: f64| Setting::new(method, "budget_ms", SettingValue::Number(ms));
    let is_cut = moves_on_cut(setup);
    let family = if is_cut { Family::Cut } else { Family::Level };
    let mut found = with_scene_value(&budgets, own, |ms| vec![budget(ms)], method, |_| family);
    if is_cut {
        let level = || Setting::new(method, "resolution", SettingValue::Word("level"));
        let budgets = distinct(&budgets);
        found.extend(budgets.iter().map(|&ms| Candidate {
            method,
            family: Family::Level,
            settings: vec![budget(ms), level()],
            resolution: ms,
        }));
    }
    found
}

fn quasistatic(setup: &Setup) -> Vec<Candidate> {
    let method = Method::Quasistatic;
    let description = &setup.description.body.quasistatic;
    let family = match description.wavelet {
        Some(_) => Family::Wavelets,
        None => Family::Dense,
    };
    let unchanged = |resolution: f64| Candidate {
        method,
        family,
        settings: Vec::new(),
        resolution,
    };
    // columns from a file cannot be varied, and compression is a choice of the author
    let is_plain = description.wavelet.is_none() && description.hierarchical.is_none();
    if description.generator == GreensGenerator::Asset || !is_plain {
        return vec![unchanged(0.0)];
    }
    let nodes = |n: f64| Setting::new(method, "boundary", SettingValue::Count(n as usize));
    let counts = BOUNDARY_NODES.map(|n| n as f64);
    let mut found = match description.boundary {
        BoundaryChoice::Nodes(own) => {
            with_scene_value(&counts, own as f64, |n| vec![nodes(n)], method, |_| family)
        }
        // the automatic number is about the largest of these, and takes longest to bake
        BoundaryChoice::Auto | BoundaryChoice::Skin => {
            let coarser = counts.iter().filter(|n| **n < counts[counts.len() - 1]);
            let coarser = coarser.map(|&n| Candidate {
                settings: vec![nodes(n)],
                ..unchanged(n)
            });
            coarser
                .chain([unchanged(counts[counts.len() - 1])])
                .collect()
        }
    };
    let is_quadratic = description.generator == GreensGenerator::Fem
        && description.elements == GreensElements::Quadratic;
    if is_quadratic {
        let other = match description.loads {
            GreensLoads::Corners => "faces",
            GreensLoads::Faces => "corners",
        };
        found.push(Candidate {
            family: Family::OtherLoads,
            settings: vec![Setting::new(method, "loads", SettingValue::Word(other))],
            ..unchanged(0.0)
        });
    }
    if description.generator != GreensGenerator::BemConstant {
        found.push(Candidate {
            family: Family::Wavelets,
            settings: vec![
                Setting::new(method, "wavelet", SettingValue::Word("linear")),
                nodes(WAVELET_NODES as f64),
            ],
            ..unchanged(WAVELET_NODES as f64)
        });
    }
    found
}

fn lattice(setup: &Setup) -> Vec<Candidate> {
    let method = Method::Lattice;
    let description = &setup.description.body.lattice;
    let longest = setup.geometry.skin.bounds().size().max();
    let automatic = automatic_cells(setup);
    let own = match (description.cell, description.cells_longest) {
        (Some(cell), _) => longest / cell,
        (None, Some(cells)) => cells as f64,
        (None, None) => automatic as f64,
    };
    let cells = |n: f64| {
        let mut settings = vec![Setting::new(
            method,
            "cells_longest",
            SettingValue::Count(n as usize),
        )];
        settings.extend(description.cell.map(|_| Setting::without(method, "cell")));
        settings
    };
    let family = |n: f64| Family::Cells {
        half_width: half_width_of(setup, n),
    };
    with_scene_value(&cell_counts(automatic), own, cells, method, family)
}

/// Numbers of cells along the longest side that are tried on a body which gets an `automatic` number where the scene gives none.
fn cell_counts(automatic: usize) -> Vec<f64> {
    if automatic < MIN_CELLS {
        let counts = STIFF_CELL_SHARES.map(|share| (share * automatic as f64).round());
        counts.to_vec()
    } else {
        CELLS.map(|n| n as f64).to_vec()
    }
}

/// A candidate for each value, ascending, and the scene as it is in the place of its `own` value.
fn with_scene_value(
    values: &[f64],
    own: f64,
    settings: impl Fn(f64) -> Vec<Setting>,
    method: Method,
    family: impl Fn(f64) -> Family,
) -> Vec<Candidate> {
    let others = values.iter().filter(|v| !is_same(**v, own));
    let mut all: Vec<f64> = others.copied().chain([own]).collect();
    all = distinct(&all);
    let candidate = |value: f64| Candidate {
        method,
        family: family(value),
        settings: if value == own {
            Vec::new()
        } else {
            settings(value)
        },
        resolution: value,
    };
    all.into_iter().map(candidate).collect()
}

/// The values ascending, without repetitions.
fn distinct(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.dedup_by(|a, b| is_same(*a, *b));
    sorted
}

fn is_same(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME_TOLERANCE * a.abs().max(b.abs())
}
