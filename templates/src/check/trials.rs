//! What all numerical fluxes of a law are tried at: drawn once, and waves found only where a flux is held to them.

use std::cell::OnceCell;
use std::ops::Bound;

use super::SEED;
use crate::derive::isolated::{Joined, Waves};
use crate::derive::{Inputs, Point, Points};
use crate::ir::{Isolated, Law};

/// The number of pairs of states.
const PAIRS: usize = 96;

/// The number of pairs from which waves start.
const STARTS: usize = 10;

/// The number of waves around sonic states that are enough.
const SONIC: usize = 6;

/// Where weak waves are on the way between two states; in the end the waves have no direction to the other state.
const PLACES: [f64; 4] = [0.0, 0.3, 0.6, 0.9];

/// A pair of random states, exact and in double precision.
pub struct Pair {
    pub point: Point,
    pub floats: Inputs<f64>,
}

/// Pairs of states of a law, random ones and such as one wave joins.
pub struct Trials<'a> {
    law: &'a Law,
    pub pairs: Vec<Pair>,
    contacts: OnceCell<Vec<Joined>>,
    shocks: OnceCell<Vec<Joined>>,
    rarefactions: OnceCell<Vec<Joined>>,
    standing_shocks: OnceCell<Vec<Joined>>,
    drifting_shocks: OnceCell<Vec<[Joined; 2]>>,
}

impl<'a> Trials<'a> {
    /// Draws pairs of states.
    pub fn new(law: &'a Law) -> Self {
        let mut source = Points::new(law, SEED + 6).over_ranges();
        let points = (0..PAIRS).filter_map(|_| source.admissible());
        let pairs = points.map(|point| Pair { floats: point.map(|value| value.to_f64()), point }).collect();
        let [contacts, shocks, rarefactions, standing_shocks] = Default::default();
        let drifting_shocks = OnceCell::default();
        Self { law, pairs, contacts, shocks, rarefactions, standing_shocks, drifting_shocks }
    }

    /// Pairs that one wave joins.
    pub fn joined(&self, wave: Isolated) -> &[Joined] {
        let some = || self.waves().take(STARTS);
        match wave {
            Isolated::Contact => self.contacts.get_or_init(|| some().flat_map(|waves| waves.contacts()).collect()),
            Isolated::Shock => self.shocks.get_or_init(|| some().flat_map(|waves| waves.shocks()).collect()),
            Isolated::Rarefaction => self.rarefactions.get_or_init(|| {
                let transonic = self.waves().flat_map(|waves| waves.transonic_rarefactions()).take(SONIC);
                some().flat_map(|waves| waves.rarefactions()).chain(transonic).collect()
            }),
        }
    }

    /// Pairs that a shock at rest joins.
    pub fn standing_shocks(&self) -> &[Joined] {
        let find = || self.waves().flat_map(|waves| waves.standing_shocks()).take(SONIC).collect();
        self.standing_shocks.get_or_init(find)
    }

    /// Pairs that a slow shock joins, each with those of a weaker one: some at any parameters, and for each parameter with a range on which
    /// the flux depends some where it is small, and some where it is large. Signals may be too slow for some of its values alone.
    pub fn drifting_shocks(&self) -> &[[Joined; 2]] {
        let find = || {
            let at = |pair: &Pair| Waves::new(self.law, &pair.floats).drifting_shocks();
            let mut found: Vec<_> = self.pairs.iter().flat_map(at).take(SONIC).collect();
            for (i, field) in self.law.parameters.fields.iter().enumerate().skip(self.law.medium.fields.len()) {
                let mut pairs: Vec<&Pair> = self.pairs.iter().collect();
                pairs.sort_by(|a, b| a.floats.parameters[i].total_cmp(&b.floats.parameters[i]));
                if field.range != (Bound::Unbounded, Bound::Unbounded) && self.flux_depends(&pairs, i) {
                    found.extend(pairs.iter().copied().flat_map(at).take(SONIC));
                    found.extend(pairs.iter().rev().copied().flat_map(at).take(SONIC));
                }
            }
            found
        };
        self.drifting_shocks.get_or_init(find)
    }

    /// Whether the flux at the first of some pairs is another one with the parameter of the last.
    fn flux_depends(&self, pairs: &[&Pair], i: usize) -> bool {
        let [first, .., last] = pairs else { return false };
        let mut other = first.floats.clone();
        other.parameters[i] = last.floats.parameters[i];
        match (first.floats.normal_flux(self.law), other.normal_flux(self.law)) {
            (Ok(a), Ok(b)) => a != b,
            _ => true,
        }
    }

    /// Pairs that a weak wave joins, around both states of all pairs and between them.
    pub fn weak(&self) -> impl Iterator<Item = Joined> + '_ {
        self.pairs.iter().flat_map(move |Pair { floats, .. }| {
            let between = move |share: f64| {
                let ends = floats.left.iter().zip(&floats.right);
                Inputs { left: ends.map(|(l, r)| l + share * (r - l)).collect(), ..floats.clone() }
            };
            PLACES.into_iter().flat_map(move |share| Waves::new(self.law, &between(share)).weak())
        })
    }

    fn waves(&self) -> impl Iterator<Item = Waves<'a>> + '_ {
        self.pairs.iter().map(|pair| Waves::new(self.law, &pair.floats))
    }
}
