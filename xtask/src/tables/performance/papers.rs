//! Numbers of the papers for the work of a kernel.
//!
//! Their bodies have other sizes and their machines are twenty years older: the numbers only show what was possible then.

/// The short names of the papers in the table, and their full names.
pub const PAPERS: [(&str, &str); 4] = [
    ("DDCB 2001", "Debunne, Desbrun, Cani, Barr 2001"),
    ("JP 2001", "James, Pai 2001, the book chapter"),
    ("JP 2003", "James, Pai 2003"),
    ("RJ 2007", "Rivers, James 2007"),
];

/// A result in a paper.
enum Printed {
    /// A number in the unit of the kernel, and what it measures if that is not exactly the work of the kernel.
    Figure(f64, &'static str),
    /// A text, if the paper measures something else.
    Text(&'static str),
}
use Printed::{Figure, Text};

/// The results of a paper for a kernel.
struct Entry {
    /// Name of the kernel in the table.
    kernel: &'static str,
    /// The paper and the place in it.
    from: (&'static str, &'static str),
    /// Results by the size in the table.
    printed: &'static [(usize, Printed)],
}

/// Nanoseconds per particle of a step in table 1 of Rivers and James, from the milliseconds of the step.
const fn ns_per_particle(milliseconds: f64, particles: f64) -> f64 {
    1e6 * milliseconds / particles
}

const ENTRIES: &[Entry] = &[
    Entry {
        kernel: "adaptive-poke",
        from: ("DDCB 2001", "section 5"),
        printed: &[(35_301, Text("5 to 20 x"))],
    },
    Entry {
        kernel: "gf-sum-dense",
        from: ("JP 2001", "table 1.3"),
        printed: &[
            (10, Text("37 us for 100 vertices")),
            (20, Text("77 us for 100 vertices")),
            (40, Text("152 us for 100 vertices")),
            (100, Text("382 us for 100 vertices")),
        ],
    },
    Entry {
        kernel: "gf-sum-wavelet",
        from: ("JP 2003", "figure 17"),
        printed: &[(543, Figure(190.0, "537 vertices, dense"))],
    },
    Entry {
        kernel: "capacitance-factor",
        from: ("JP 2001", "table 1.3"),
        printed: &[
            (10, Figure(80.0, "")),
            (20, Figure(430.0, "")),
            (40, Figure(2590.0, "")),
            (100, Figure(40_000.0, "")),
        ],
    },
    Entry {
        kernel: "capacitance-solve",
        from: ("JP 2001", "table 1.3"),
        printed: &[
            (10, Figure(3.0, "")),
            (20, Figure(11.0, "")),
            (40, Figure(42.0, "")),
            (100, Figure(230.0, "")),
        ],
    },
    Entry {
        kernel: "haptic-point",
        from: ("JP 2001", "table 1.2"),
        printed: &[(602, Figure(64.0, "620 vertices"))],
    },
    Entry {
        kernel: "bem-gf",
        from: ("JP 2001", "table 1.2"),
        printed: &[(602, Figure(60.0 * 2.7, "620 vertices"))],
    },
    Entry {
        kernel: "bem-gf",
        from: ("JP 2003", "table II"),
        printed: &[
            (602, Figure(60.0 * 40.0, "642 vertices")),
            (
                2648,
                Figure(3600.0 * 9.0, "2,562 vertices, eight processors"),
            ),
        ],
    },
    Entry {
        kernel: "region-sum",
        from: ("RJ 2007", "table 1"),
        printed: &[(
            1,
            Figure(ns_per_particle(31.62, 57_626.0), "fast sums of a step"),
        )],
    },
    Entry {
        kernel: "lattice-step-damped",
        from: ("RJ 2007", "table 1"),
        printed: &[(
            57_760,
            Figure(ns_per_particle(167.83, 57_626.0), "57,626 particles"),
        )],
    },
    Entry {
        kernel: "lattice-shell",
        from: ("RJ 2007", "table 1"),
        printed: &[(
            19_856,
            Figure(ns_per_particle(48.47, 19_959.0), "19,959 particles, damped"),
        )],
    },
    Entry {
        kernel: "lattice-bodies",
        from: ("RJ 2007", "figure 1"),
        printed: &[(150, Figure(150.0 * 0.28, "150 penguins of 0.28 ms"))],
    },
    Entry {
        kernel: "polar",
        from: ("RJ 2007", "section 4"),
        printed: &[
            (4096, Figure(2500.0, "cold")),
            (4096, Figure(450.0, "warm")),
        ],
    },
    Entry {
        kernel: "lattice-penguin",
        from: ("RJ 2007", "table 1"),
        printed: &[(1, Figure(280.0, "150 particles"))],
    },
];

/// A number in the format of the table: three significant digits, no exponent.
pub fn significant(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let digits = (2 - value.abs().log10().floor() as i32).max(0) as usize;
    format!("{value:.digits$}")
}

/// The results of the papers for a kernel at a size, with their places. Empty without results, and for several threads: the papers are compared with one thread.
pub fn cell(kernel: &str, size: &str, threads: &str, unit: &str) -> String {
    if threads != "1" {
        return String::new();
    }
    let mut texts = Vec::new();
    for Entry { from, printed, .. } in ENTRIES.iter().filter(|e| e.kernel == kernel) {
        let (paper, place) = from;
        for (_, printed) in printed.iter().filter(|p| p.0.to_string() == size) {
            let what = match printed {
                Text(words) => (*words).to_string(),
                Figure(value, "") => format!("{} {unit}", significant(*value)),
                Figure(value, of) => format!("{} {unit}, {of}", significant(*value)),
            };
            texts.push(format!("{what} ({paper}, {place})"));
        }
    }
    texts.join("; ")
}

/// The line below the table with the full names of the papers.
pub fn names() -> String {
    let names = PAPERS.map(|(short, long)| format!("{short}: {long}"));
    format!("Papers: {}.\n", names.join("; "))
}

/// Kernel, size and threads of each row with a result of a paper.
#[cfg(test)]
pub fn rows() -> Vec<[String; 3]> {
    let of = |entry: &Entry| {
        let sizes = entry.printed.iter();
        let name = |(size, _): &(usize, Printed)| {
            [entry.kernel.to_string(), size.to_string(), "1".to_string()]
        };
        sizes.map(name).collect::<Vec<_>>()
    };
    ENTRIES.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_the_unit_of_the_kernel_and_the_place() {
        assert_eq!(
            cell("capacitance-factor", "40", "1", "us/factor"),
            "2590 us/factor (JP 2001, table 1.3)"
        );
        assert_eq!(
            cell("lattice-step-damped", "57760", "1", "ns/particle"),
            "2912 ns/particle, 57,626 particles (RJ 2007, table 1)"
        );
        assert_eq!(
            cell("polar", "4096", "1", "ns/matrix"),
            "2500 ns/matrix, cold (RJ 2007, section 4); 450 ns/matrix, warm (RJ 2007, section 4)"
        );
        // another number of threads, another size, a kernel that no paper has
        assert_eq!(cell("lattice-step-damped", "57760", "2", "ns/particle"), "");
        assert_eq!(cell("capacitance-factor", "300", "1", "us/factor"), "");
        assert_eq!(cell("skin", "20186", "1", "ns/vertex"), "");
    }

    #[test]
    fn every_paper_is_named_below_the_table() {
        for Entry { kernel, from, .. } in ENTRIES {
            let paper = from.0;
            assert!(PAPERS.iter().any(|p| p.0 == paper), "{kernel}: {paper}");
            assert!(names().contains(&format!("{paper}: ")), "{paper}");
        }
    }
}
