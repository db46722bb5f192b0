//! The results of the algebra, in the runtime's types.

use dg_contract::{Algebra, CharacteristicVariables, Owned};

use crate::derive::{Characteristic, Derived, FarField, Rotation, depend_on_time, formulas};
use crate::ir::{FunctionId, Law};
use crate::medium::as_parameters;

/// The results derived from a law, as readable text.
pub fn algebra(law: &Law, derived: &Derived) -> Algebra<Owned> {
    // What is derived takes the medium's fields for parameters.
    let plain = as_parameters(law);
    let characteristic = match &derived.characteristic {
        Characteristic::Derived(maps) => CharacteristicVariables::Formulas(
            maps.iter()
                .map(|maps| dg_contract::Characteristic {
                    to: formulas(&plain, &maps.to),
                    from: formulas(&plain, &maps.from),
                })
                .collect(),
        ),
        Characteristic::AtRunTime(why) => CharacteristicVariables::Computed { why: why.clone() },
        Characteristic::None(why) => CharacteristicVariables::None { why: why.clone() },
    };
    let name = |id: &FunctionId| law.function(*id).name.clone();
    Algebra {
        jacobian: derived.jacobian.clone(),
        eigenvalues: derived.eigenvalues.clone(),
        wave_speed: derived.wave_speed.clone(),
        admissible: derived.admissible.clone(),
        linear: derived.linear,
        nonlinear: derived.nonlinear,
        source_linear: derived.source_linear,
        source_jacobian: derived.source_entries.clone(),
        steady: law.steady().map(|id| law.function(id).name.clone()).collect(),
        mirrors: law.mirrors().map(|id| law.function(id).name.clone()).collect(),
        inversions: derived.viscous.iter().flat_map(|viscous| &viscous.inversions).map(name).collect(),
        changing_media: law
            .changing_media()
            .map(|id| (law.function(id).name.clone(), depend_on_time(law, id)))
            .collect(),
        characteristic,
        far_field: match &derived.far_field {
            FarField::Derived { .. } => Ok(()),
            FarField::None(why) => Err(why.clone()),
        },
        rotation: match &derived.rotation {
            Rotation::Vectors(vectors) => Ok(vectors.iter().map(|&(x, y)| [x, y]).collect()),
            Rotation::None(why) => Err(why.clone()),
        },
    }
}
