//! A case as JSON, for reports and for checkpoints.

use serde_json::{Value, json};

use super::{Case, CurveSource, Field, MeshOrigin};

impl Case {
    /// Everything on which the solution depends, as JSON: equal text, equal steps.
    ///
    /// A checkpoint holds it and only goes on with a case that says the same. When to stop and what to write are not
    /// part of it, so that a run can be carried on for longer.
    pub fn identity(&self) -> Value {
        let boundaries: serde_json::Map<_, _> =
            self.boundaries.iter().map(|(name, function)| (name.clone(), json!(function.name))).collect();
        let parameters: serde_json::Map<_, _> = (self.law.parameters.iter().zip(&self.parameters))
            .map(|(parameter, value)| (parameter.name.to_owned(), json!(value)))
            .collect();
        json!({
            "law": self.law.name,
            "order": self.order,
            "parameters": parameters,
            "mesh": self.mesh_identity(),
            "boundaries": boundaries,
            "periodic": self.periodic,
            "initial": field(&self.initial),
            "cfl": self.time.cfl,
            "integrator": self.time.integrator.name(),
            "step_every": self.time.step_every,
            "numerical_flux": self.numerical_flux.name,
        })
    }

    fn mesh_identity(&self) -> Value {
        let origin = match &self.mesh.origin {
            MeshOrigin::File(path) => json!({ "file": path }),
            MeshOrigin::Rectangle { lower, upper, cells, jitter } => {
                json!({ "generator": "rectangle", "lower": lower, "upper": upper, "cells": cells, "jitter": jitter })
            }
            MeshOrigin::QuarterAnnulus { radii, cells } => {
                json!({ "generator": "quarter annulus", "radii": radii, "cells": cells })
            }
            MeshOrigin::Disc { centre, radius, cells } => {
                json!({ "generator": "disc", "centre": centre, "radius": radius, "cells": cells })
            }
        };
        let curves: serde_json::Map<_, _> =
            self.mesh.curves.iter().map(|(name, source)| (name.clone(), curve(source))).collect();
        json!({ "origin": origin, "refine": self.mesh.refine, "curves": curves })
    }
}

fn field(field: &Field) -> Value {
    match field {
        Field::Function(function) => json!({ "function": function.name }),
        Field::Formulas(formulas) => {
            json!({ "formulas": formulas.iter().map(|formula| formula.text()).collect::<Vec<_>>() })
        }
    }
}

fn curve(source: &CurveSource) -> Value {
    match source {
        CurveSource::Spline => json!("spline"),
        CurveSource::Circle { centre, radius } => json!({ "circle": { "centre": centre, "radius": radius } }),
    }
}
