//! Laws of the cut: invariants 1 to 6 of its description.

use nalgebra::Rotation3;
use pliant_adaptive::cut::{Cut, CutForces, Interface, NodeState, Operators, SkinBlend};
use pliant_adaptive::force::ElementConstants;
use pliant_core::material::MaterialLaw;
use pliant_core::math::{Mat3, Vec3};

use crate::bodies::{With, bent, left_of};
use crate::cut::cuts::{Dice, LEVELS, constants, forest, free_nodes, random_cut, stiffness};

fn check_paths(cut: &Cut) {
    let forest = cut.forest();
    for leaf in 0..forest.node_count() as u32 {
        if !forest.children(leaf).is_empty() {
            continue;
        }
        let (mut node, mut active) = (Some(leaf), 0);
        while let Some(n) = node {
            active += usize::from(cut.is_active(n));
            node = forest.parent(n);
        }
        assert_eq!(active, 1, "path of leaf {leaf}");
    }
    // neighbours differ by one level at most
    for node in 0..forest.node_count() as u32 {
        if cut.state(node) == NodeState::Dormant {
            continue;
        }
        for &tet in forest.tets_of(node) {
            for neighbour in forest.tets()[tet as usize] {
                if let Some(uncle) = forest.parent(neighbour) {
                    assert_ne!(cut.state(uncle), NodeState::Dormant);
                }
            }
        }
    }
    let corners = |t: &[u32; 4]| t.iter().filter(|n| cut.is_active(**n)).count();
    let counted: usize = forest.tets().iter().filter(|t| corners(t) > 0).count();
    assert_eq!(cut.evaluated_counts().iter().sum::<usize>(), counted);
    assert_eq!(cut.active_nodes().count(), cut.active_count());
}

#[test]
fn every_path_has_one_active_node_after_any_splits_and_merges() {
    let forest = forest(&LEVELS, None);
    let mut dice = Dice(7);
    let mut cut = Cut::coarsest(forest.clone());
    check_paths(&cut);
    let (mut splits, mut merges, mut refused) = (0, 0, 0);
    for step in 0..400 {
        let node = if step % 3 == 0 {
            let active: Vec<u32> = cut.active_nodes().collect();
            active[dice.below(active.len())]
        } else {
            let all = 0..forest.node_count() as u32;
            let refined: Vec<u32> = all
                .filter(|&n| cut.state(n) == NodeState::Refined)
                .collect();
            *refined.get(dice.below(refined.len())).unwrap_or(&0)
        };
        match cut.state(node) {
            NodeState::Active => splits += cut.split(node).len(),
            NodeState::Refined => {
                let done = cut.merge(node);
                merges += usize::from(done);
                refused += usize::from(!done);
            }
            NodeState::Dormant => assert!(!cut.can_merge(node)),
        }
        if step % 20 == 0 {
            check_paths(&cut);
        }
    }
    check_paths(&cut);
    assert!(
        splits > 30 && merges > 10 && refused > 10,
        "{splits} {merges} {refused}"
    );
    let mut other = Cut::coarsest(forest.clone());
    assert!(other.set_states(cut.states()));
    assert_eq!(other.states(), cut.states());
    let mut broken = cut.states().to_vec();
    broken[0] = NodeState::Dormant;
    assert!(!other.set_states(&broken));
}

#[test]
fn ghosts_are_ordered_follow_affine_motions_and_scatter_is_the_transpose() {
    let forest = forest(&LEVELS, None);
    let mut dice = Dice(3);
    let f = Mat3::new(1.0, 0.4, 0.0, -0.3, 1.2, 0.1, 0.2, 0.0, 0.8);
    let map = |x: &Vec3| f * x + Vec3::new(3.0, -1.0, 2.0);
    for splits in [0, 1, 2, 5, 10, 20, 40, 80] {
        let cut = random_cut(&forest, splits, &mut dice);
        let operators = Operators::new(&cut);
        let mut is_known: Vec<bool> = (0..forest.node_count() as u32)
            .map(|n| cut.is_active(n))
            .collect();
        for &ghost in operators.ghosts() {
            let (nodes, _) = operators.row(ghost).expect("a row");
            assert!(
                nodes.iter().all(|&n| is_known[n as usize]),
                "order at {ghost}"
            );
            is_known[ghost as usize] = true;
        }
        assert!(is_known.iter().all(|k| *k));
        let mut x: Vec<Vec3> = forest.rest().iter().map(map).collect();
        let right = x.clone();
        for &ghost in operators.ghosts() {
            x[ghost as usize] = Vec3::repeat(f64::NAN);
        }
        operators.forward(&mut x);
        for (x, right) in x.iter().zip(&right) {
            assert!(
                (x - right).norm() < 1e-11,
                "{splits}: {}",
                (x - right).norm()
            );
        }
        let blend = SkinBlend::new(&cut);
        let skin = &forest.asset().skin;
        let mut scratch = vec![0.0; forest.node_count()];
        for (v, place) in skin.positions.iter().enumerate() {
            let position = blend.interpolate(&cut, v, &x);
            assert!((position - map(place)).norm() < 1e-11);
            let masters = operators.expand(blend.row(&cut, v), &mut scratch);
            let same: Vec3 = masters.iter().map(|&(n, w)| x[n as usize] * w).sum();
            assert!(masters.iter().all(|&(n, _)| cut.is_active(n)));
            assert!((position - same).norm() < 1e-11);
        }
        assert!(scratch.iter().all(|s| *s == 0.0));
        // a · S u = Sᵀ a · u
        let mut u = vec![Vec3::zeros(); forest.node_count()];
        for &n in operators.active() {
            u[n as usize] = dice.vector();
        }
        let a: Vec<Vec3> = u.iter().map(|_| dice.vector()).collect();
        let mut su = u.clone();
        operators.forward(&mut su);
        let mut sta = a.clone();
        operators.transpose(&mut sta);
        let dot = |p: &[Vec3], q: &[Vec3]| -> f64 { p.iter().zip(q).map(|(p, q)| p.dot(q)).sum() };
        let (left, right) = (dot(&a, &su), dot(&sta, &u));
        assert!(
            (left - right).abs() < 1e-10 * left.abs().max(10.0),
            "{left} {right}"
        );
    }
}

#[test]
fn conservative_forces_have_no_resultant_no_moment_and_a_potential() {
    let forest = forest(&LEVELS, None);
    let mut dice = Dice(11);
    let constants = constants(0.3);
    for splits in [0, 3, 12, 40] {
        let mut cut = random_cut(&forest, splits, &mut dice);
        let operators = Operators::new(&cut);
        cut.compute_shares(&operators);
        let of = CutForces {
            cut: &cut,
            operators: &operators,
            constants: &constants,
            interface: Interface::Conservative,
        };
        let forces = |x: &mut Vec<Vec3>| {
            operators.forward(x);
            let mut f = vec![Vec3::zeros(); x.len()];
            of.evaluate(x, &vec![Vec3::zeros(); x.len()], &mut f);
            f
        };
        let turn = Rotation3::from_euler_angles(0.4, 1.0, -0.7);
        let mut turned: Vec<Vec3> = forest.rest().iter().map(|x| turn * x).collect();
        let scale = 1e5 * 0.1;
        assert!(forces(&mut turned).iter().all(|f| f.norm() < 1e-11 * scale));
        let mut x: Vec<Vec3> = forest
            .rest()
            .iter()
            .map(|x| bent(x) + dice.vector() * 0.01)
            .collect();
        let f = forces(&mut x);
        let size: f64 = f.iter().map(|f| f.norm()).sum();
        let (mut sum, mut moment) = (Vec3::zeros(), Vec3::zeros());
        for (x, f) in x.iter().zip(&f) {
            sum += f;
            moment += x.cross(f);
        }
        assert!(sum.norm() < 1e-12 * size && moment.norm() < 1e-12 * size);
        for _ in 0..12 {
            let n = operators.active()[dice.below(operators.active().len())] as usize;
            let (axis, h) = (dice.below(3), 1e-6);
            let energy_at = |step: f64| {
                let mut moved = x.clone();
                moved[n][axis] += step;
                operators.forward(&mut moved);
                of.energy(&moved)
            };
            let slope = (energy_at(h) - energy_at(-h)) / (2.0 * h);
            assert!(
                (slope + f[n][axis]).abs() < 1e-6 * size,
                "{slope} {}",
                f[n][axis]
            );
        }
    }
}

/// Eigenvalues of `M⁻¹ K` of the small-strain motion around rest: (largest imaginary part, smallest real part), both over the largest.
fn spectrum(cut: &Cut, constants: &ElementConstants, interface: Interface) -> (f64, f64) {
    let operators = Operators::new(cut);
    let of = CutForces {
        cut,
        operators: &operators,
        constants,
        interface,
    };
    let free = free_nodes(cut);
    let mut matrix = stiffness(&of, &free);
    for (i, mut row) in matrix.row_iter_mut().enumerate() {
        row /= cut.forest().masses()[free[i / 3]];
    }
    let values = matrix.complex_eigenvalues();
    let largest = values.iter().map(|e| e.re.abs()).fold(0.0, f64::max);
    let imaginary = values.iter().map(|e| e.im.abs()).fold(0.0, f64::max);
    let real = values.iter().map(|e| e.re).fold(f64::INFINITY, f64::min);
    (imaginary / largest, real / largest)
}

#[test]
fn every_conservative_cut_is_stable_without_damping_and_the_paper_interface_is_not() {
    let support = left_of(-0.499);
    let cases = [
        (forest(&[[1, 1, 1], [2, 2, 3], [4, 3, 5]], Some(support)), 6),
        (forest(&[[1, 1, 2], [3, 2, 3]], None), 4),
    ];
    let mut dice = Dice(5);
    let mut paper_fails = 0;
    for nu in [0.0, 0.3, 0.45] {
        // linear forces: the matrix is exact
        let constants = constants(nu).with(|p| p.law = MaterialLaw::Cauchy);
        for (forest, splits) in &cases {
            for _ in 0..4 {
                let count = 1 + dice.below(*splits);
                let mut cut = random_cut(forest, count, &mut dice);
                cut.compute_shares(&Operators::new(&cut));
                let (imaginary, real) = spectrum(&cut, &constants, Interface::Conservative);
                assert!(imaginary < 1e-9 && real > -1e-9, "{imaginary} {real}");
                let (imaginary, real) = spectrum(&cut, &constants, Interface::Paper);
                paper_fails += usize::from(imaginary > 1e-6 || real < -1e-6);
            }
        }
    }
    assert!(paper_fails > 12, "{paper_fails}");
}

#[test]
fn a_cut_of_one_level_equals_that_level() {
    let levels = [[2, 2, 2], [4, 3, 5]];
    let forest = forest(&levels, None);
    let constants = constants(0.3);
    for l in 0..2 {
        let cut = Cut::at_level(forest.clone(), l);
        let range = forest.nodes_of_level(l);
        assert_eq!(
            cut.active_nodes().collect::<Vec<_>>(),
            range.clone().collect::<Vec<_>>()
        );
        let operators = Operators::new(&cut);
        let x: Vec<Vec3> = forest.rest().iter().map(bent).collect();
        let v: Vec<Vec3> = x.iter().map(|x| x.yzx()).collect();
        let mut f = vec![Vec3::zeros(); x.len()];
        CutForces {
            cut: &cut,
            operators: &operators,
            constants: &constants,
            interface: Interface::Conservative,
        }
        .evaluate(&x, &v, &mut f);
        let own = range.start as usize..range.end as usize;
        let mut plain = vec![Vec3::zeros(); own.len()];
        pliant_adaptive::force::reference::ReferenceForces::new(forest.level(l).0, constants)
            .evaluate(&x[own.clone()], &v[own.clone()], &mut plain);
        assert_eq!(&f[own], plain.as_slice());
    }
}
