//! Rate-distortion allocation: the fewest bytes at a given squared error, over all blocks at once.
//!
//! One Lagrange multiplier, the price of a byte in squared error, decides which terms are dropped, how wide integers are, which blocks are dense and which are
//! divided. The number of bytes is least where all blocks have the same price (Shoham and Gersho 1988).

/// Bytes that a block takes beside its numbers.
const BLOCK_BYTES: f64 = 28.0;
/// Bytes of a scale.
const SCALE_BYTES: f64 = 4.0;

/// Squared errors of a term.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TermErrors {
    /// without the term
    pub(crate) dropped: f64,
    /// in narrow integers, in wide ones
    pub(crate) rounded: [f64; 2],
}

/// The forms that a block may have, with their errors and sizes. Squared errors count both triangles.
#[derive(Debug, Default)]
pub(crate) struct BlockOptions {
    /// terms of low rank; none for blocks on the diagonal
    pub(crate) terms: Option<Vec<TermErrors>>,
    /// integers of a term
    pub(crate) term_numbers: usize,
    /// squared error that all terms together leave
    pub(crate) residual: f64,
    /// squared errors of all entries in narrow integers, and in wide ones
    pub(crate) dense: Option<[f64; 2]>,
    /// integers and scales of the dense form
    pub(crate) dense_size: [usize; 2],
    /// the blocks it may be divided into; their indices are higher
    pub(crate) children: Vec<usize>,
}

/// The form that was chosen for a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Its children.
    Divided,
    /// Terms of low rank.
    LowRank,
    /// All entries; `true` in wide integers.
    Dense(bool),
}

/// Width of a term at a price: none where it is dropped, else `true` for wide integers.
pub(crate) fn term_width(term: &TermErrors, numbers: usize, price: f64) -> Option<bool> {
    let cost =
        |wide: usize| term.rounded[wide] + price * (SCALE_BYTES + ((1 + wide) * numbers) as f64);
    let wide = cost(1) < cost(0);
    (cost(usize::from(wide)) < term.dropped).then_some(wide)
}

/// The best choice for each block at a price for a byte in squared error; also the squared error.
pub(crate) fn choose(blocks: &[BlockOptions], price: f64) -> (Vec<Choice>, f64) {
    let mut choices = vec![Choice::Divided; blocks.len()];
    // cost and squared error of each block and what is below it
    let mut best = vec![[f64::INFINITY; 2]; blocks.len()];
    for (k, block) in blocks.iter().enumerate().rev() {
        if !block.children.is_empty() {
            best[k] = [0.0; 2];
            for &child in &block.children {
                best[k] = [best[k][0] + best[child][0], best[k][1] + best[child][1]];
            }
        }
        let mut consider = |choice, error: f64, bytes: f64| {
            let cost = error + price * bytes;
            if cost < best[k][0] || (error == 0.0 && best[k][0].is_infinite()) {
                best[k] = [cost, error];
                choices[k] = choice;
            }
        };
        if let Some(terms) = &block.terms {
            let (mut error, mut bytes) = (block.residual, BLOCK_BYTES);
            for term in terms {
                match term_width(term, block.term_numbers, price) {
                    None => error += term.dropped,
                    Some(wide) => {
                        let wide = usize::from(wide);
                        error += term.rounded[wide];
                        bytes += SCALE_BYTES + ((1 + wide) * block.term_numbers) as f64;
                    }
                }
            }
            consider(Choice::LowRank, error, bytes);
        }
        if let Some(errors) = block.dense {
            let [numbers, scales] = block.dense_size.map(|x| x as f64);
            for (wide, error) in [(false, errors[0]), (true, errors[1])] {
                let width = if wide { 2.0 } else { 1.0 };
                let bytes = BLOCK_BYTES + SCALE_BYTES * scales + width * numbers;
                consider(Choice::Dense(wide), error, bytes);
            }
        }
    }
    (choices, best.first().map_or(0.0, |b| b[1]))
}

/// The highest price at which the squared error of the first block, with all below it, stays within `budget`.
pub(crate) fn price_for(blocks: &[BlockOptions], budget: f64) -> f64 {
    // at the highest price nothing is kept, at the lowest all is
    let (mut low, mut high) = (-300.0_f64, 60.0_f64);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if choose(blocks, middle.exp2()).1 <= budget {
            low = middle;
        } else {
            high = middle;
        }
    }
    low.exp2()
}
