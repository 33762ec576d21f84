//! The steps of a level from frame to frame. Rates rise at once. They fall after 30 frames that need less, or after 5 that need less than half, because each change adds a little energy.

use super::split::{cheapest_split, cost, count_moving};
use crate::step::time_step::may_decrease_steps;

/// Least share of the cost that another set of stiff elements has to save.
const MIN_SAVING: f64 = 0.15;
/// Number of values that [`Rates::save`] writes besides the stiff elements.
const FIXED_VALUES: usize = 6;

/// Which elements of a level are stiff, and how many steps a second these and the others take.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Rates {
    /// steps a second of the elements that are not stiff; 0 before the first frame
    slow_rate: f64,
    /// steps a second that the stiff elements need
    stiff_rate: f64,
    /// stiff elements, ascending
    stiff: Vec<u32>,
    /// for each element whether it is stiff
    is_stiff: Vec<bool>,
    /// frames since the rates last changed
    frames_since_change: u32,
    /// slow and stiff rate that these frames needed
    needed_rates: [f64; 2],
    /// steps a second that each element needs now; 0 for one that does not move
    pub element_rates: Vec<f64>,
    /// for each node whether a constraint acts on it; `false` between uses
    pub touched: Vec<bool>,
}

impl Rates {
    /// Begins a frame whose elements need [`Rates::element_rates`], and in which constraints act on the nodes marked in [`Rates::touched`]. Returns whether the set of stiff elements
    /// has changed.
    ///
    /// Elements at touched nodes are never stiff: a tool corrects the velocity of a node only once in a step of the others.
    pub fn begin_frame(&mut self, tets: &[[u32; 4]]) -> bool {
        let (mut min_slow_rate, mut present_rates, mut has_touched_stiff) =
            (0.0_f64, [0.0_f64; 2], false);
        let is_new = self.slow_rate <= 0.0 || self.is_stiff.len() != tets.len();
        for (t, rate) in self.element_rates.iter().enumerate() {
            let is_stiff = !is_new && self.is_stiff[t];
            let largest = &mut present_rates[usize::from(is_stiff)];
            *largest = largest.max(*rate);
            if *rate > min_slow_rate && self.is_touched(&tets[t]) {
                min_slow_rate = *rate;
                has_touched_stiff |= is_stiff;
            }
        }
        if is_new || has_touched_stiff {
            return self.choose_split(min_slow_rate);
        }
        let is_raised = present_rates[0] > self.slow_rate || present_rates[1] > self.stiff_rate;
        (self.slow_rate, self.stiff_rate) = (
            self.slow_rate.max(present_rates[0]),
            self.stiff_rate.max(present_rates[1]),
        );
        if is_raised {
            (self.frames_since_change, self.needed_rates) = (0, [0.0; 2]);
        } else {
            self.needed_rates = [0, 1].map(|k| self.needed_rates[k].max(present_rates[k]));
            self.frames_since_change += 1;
        }
        let count = count_moving(&self.element_rates);
        let cost_at = |[slow, stiff]: [f64; 2]| cost(count, self.stiff.len(), slow, stiff);
        let is_lowered = may_decrease_steps(
            self.frames_since_change,
            cost_at(self.needed_rates) / cost_at([self.slow_rate, self.stiff_rate]),
        );
        if is_lowered {
            [self.slow_rate, self.stiff_rate] = self.needed_rates;
            (self.frames_since_change, self.needed_rates) = (0, [0.0; 2]);
        }
        let cheapest = cheapest_split(&self.element_rates, min_slow_rate).cost;
        let saved = 1.0 - cheapest / cost_at([self.slow_rate, self.stiff_rate]);
        let is_too_costly = match is_raised || is_lowered {
            true => saved > MIN_SAVING,
            // some elements need far more than the others now
            false => may_decrease_steps(self.frames_since_change, 1.0 - saved),
        };
        is_too_costly && self.choose_split(min_slow_rate)
    }

    /// Lowers the present rates to a limit that elements keep now.
    pub fn lower_to(&mut self, limit: f64) {
        self.slow_rate = self.slow_rate.min(limit);
        self.stiff_rate = self.stiff_rate.min(limit);
        self.needed_rates = self.needed_rates.map(|rate| rate.min(limit));
    }

    /// Whether a constraint acts on a corner of an element.
    fn is_touched(&self, tet: &[u32; 4]) -> bool {
        tet.iter().any(|&n| self.touched[n as usize])
    }

    /// Steps a second that the touched elements need: 0 where nothing touches the body.
    pub fn touched_rate(&self, tets: &[[u32; 4]]) -> f64 {
        let all = self.element_rates.iter().zip(tets);
        let touched = all.filter(|(_, tet)| self.is_touched(tet));
        touched.fold(0.0, |largest, (rate, _)| rate.max(largest))
    }

    /// Chooses the stiff elements anew. Returns whether their set has changed.
    fn choose_split(&mut self, min_slow_rate: f64) -> bool {
        let split = cheapest_split(&self.element_rates, min_slow_rate);
        (self.slow_rate, self.stiff_rate) = (split.slow_rate, split.stiff_rate);
        (self.frames_since_change, self.needed_rates) = (0, [0.0; 2]);
        let previous = std::mem::take(&mut self.stiff);
        let is_stiff = self
            .element_rates
            .iter()
            .map(|rate| *rate > split.slow_rate);
        self.is_stiff.clear();
        self.is_stiff.extend(is_stiff);
        self.list_stiff();
        self.stiff != previous
    }

    /// Lists the elements that are marked as stiff.
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
    pub fn slow_rate(&self) -> f64 {
        self.slow_rate
    }

    /// Steps of stiff elements in a step of `step` seconds of the others.
    pub fn ratio(&self, step: f64) -> u32 {
        match self.stiff.is_empty() {
            true => 1,
            // round-off of the step itself
            false => (self.stiff_rate * step - 1e-9).ceil().max(1.0) as u32,
        }
    }

    /// Continues with parts of the elements: `origins` has for each of them the element that it is a part of.
    pub fn inherit(&mut self, origins: &[u32]) {
        let previous = std::mem::take(&mut self.is_stiff);
        let is_stiff = |origin: &u32| previous.get(*origin as usize).copied().unwrap_or(false);
        self.is_stiff.extend(origins.iter().map(is_stiff));
        self.list_stiff();
    }

    /// Resets everything, because the elements have changed.
    pub fn clear(&mut self) {
        (self.slow_rate, self.stiff_rate) = (0.0, 0.0);
        (self.frames_since_change, self.needed_rates) = (0, [0.0; 2]);
        self.stiff.clear();
        self.is_stiff.clear();
    }

    /// Appends the values that [`Rates::restore`] takes.
    pub fn save(&self, values: &mut Vec<f64>) {
        values.extend(self.stiff.iter().map(|&t| f64::from(t)));
        let [needed_slow, needed_stiff] = self.needed_rates;
        let count = self.stiff.len() as f64;
        let frames = f64::from(self.frames_since_change);
        values.extend([
            self.slow_rate,
            self.stiff_rate,
            frames,
            needed_slow,
            needed_stiff,
            count,
        ]);
    }

    /// Restores the saved values at the end of `values`, for `elements` elements, and returns the values before them. `None`, and nothing changes, if they do not fit.
    pub fn restore<'a>(&mut self, values: &'a [f64], elements: usize) -> Option<&'a [f64]> {
        let (
            rest,
            &[
                slow_rate,
                stiff_rate,
                frames,
                needed_slow,
                needed_stiff,
                count,
            ],
        ) = values.split_last_chunk::<FIXED_VALUES>()?;
        let (rest, stiff) = rest.split_at_checked(rest.len().checked_sub(count as usize)?)?;
        let stiff: Vec<u32> = stiff.iter().map(|&t| t as u32).collect();
        let ascends = stiff.windows(2).all(|pair| pair[0] < pair[1]);
        let is_whole = count.fract() == 0.0 && (slow_rate + stiff_rate).is_finite();
        if !is_whole || !ascends || stiff.last().is_some_and(|&t| t as usize >= elements) {
            return None;
        }
        self.is_stiff = vec![false; elements];
        for &t in &stiff {
            self.is_stiff[t as usize] = true;
        }
        (self.slow_rate, self.stiff_rate, self.stiff) = (slow_rate, stiff_rate, stiff);
        (self.frames_since_change, self.needed_rates) =
            (frames as u32, [needed_slow, needed_stiff]);
        Some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Elements in a row, one node each; the first ten are stiff.
    fn rates(count: u32) -> (Rates, Vec<[u32; 4]>) {
        let element_rates = (0..count).map(|t| if t < 10 { 800.0 } else { 100.0 });
        let rates = Rates {
            element_rates: element_rates.collect(),
            touched: vec![false; count as usize],
            ..Rates::default()
        };
        (rates, (0..count).map(|t| [t; 4]).collect())
    }

    #[test]
    fn steps_rise_at_once_and_fall_after_thirty_frames() {
        let (mut rates, tets) = rates(1000);
        assert!(rates.begin_frame(&tets));
        assert_eq!((rates.stiff().len(), rates.slow_rate()), (10, 100.0));
        assert_eq!(rates.ratio(0.01), 8);
        rates.element_rates[500] = 105.0;
        assert!(!rates.begin_frame(&tets));
        assert_eq!(rates.slow_rate(), 105.0);
        rates.element_rates[500] = 100.0;
        for frame in 0..31 {
            assert_eq!(rates.slow_rate(), 105.0, "{frame}");
            assert!(!rates.begin_frame(&tets));
        }
        assert_eq!(rates.slow_rate(), 100.0);
    }

    #[test]
    fn after_an_impact_rates_fall_after_five_frames() {
        let (mut rates, tets) = rates(1000);
        rates.begin_frame(&tets);
        rates.element_rates[100..900].fill(900.0);
        rates.begin_frame(&tets);
        assert_eq!(rates.slow_rate(), 900.0);
        rates.element_rates[100..900].fill(100.0);
        for _ in 0..5 {
            rates.begin_frame(&tets);
            assert_eq!(rates.slow_rate(), 900.0);
        }
        rates.begin_frame(&tets);
        assert_eq!(rates.slow_rate(), 100.0);
    }

    #[test]
    fn an_element_that_becomes_stiff_is_added_to_the_stiff_ones() {
        let (mut rates, tets) = rates(1000);
        rates.begin_frame(&tets);
        rates.element_rates[500] = 700.0;
        assert!(rates.begin_frame(&tets));
        assert_eq!((rates.stiff().len(), rates.slow_rate()), (11, 100.0));
    }

    #[test]
    fn what_a_tool_touches_is_not_stiff() {
        let (mut rates, tets) = rates(1000);
        rates.begin_frame(&tets);
        rates.touched[3] = true;
        assert!(rates.begin_frame(&tets));
        assert_eq!((rates.stiff().len(), rates.slow_rate()), (0, 800.0));
    }

    #[test]
    fn saved_rates_are_restored_and_wrong_values_change_nothing() {
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
