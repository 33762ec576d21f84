//! The steps of a level from frame to frame: raised at once, lowered after 30 frames, or after 5 that need less than half. A change pumps a little energy.

use super::split::{cheapest, cost, moving};
use crate::step::time_step::is_quiet;

/// Another set of stiff elements has to save this share of the cost.
const SAVED: f64 = 0.15;
/// Numbers that [`Rates::save`] writes besides the stiff elements.
const FIXED: usize = 6;

/// Which elements of a level are stiff, and how many steps a second it has.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Rates {
    /// steps a second of the others; 0 before the first frame
    base: f64,
    /// steps a second that the stiff elements need
    top: f64,
    /// stiff elements, ascending
    stiff: Vec<u32>,
    /// the same for each element
    is_stiff: Vec<bool>,
    /// frames since steps were looked at, and what was needed in them
    frames: u32,
    needed: [f64; 2],
    /// steps a second that each element needs now; 0 for one that does not move
    pub needs: Vec<f64>,
    /// `false` between uses, one a node
    pub touched: Vec<bool>,
}

impl Rates {
    /// Takes over what elements need, [`Rates::needs`], in a frame that begins; the nodes marked in [`Rates::touched`] are under constraints. Returns whether other elements
    /// are stiff now.
    ///
    /// Elements at touched nodes are never stiff: a tool undoes the kicks of a node once in a step of the others.
    pub fn begin_frame(&mut self, tets: &[[u32; 4]]) -> bool {
        let touched = |t: usize| tets[t].iter().any(|&n| self.touched[n as usize]);
        let (mut least, mut now, mut is_outdated) = (0.0_f64, [0.0_f64; 2], false);
        let is_new = self.base <= 0.0 || self.is_stiff.len() != tets.len();
        for (t, need) in self.needs.iter().enumerate() {
            let is_stiff = !is_new && self.is_stiff[t];
            let of = &mut now[usize::from(is_stiff)];
            *of = of.max(*need);
            if *need > least && touched(t) {
                least = *need;
                is_outdated |= is_stiff;
            }
        }
        if is_new || is_outdated {
            return self.split(least);
        }
        let is_raised = now[0] > self.base || now[1] > self.top;
        (self.base, self.top) = (self.base.max(now[0]), self.top.max(now[1]));
        if is_raised {
            (self.frames, self.needed) = (0, [0.0; 2]);
        } else {
            self.needed = [0, 1].map(|k| self.needed[k].max(now[k]));
            self.frames += 1;
        }
        let count = moving(&self.needs);
        let at = |[base, top]: [f64; 2]| cost(count, self.stiff.len(), base, top);
        let is_over = is_quiet(self.frames, at(self.needed) / at([self.base, self.top]));
        if is_over {
            [self.base, self.top] = self.needed;
            (self.frames, self.needed) = (0, [0.0; 2]);
        }
        let cheapest = cheapest(&self.needs, least).cost;
        let saved = 1.0 - cheapest / at([self.base, self.top]);
        let is_dear = match is_raised || is_over {
            true => saved > SAVED,
            // some need far more than the others now
            false => is_quiet(self.frames, 1.0 - saved),
        };
        is_dear && self.split(least)
    }

    /// Chooses the stiff elements anew. Returns whether they are others.
    fn split(&mut self, least: f64) -> bool {
        let split = cheapest(&self.needs, least);
        (self.base, self.top) = (split.base, split.top);
        (self.frames, self.needed) = (0, [0.0; 2]);
        let was = std::mem::take(&mut self.stiff);
        let is_stiff = self.needs.iter().map(|need| *need > split.base);
        self.is_stiff.clear();
        self.is_stiff.extend(is_stiff);
        self.list_stiff();
        self.stiff != was
    }

    fn list_stiff(&mut self) {
        let numbers = (0..).zip(&self.is_stiff);
        let stiff = numbers.filter_map(|(t, is_stiff): (u32, _)| is_stiff.then_some(t));
        self.stiff.clear();
        self.stiff.extend(stiff);
    }

    /// Stiff elements, ascending.
    pub fn stiff(&self) -> &[u32] {
        &self.stiff
    }

    /// Steps a second of the elements that are not stiff.
    pub fn base(&self) -> f64 {
        self.base
    }

    /// Steps of stiff elements in a step of `step` seconds of the others.
    pub fn ratio(&self, step: f64) -> u32 {
        match self.stiff.is_empty() {
            true => 1,
            // round-off of the step itself
            false => (self.top * step - 1e-9).ceil().max(1.0) as u32,
        }
    }

    /// Goes on with parts of the elements: `origins` has for each of them the element that it is a part of.
    pub fn follow(&mut self, origins: &[u32]) {
        let was = std::mem::take(&mut self.is_stiff);
        let is_stiff = |origin: &u32| was.get(*origin as usize).copied().unwrap_or(false);
        self.is_stiff.extend(origins.iter().map(is_stiff));
        self.list_stiff();
    }

    /// Forgets everything, because there are other elements.
    pub fn forget(&mut self) {
        (self.base, self.top) = (0.0, 0.0);
        (self.frames, self.needed) = (0, [0.0; 2]);
        self.stiff.clear();
        self.is_stiff.clear();
    }

    /// Numbers that [`Rates::restore`] takes.
    pub fn save(&self, values: &mut Vec<f64>) {
        values.extend(self.stiff.iter().map(|&t| f64::from(t)));
        let [slow, fast] = self.needed;
        let count = self.stiff.len() as f64;
        let frames = f64::from(self.frames);
        values.extend([self.base, self.top, frames, slow, fast, count]);
    }

    /// Takes the numbers at the end of these, for `elements`, and returns what is left of them before; `None`, and nothing changes, where they are not there.
    pub fn restore<'a>(&mut self, values: &'a [f64], elements: usize) -> Option<&'a [f64]> {
        let (rest, &[base, top, frames, slow, fast, count]) = values.split_last_chunk::<FIXED>()?;
        let (rest, stiff) = rest.split_at_checked(rest.len().checked_sub(count as usize)?)?;
        let stiff: Vec<u32> = stiff.iter().map(|&t| t as u32).collect();
        let ascends = stiff.windows(2).all(|pair| pair[0] < pair[1]);
        let is_whole = count.fract() == 0.0 && (base + top).is_finite();
        if !is_whole || !ascends || stiff.last().is_some_and(|&t| t as usize >= elements) {
            return None;
        }
        self.is_stiff = vec![false; elements];
        for &t in &stiff {
            self.is_stiff[t as usize] = true;
        }
        (self.base, self.top, self.stiff) = (base, top, stiff);
        (self.frames, self.needed) = (frames as u32, [slow, fast]);
        Some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Elements in a row, one node each; the first ten are stiff.
    fn rates(count: u32) -> (Rates, Vec<[u32; 4]>) {
        let needs = (0..count).map(|t| if t < 10 { 800.0 } else { 100.0 });
        let rates = Rates {
            needs: needs.collect(),
            touched: vec![false; count as usize],
            ..Rates::default()
        };
        (rates, (0..count).map(|t| [t; 4]).collect())
    }

    #[test]
    fn steps_rise_at_once_and_fall_after_thirty_frames() {
        let (mut rates, tets) = rates(1000);
        assert!(rates.begin_frame(&tets));
        assert_eq!((rates.stiff().len(), rates.base()), (10, 100.0));
        assert_eq!(rates.ratio(0.01), 8);
        rates.needs[500] = 105.0;
        assert!(!rates.begin_frame(&tets));
        assert_eq!(rates.base(), 105.0);
        rates.needs[500] = 100.0;
        for frame in 0..31 {
            assert_eq!(rates.base(), 105.0, "{frame}");
            assert!(!rates.begin_frame(&tets));
        }
        assert_eq!(rates.base(), 100.0);
    }

    #[test]
    fn after_an_impact_they_fall_after_five_frames() {
        let (mut rates, tets) = rates(1000);
        rates.begin_frame(&tets);
        rates.needs[100..900].fill(900.0);
        rates.begin_frame(&tets);
        assert_eq!(rates.base(), 900.0);
        rates.needs[100..900].fill(100.0);
        for _ in 0..5 {
            rates.begin_frame(&tets);
            assert_eq!(rates.base(), 900.0);
        }
        rates.begin_frame(&tets);
        assert_eq!(rates.base(), 100.0);
    }

    #[test]
    fn an_element_that_gets_stiff_joins_the_others() {
        let (mut rates, tets) = rates(1000);
        rates.begin_frame(&tets);
        rates.needs[500] = 700.0;
        assert!(rates.begin_frame(&tets));
        assert_eq!((rates.stiff().len(), rates.base()), (11, 100.0));
    }

    #[test]
    fn what_a_tool_touches_is_not_stiff() {
        let (mut rates, tets) = rates(1000);
        rates.begin_frame(&tets);
        rates.touched[3] = true;
        assert!(rates.begin_frame(&tets));
        assert_eq!((rates.stiff().len(), rates.base()), (0, 800.0));
    }

    #[test]
    fn numbers_bring_the_same_rates_back_and_wrong_ones_change_nothing() {
        let (mut before, tets) = rates(1000);
        before.begin_frame(&tets);
        before.begin_frame(&tets);
        let mut values = vec![7.0];
        before.save(&mut values);
        let (mut other, _) = rates(1000);
        assert_eq!(other.restore(&values, 1000), Some(&[7.0][..]));
        assert_eq!(other, before);
        assert_eq!(other.restore(&values, 5), None);
        assert_eq!(other.restore(&values[10..], 1000), None);
        assert_eq!(other.restore(&[], 1000), None);
        assert_eq!(other, before);
    }
}
