//! The limiters of a unit. `LIMITER` selects the one to compile; without it there is none.

use dg_contract::Shape;

const INDICATE: &str = include_str!("../indicate.cu");
const SHARED: &str = include_str!("../limiter.cu");
const SLOPE: &str = include_str!("../limiter_slope.cu");
const FRAME: &str = include_str!("../limiter_frame.cu");
const SHARE: &str = include_str!("../limiter_share.cu");
const MOMENT: &str = include_str!("../limiter_moment.cu");
const PRODUCT: &str = include_str!("../limiter_product.cu");
const FILTER: &str = include_str!("../limiter_filter.cu");
const POSITIVITY: &str = include_str!("../limiter_positivity.cu");
const LIMIT: &str = include_str!("../limit.cu");

/// The indicator, what all limiters share, the parts that a case asks for, and the kernel.
pub fn text(shape: Shape) -> String {
    let moment = if shape.is_product() { PRODUCT } else { MOMENT };
    format!(
        "#ifdef LIMITER\n\
         #ifdef INDICATOR\n{INDICATE}#endif\n\
         {SHARED}\n\
         #if LIMITER == BARTH_JESPERSEN || LIMITER == VENKATAKRISHNAN\n{SLOPE}\
         #elif LIMITER == MOMENT\n{FRAME}\n{SHARE}\n{moment}\
         #endif\n\
         #if KEEP_BOUNDS\n{FILTER}#endif\n\
         #if POSITIVITY\n{POSITIVITY}#endif\n\
         {LIMIT}#endif\n"
    )
}
