//! Values of a law's parameters in the generated code.
//!
//! They are variables there, set when the code is loaded: one compiled unit serves every value. So are expressions of
//! parameters alone, such as γ - 1, which a kernel computes once. Where a case asks for literals, the unit is compiled anew for
//! its values.

use crate::device::{Device, Module, args};
use crate::law::Law;

use super::{Error, Precision};

/// The `#define`s that turn parameters into literals.
pub(super) fn literals(law: &Law, values: &[f64]) -> impl Iterator<Item = (String, String)> {
    let literals = names(law).zip(values).map(|(name, value)| (name, format!("R({value:?})")));
    std::iter::once(("LITERAL_PARAMETERS".to_owned(), "1".to_owned())).chain(literals)
}

/// Sets the parameters of a unit compiled without literals, and the expressions of parameters alone.
pub(super) fn set(
    device: &Device,
    module: &mut Module,
    (law, precision): (&Law, Precision),
    values: &[f64],
) -> Result<(), Error> {
    for (name, &value) in names(law).zip(values) {
        module.set_parameter(&name, value)?;
    }
    if law.once == 0 {
        return Ok(());
    }
    let once = precision.allocate(device, law.once)?;
    device.launch(&module.kernel("compute_once")?, 1, &args! { values: &once })?;
    for (i, value) in precision.read(device, &once, law.once)?.into_iter().enumerate() {
        module.set_parameter(&format!("once_{i}"), value)?;
    }
    Ok(())
}

/// The parameters' names in generated code.
fn names(law: &Law) -> impl Iterator<Item = String> {
    law.parameters.iter().map(|parameter| format!("parameter_{}", parameter.name))
}
