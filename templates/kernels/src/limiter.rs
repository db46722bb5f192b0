//! The limiters of a unit. `LIMITER` selects the one to compile; without it there is none.

const INDICATE: &str = include_str!("../indicate.cu");
const FRAME: &str = include_str!("../limiter.cu");
const SLOPE: &str = include_str!("../limiter_slope.cu");
const MOMENT: &str = include_str!("../limiter_moment.cu");
const FILTER: &str = include_str!("../limiter_filter.cu");
const POSITIVITY: &str = include_str!("../limiter_positivity.cu");
const LIMIT: &str = include_str!("../limit.cu");

/// The indicator, the frame, the parts that a case asks for, and the kernel.
pub fn text() -> String {
    format!(
        "#ifdef LIMITER\n\
         #ifdef INDICATOR\n{INDICATE}#endif\n\
         {FRAME}\n\
         #if LIMITER == BARTH_JESPERSEN || LIMITER == VENKATAKRISHNAN\n{SLOPE}\
         #elif LIMITER == MOMENT\n{MOMENT}\
         #endif\n\
         #if KEEP_BOUNDS\n{FILTER}#endif\n\
         #if POSITIVITY\n{POSITIVITY}#endif\n\
         {LIMIT}#endif\n"
    )
}
