//! Groups of elements: parts of a mesh that have a name, such as a material.

use std::collections::{BTreeMap, HashMap};

/// The groups in which the elements are. An element may be in several, or in none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Groups {
    /// The sets of groups in which elements are, by the groups' names.
    pub sets: Vec<Vec<String>>,
    /// The set of every element; empty where no element is in a group.
    pub of_elements: Vec<u32>,
}

impl Groups {
    /// The groups of elements whose sets have numbers of their own, by the names of each set.
    pub(super) fn new<K: Copy + Eq + std::hash::Hash>(
        sets_of_elements: impl Iterator<Item = K>,
        names: impl Fn(K) -> Vec<String>,
    ) -> Self {
        let (mut groups, mut known) = (Self::default(), HashMap::new());
        let mut add = |set: K| {
            let names = names(set);
            groups.sets.iter().position(|other| *other == names).unwrap_or_else(|| {
                groups.sets.push(names);
                groups.sets.len() - 1
            }) as u32
        };
        groups.of_elements = sets_of_elements.map(|set| *known.entry(set).or_insert_with(|| add(set))).collect();
        if groups.sets.iter().all(Vec::is_empty) { Self::default() } else { groups }
    }

    /// The names of an element's groups.
    pub fn of(&self, element: usize) -> &[String] {
        self.of_elements.get(element).map_or(&[], |set| &self.sets[*set as usize])
    }

    /// The names of all groups, sorted.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.sets.iter().flatten().map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The names of all groups, sorted, with their numbers of elements; and the number of elements in no group.
    pub fn counts(&self) -> (Vec<(&str, usize)>, usize) {
        let mut of_sets = vec![0; self.sets.len()];
        self.of_elements.iter().for_each(|&set| of_sets[set as usize] += 1);
        let (mut counts, mut in_none) = (BTreeMap::new(), 0);
        for (names, count) in self.sets.iter().zip(of_sets) {
            in_none += if names.is_empty() { count } else { 0 };
            names.iter().for_each(|name| *counts.entry(name.as_str()).or_default() += count);
        }
        (counts.into_iter().collect(), in_none)
    }

    /// The groups where each element gives way to this many.
    pub(super) fn of_children(&self, children: usize) -> Self {
        let repeated = self.of_elements.iter().flat_map(|set| std::iter::repeat_n(*set, children));
        Self { sets: self.sets.clone(), of_elements: repeated.collect() }
    }

    /// The groups where the elements are in another order, which lists their old numbers.
    pub(super) fn reordered(&self, order: &[u32]) -> Self {
        let of_elements = if self.of_elements.is_empty() {
            Vec::new()
        } else {
            order.iter().map(|&old| self.of_elements[old as usize]).collect()
        };
        Self { sets: self.sets.clone(), of_elements }
    }
}
