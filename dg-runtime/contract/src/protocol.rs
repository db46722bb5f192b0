//! Numbers that the generated code and the runtime must agree on: in the text they are `#define`s of the same names.

/// A constant of the generated code.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    /// Its name, in Rust and in the text.
    pub name: &'static str,
    /// Its value, as a literal of C.
    pub value: &'static str,
    /// Its meaning.
    pub doc: &'static str,
}

/// Constants of Rust, and the list of them for the text.
/// Elements of a block in CUDA's memory, those of a warp, where a unit is not compiled for others: see [`Law::cuda_block`](crate::Law::cuda_block).
pub const CUDA_BLOCK: usize = 32;

macro_rules! constants {
    ($(#[doc = $doc:literal] $name:ident: $type:ty = $value:literal;)*) => {
        $(
            #[doc = $doc]
            pub const $name: $type = $value;
        )*
        /// All of them.
        pub const CONSTANTS: &[Constant] =
            &[$(Constant { name: stringify!($name), value: stringify!($value), doc: $doc }),*];
    };
}

constants! {
    /// Where in the clock stands t at the start of the step.
    CLOCK_TIME: usize = 0;
    /// The length of the step; 0 once the target is reached or the computation has failed.
    CLOCK_DT: usize = 1;
    /// Steps taken.
    CLOCK_STEPS: usize = 2;
    /// The longest step that is stable, or within the tolerance.
    CLOCK_STABLE_DT: usize = 3;
    /// 0, or why the computation cannot go on.
    CLOCK_FAILED: usize = 4;
    /// A time that is to be hit exactly.
    CLOCK_TARGET: usize = 5;
    /// The Courant number.
    CLOCK_CFL: usize = 6;
    /// Not 0 once a stage of the step has led out of the admissible set.
    CLOCK_BROKEN: usize = 7;
    /// How often the step has been made shorter since one was accepted.
    CLOCK_HALVINGS: usize = 8;
    /// Steps rejected.
    CLOCK_REJECTED: usize = 9;
    /// Error of the last step over what is tolerated; 0 where there was none.
    CLOCK_ERROR: usize = 10;
    /// Error of the step before that one.
    CLOCK_ERROR_BEFORE: usize = 11;
    /// Numbers of the clock.
    CLOCK_NUMBERS: usize = 12;

    /// The solution has left the admissible set.
    FAILED_INADMISSIBLE: usize = 1;
    /// Time and a stable step later are the same number.
    FAILED_COLLAPSED: usize = 2;
    /// No step has an error that is tolerated.
    FAILED_INEXACT: usize = 3;

    /// The longest stable step grows at most by this from one bound to the next.
    CLOCK_GROWTH: f64 = 1.1;

    /// Where in the clock of averages stands the time up to which they reach.
    AVERAGES_TIME: usize = 0;
    /// Their duration W.
    AVERAGES_DURATION: usize = 1;
    /// Half of the last step's length w, 0 before they begin.
    AVERAGES_WEIGHT: usize = 2;
    /// w/W after either end of the last step.
    AVERAGES_SHARES: usize = 3;
    /// Numbers of the clock of averages.
    AVERAGES_NUMBERS: usize = 5;

    /// A medium that is scaled into its range keeps this share off an excluded end.
    MEDIUM_MARGIN: f64 = 0.01;
    /// And this share off an included end, for rounding.
    MEDIUM_ROUNDING: f64 = 1e-12;

    /// By what a launch of `reduce` shortens a column.
    REDUCTION: usize = 64;
    /// Columns are reduced to their sums.
    REDUCE_SUM: usize = 0;
    /// Columns are reduced to their smallest numbers.
    REDUCE_MIN: usize = 1;
    /// Columns are reduced to their largest numbers.
    REDUCE_MAX: usize = 2;

    /// Chains of the kernel `peak`, none of which waits for another.
    PEAK_CHAINS: usize = 16;
    /// Links of every chain in a round, so that counting rounds costs next to nothing.
    PEAK_LINKS: usize = 8;
}

/// Numbers that a point of a trace takes in memory: for many components an even number, so that pairs are aligned.
pub fn trace(components: usize) -> usize {
    if components > 4 { components.next_multiple_of(2) } else { components }
}

/// All constants as `#define`s, which come before the rest of a unit.
pub fn defines() -> String {
    let width = CONSTANTS.iter().map(|constant| constant.name.len() + constant.value.len()).max().unwrap_or(0);
    let line = |Constant { name, value, doc }: &Constant| {
        let gap = " ".repeat(width - name.len() - value.len());
        format!("#define {name} {value} {gap}/*{doc} */\n")
    };
    let constants: String = CONSTANTS.iter().map(line).collect();
    format!("{constants}#ifndef CUDA_BLOCK\n#define CUDA_BLOCK {CUDA_BLOCK}\n#endif\n")
}
