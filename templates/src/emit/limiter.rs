//! The limiters of a unit: only the one that `LIMITER` names is compiled, none where it is not defined.

/// Every text.
pub(super) const TEXTS: [&str; 6] = [INDICATE, FRAME, SLOPE, FILTER, POSITIVITY, LIMIT];

const INDICATE: &str = include_str!("../../kernels/indicate.cu");
const FRAME: &str = include_str!("../../kernels/limiter.cu");
const SLOPE: &str = include_str!("../../kernels/limiter_slope.cu");
const FILTER: &str = include_str!("../../kernels/limiter_filter.cu");
const POSITIVITY: &str = include_str!("../../kernels/limiter_positivity.cu");
const LIMIT: &str = include_str!("../../kernels/limit.cu");

/// The frame, the parts that are asked for, and the kernel.
pub(super) fn text() -> String {
    format!(
        "#ifdef LIMITER\n#ifdef INDICATOR\n{INDICATE}#endif\n{FRAME}\n\
         #if LIMITER == BARTH_JESPERSEN || LIMITER == VENKATAKRISHNAN\n{SLOPE}#elif LIMITER == FILTER\n{FILTER}#endif\n\
         #if POSITIVITY\n{POSITIVITY}#endif\n\
         {LIMIT}#endif\n"
    )
}
