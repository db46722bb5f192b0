//! The limiters of a unit: only the one that `LIMITER` names is compiled, none where it is not defined.

/// Every text.
pub(super) const TEXTS: [&str; 4] = [FRAME, SLOPE, POSITIVITY, LIMIT];

const FRAME: &str = include_str!("../../kernels/limiter.cu");
const SLOPE: &str = include_str!("../../kernels/limiter_slope.cu");
const POSITIVITY: &str = include_str!("../../kernels/limiter_positivity.cu");
const LIMIT: &str = include_str!("../../kernels/limit.cu");

/// The frame, the parts that are asked for, and the kernel.
pub(super) fn text() -> String {
    format!(
        "#ifdef LIMITER\n{FRAME}\n\
         #if LIMITER == BARTH_JESPERSEN || LIMITER == VENKATAKRISHNAN\n{SLOPE}#endif\n\
         #if POSITIVITY\n{POSITIVITY}#endif\n\
         {LIMIT}#endif\n"
    )
}
