//! What a case measures. Quantities are formulas of the law's fields, which are compiled into the unit; a setup that measures nothing has none
//! of this.

use crate::formula::Formulas;

/// What a computation measures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// The quantities at points and over regions.
    pub quantities: Option<Quantities>,
    /// The quantities of which there are averages in time, from a time on.
    pub averaged: Option<(Quantities, f64)>,
    /// Whether fluxes through boundaries are measured.
    pub flux: bool,
}

/// Quantities of the solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantities {
    /// Their names.
    pub names: Vec<String>,
    /// A formula of the law's fields for each.
    pub formulas: Formulas,
}

/// The functions of the generated code that compute quantities, and the macros with their numbers.
const QUANTITIES: [&str; 2] = ["law_quantities", "QUANTITIES"];
const AVERAGED: [&str; 2] = ["law_averaged", "AVERAGED"];

impl Measured {
    fn all(&self) -> impl Iterator<Item = ([&'static str; 2], &Quantities)> {
        let averaged = self.averaged.iter().map(|(quantities, _)| (AVERAGED, quantities));
        self.quantities.iter().map(|quantities| (QUANTITIES, quantities)).chain(averaged)
    }

    /// Which of these quantities have averages, as numbers among the averaged ones.
    pub fn averages_of(&self, quantities: &[usize]) -> Vec<usize> {
        let (Some(of), Some((averaged, _))) = (&self.quantities, &self.averaged) else { return Vec::new() };
        let number = |&i: &usize| averaged.names.iter().position(|name| *name == of.names[i]);
        quantities.iter().filter_map(number).collect()
    }

    /// The functions that they add to a unit.
    pub(in crate::solver) fn functions(&self) -> String {
        self.all().map(|([function, _], quantities)| quantities.formulas.quantities(function)).collect()
    }

    /// The `#define`s of the kernels that they take.
    pub(in crate::solver) fn defines(&self, numerical_flux: &str) -> Vec<(String, String)> {
        let count =
            |([_, name], quantities): ([&str; 2], &Quantities)| (name.to_owned(), quantities.names.len().to_string());
        let mut defines: Vec<_> = self.all().map(count).collect();
        if self.flux {
            defines.push(("BOUNDARY_FLUX".to_owned(), "1".to_owned()));
            defines.push(("NUMERICAL_FLUX".to_owned(), numerical_flux.to_owned()));
        }
        defines
    }
}
