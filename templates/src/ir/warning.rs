//! The kinds of warnings, by whose names a law can accept them.

macro_rules! warnings {
    ($($(#[doc = $meaning:literal])+ $variant:ident = $name:literal,)+) => {
        /// A kind of warning. Its name is for `#[accept(name)]`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Warning {
            $($(#[doc = $meaning])+ $variant,)+
        }

        impl Warning {
            /// All kinds.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Its name in the language.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// What it says, in a line.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => concat!($($meaning),+).trim_ascii(),)+
                }
            }
        }
    };
}

warnings! {
    /// a statement is neither proved nor refuted
    Undecided = "undecided",
    /// no state that was tried takes a branch, or lets an operand decide, so that nothing is known of the function there
    UntriedBranch = "untried_branch",
    /// no admissible state was found, so that nothing was checked
    Unchecked = "unchecked",
    /// an initial, exact or ghost state is inadmissible
    InadmissibleState = "inadmissible_state",
    /// ghost states of ghost states grow without bound
    GrowingGhost = "growing_ghost",
    /// the law makes no sense for values of a parameter that no `#[range]` leaves out
    ParameterRange = "parameter_range",
    /// the mean of admissible states is not always admissible
    NonconvexAdmissible = "nonconvex_admissible",
    /// a numerical flux or a wall is not the same in all directions, or with other signs, as the flux is
    BrokenSymmetry = "broken_symmetry",
    /// the flux Jacobian has no full set of eigenvectors
    WeaklyHyperbolic = "weakly_hyperbolic",
    /// the flux Jacobian has complex eigenvalues at some admissible states
    NotHyperbolic = "not_hyperbolic",
    /// a quantity of a minimum principle may drop where the flux varies in space
    VaryingFlux = "varying_flux",
    /// a declared bound on wave speeds is several times too large at every state
    LooseBound = "loose_bound",
    /// the flux neither depends on a component nor changes it, and no source changes it
    IdleComponent = "idle_component",
    /// a manufactured solution needs no source
    NeedlessManufactured = "needless_manufactured",
    /// a numerical flux damps a wave less than upwinding does
    WeakDissipation = "weak_dissipation",
    /// a numerical flux damps a wave at least twice as fast as any wave moves at every state, or in comparison with all states, or where none moves
    StrongDissipation = "strong_dissipation",
    /// a numerical flux is exact in one medium, and not between two
    InexactInterface = "inexact_interface",
    /// a numerical flux jumps where a condition changes
    DiscontinuousFlux = "discontinuous_flux",
    /// a numerical flux keeps expansion shocks
    ExpansionShocks = "expansion_shocks",
    /// a numerical flux has slower signals than the law has waves or shocks
    SlowSignals = "slow_signals",
    /// a numerical flux destroys entropy between many pairs of states
    DestroysEntropy = "destroys_entropy",
    /// an `#[accept]` silences nothing
    NeedlessAccept = "needless_accept",
}

impl Warning {
    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|warning| warning.name() == name)
    }
}

/// A kind of warning that the author of a law accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The kind.
    pub warning: Warning,
    /// Its name in the source.
    pub span: super::Span,
}

#[cfg(test)]
mod tests {
    use super::Warning;

    #[test]
    fn names_are_distinct_and_documented() {
        let guide = include_str!("../../../docs/language.md");
        for (i, warning) in Warning::ALL.iter().enumerate() {
            let name = warning.name();
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{name}");
            assert!(Warning::ALL[..i].iter().all(|other| other.name() != name), "{name}");
            assert_eq!(Warning::from_name(name), Some(*warning));
            assert!(guide.contains(&format!("| `{name}` | {} |", warning.meaning())), "docs/language.md lacks {name}");
        }
    }
}
