//! Switches in both directions against the changed system, solved from scratch.

use pliant_core::elasticity::shape_function::ShapeGradients;
use pliant_core::elasticity::stiffness::linear_stiffness_block;
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::mesh::procedural::{CellStyle, box_tets};
use pliant_quasistatic::capacitance::dense_lu::DenseLu;
use pliant_quasistatic::capacitance::switch::{
    SwitchError, SwitchedProblem, rebased, solve_switched,
};

use crate::bodies::Numbers;

/// Dense stiffness of a small block and its weights, all nodes being slots.
struct Block {
    slots: usize,
    stiffness: Vec<f64>,
    /// Nodal masses, kg.
    masses: Vec<f64>,
    /// Slots of the bottom.
    foot: Vec<bool>,
}

impl Block {
    fn new() -> Self {
        let mesh = box_tets(Vec3::new(0.2, 0.2, 0.1), [2, 3, 1], CellStyle::Kuhn);
        let material = Material::default();
        let slots = 3 * mesh.nodes.len();
        let mut stiffness = vec![0.0; slots * slots];
        for (t, tet) in mesh.tets.iter().enumerate() {
            let shape = ShapeGradients::new(mesh.corners(t)).expect("a solid tetrahedron");
            for (a, &i) in tet.iter().enumerate() {
                for (b, &j) in tet.iter().enumerate() {
                    let block = linear_stiffness_block(&shape, &material.lame(), a, b);
                    for r in 0..3 {
                        for c in 0..3 {
                            stiffness[(3 * i as usize + r) * slots + 3 * j as usize + c] +=
                                block[(r, c)];
                        }
                    }
                }
            }
        }
        let foot = mesh.nodes.iter().flat_map(|x| [x.y < -0.099; 3]);
        Self {
            slots,
            stiffness,
            foot: foot.collect(),
            masses: mesh.lumped_masses(material.density),
        }
    }

    fn k(&self, i: usize, j: usize) -> f64 {
        self.stiffness[i * self.slots + j]
    }

    /// What is not prescribed, where `held` slots have displacements; `weight` acts besides prescribed forces. `None` without an answer.
    fn direct(&self, held: &[bool], prescribed: &[f64], weight: &[f64]) -> Option<Vec<f64>> {
        let free: Vec<usize> = (0..self.slots).filter(|&i| !held[i]).collect();
        let mut lu = DenseLu::default();
        lu.factor(free.len(), |r, c| self.k(free[r], free[c]))
            .ok()?;
        let mut u = prescribed.to_vec();
        let right = |&i: &usize| {
            let from_held = (0..self.slots)
                .filter(|&j| held[j])
                .map(|j| self.k(i, j) * prescribed[j]);
            prescribed[i] + weight[i] - from_held.sum::<f64>()
        };
        let mut solution: Vec<f64> = free.iter().map(right).collect();
        lu.solve(&mut solution);
        for (&i, &x) in free.iter().zip(&solution) {
            u[i] = x;
        }
        let unknown = (0..self.slots).map(|i| {
            if held[i] {
                (0..self.slots).map(|j| self.k(i, j) * u[j]).sum::<f64>() - weight[i]
            } else {
                u[i]
            }
        });
        Some(unknown.collect())
    }

    /// `Ξ` of the block held at its foot, column by column.
    fn reference(&self) -> Vec<f64> {
        let nothing = vec![0.0; self.slots];
        let mut all = Vec::new();
        for j in 0..self.slots {
            let mut unit = nothing.clone();
            unit[j] = 1.0;
            all.extend(self.direct(&self.foot, &unit, &nothing).expect("held"));
        }
        all
    }
}

#[test]
fn three_hundred_random_switch_sets_in_both_directions_equal_a_direct_solution() {
    let block = Block::new();
    let n = block.slots;
    let xi = block.reference();
    let response = |i: usize, j: usize| xi[j * n + i];
    let mut random = Numbers(21);
    let (mut held_more, mut released) = (0, 0);
    for trial in 0..300 {
        let mut switched: Vec<u32> = Vec::new();
        for _ in 0..random.below(14) {
            let slot = random.below(n) as u32;
            // at least six components of the foot stay, far apart
            let stays = block.foot[slot as usize] && slot % 7 < 3;
            if !switched.contains(&slot) && !stays {
                switched.push(slot);
            }
        }
        let mut held = block.foot.clone();
        for &slot in &switched {
            let slot = slot as usize;
            held_more += usize::from(!held[slot]);
            released += usize::from(held[slot]);
            held[slot] = !held[slot];
        }
        let gravity = random.vector(10.0);
        let weight: Vec<f64> = (0..n)
            .map(|i| block.masses[i / 3] * gravity[i % 3])
            .collect();
        let body = block
            .direct(&block.foot, &vec![0.0; n], &weight)
            .expect("held");
        let prescribed: Vec<f64> = (0..n)
            .map(|i| match held[i] {
                true => 0.01 * random.signed(),
                false if random.signed() > 0.6 => 5.0 * random.signed(),
                false => 0.0,
            })
            .collect();
        let exact = block.direct(&held, &prescribed, &weight).expect("held");
        let problem = SwitchedProblem {
            switched: &switched,
            prescribed: &prescribed,
            body: &body,
        };
        let found = solve_switched(n, response, &problem).expect("regular");
        let scale = |is_held: bool| {
            let of_kind = (0..n).filter(|&i| held[i] == is_held);
            of_kind.map(|i| exact[i].abs()).fold(0.0, f64::max)
        };
        let (forces, displacements) = (scale(true), scale(false));
        for i in 0..n {
            let size = if held[i] { forces } else { displacements };
            let error = (found[i] - exact[i]).abs();
            assert!(
                error < 1e-10 * size,
                "trial {trial}, slot {i}: {error:e} of {size:e}"
            );
        }
    }
    assert!(held_more > 500 && released > 50, "{held_more} {released}");
}

#[test]
fn a_moved_support_is_a_new_reference_problem() {
    let block = Block::new();
    let n = block.slots;
    let xi = block.reference();
    // a corner of the foot lets go, two nodes of the top are held
    let corner = (0..n).find(|&i| block.foot[i]).expect("a foot") as u32;
    let top = (0..n as u32)
        .filter(|&i| !block.foot[i as usize])
        .rev()
        .take(6);
    let switched: Vec<u32> = (corner..corner + 3).chain(top).collect();
    let moved = rebased(n, |i, j| xi[j * n + i], &switched).expect("regular");
    let mut held = block.foot.clone();
    switched
        .iter()
        .for_each(|&s| held[s as usize] = !held[s as usize]);
    let nothing = vec![0.0; n];
    for j in (0..n).step_by(5) {
        let mut unit = nothing.clone();
        unit[j] = 1.0;
        let exact = block.direct(&held, &unit, &nothing).expect("held");
        for kind in [true, false] {
            let of_kind = || (0..n).filter(|&i| held[i] == kind);
            let size = of_kind().map(|i| exact[i].abs()).fold(1e-300, f64::max);
            for i in of_kind() {
                let error = (moved[j * n + i] - exact[i]).abs();
                assert!(error < 1e-9 * size, "column {j}, slot {i}: {error:e}");
            }
        }
    }
}

#[test]
fn impossible_switches_are_named() {
    let block = Block::new();
    let n = block.slots;
    let xi = block.reference();
    let zeros = vec![0.0; n];
    let solve = |switched: &[u32], prescribed: &[f64]| {
        let problem = SwitchedProblem {
            switched,
            prescribed,
            body: &zeros,
        };
        solve_switched(n, |i, j| xi[j * n + i], &problem)
    };
    let slots = n;
    assert_eq!(
        solve(&[4, 4], &zeros),
        Err(SwitchError::SwitchedTwice { slot: 4 })
    );
    assert_eq!(
        solve(&[900], &zeros),
        Err(SwitchError::OutOfRange { slot: 900, slots })
    );
    assert_eq!(
        solve(&[1], &[0.0; 3]),
        Err(SwitchError::OutOfRange { slot: 3, slots })
    );
    // the whole foot lets go: nothing holds the block
    let foot: Vec<u32> = (0..n as u32).filter(|&i| block.foot[i as usize]).collect();
    assert!(matches!(
        solve(&foot, &zeros),
        Err(SwitchError::Singular { .. })
    ));
}
