//! A case as JSON, for reports and for checkpoints.

use serde_json::{Value, json};

use super::{Case, Initial, Measure, MeshOrigin, Receivers};
use crate::law::Shape;
use crate::law::geometry::Map;
use crate::mesh::Curve;
use crate::scheme;
use crate::solver::{Indicator, Integrator, Limiter, Medium, Method, PointSource, Tolerance, ViscousScheme};

impl Case {
    /// Everything that determines the solution, the signals of receivers and what else is measured, except the content of the mesh, as JSON: equal text and
    /// equal [meshes](crate::mesh::Mesh::hash) give equal steps.
    ///
    /// A checkpoint contains it, and only a case with the same identity can resume from it. Final time and output are not
    /// part of it, so that a run can be extended; nor are the places of files. `shapes` are those of the mesh's elements.
    pub fn identity(&self, shapes: &[Shape]) -> Value {
        let boundaries: serde_json::Map<_, _> =
            self.boundaries.iter().map(|(name, condition)| (name.clone(), condition.identity())).collect();
        let parameters: serde_json::Map<_, _> = (self.law.parameters.iter().zip(&self.parameters))
            .map(|(parameter, value)| (parameter.name.to_owned(), json!(value)))
            .collect();
        json!({
            "law": self.law.name,
            "generated_code": shapes.iter().filter_map(|shape| self.code(*shape)).collect::<Vec<_>>().join(" "),
            "order": self.order,
            "orders": (!self.orders.is_empty()).then_some(&self.orders),
            "precision": self.precision.c_type(),
            "parameters": parameters,
            "literal_parameters": self.literal_parameters,
            "mesh": self.mesh_identity(),
            "boundaries": boundaries,
            "periodic": self.periodic,
            "medium": self.medium.as_ref().map(Medium::identity),
            "initial": initial(&self.initial),
            "manufactured": self.exact.as_ref().and_then(|exact| exact.manufactured(self.law)).map(|solution| solution.name),
            "cfl": self.cfl(shapes),
            "tolerance": self.time.tolerance.map(|Tolerance { relative, absolute }| json!([relative, absolute])),
            "face_share": self.face_share(shapes),
            "integrator": self.integrator_identity(),
            "step_every": self.time.step_every,
            "numerical_flux": self.numerical_flux.name,
            "viscous": (self.viscous != ViscousScheme::default()).then(|| self.viscous.name()),
            "limiter": self.limiter.map(limiter),
            "well_balanced": self.well_balanced.map(|steady| steady.name),
            "point_sources": (!self.point_sources.is_empty()).then(|| {
                let source = |source: &PointSource| {
                    let PointSource { position, amplitudes, rate, .. } = source;
                    json!({ "position": position, "amplitudes": amplitudes, "rate": rate.identity() })
                };
                self.point_sources.iter().map(source).collect::<Vec<_>>()
            }),
            "measure": self.measure.as_ref().map(Measure::identity),
            "receivers": self.receivers.as_ref().map(|Receivers { every, points }| {
                let points: Vec<_> = points.iter().map(|point| json!([point.name, point.position])).collect();
                json!([every, points])
            }),
        })
    }

    /// A hash of the law's generated code: a changed law may keep its name.
    fn code(&self, shape: Shape) -> Option<String> {
        let unit = self.law.unit(shape, self.order)?;
        Some(blake3::hash(scheme::code(self.law, unit, Map::Affine).text.as_bytes()).to_hex()[..16].to_owned())
    }

    /// The integrator, and the number of its stages where the case says it; else that follows from what the identity has.
    fn integrator_identity(&self) -> String {
        match self.time.integrator {
            Integrator::Rkl2(stages) if !self.time.chooses_stages => format!("rkl2 of {} stages", stages.count()),
            integrator => integrator.name().to_owned(),
        }
    }

    fn mesh_identity(&self) -> Value {
        let origin = match &self.mesh.origin {
            MeshOrigin::File(_) => json!("file"),
            MeshOrigin::Rectangle(mesh) => json!({
                "generator": "rectangle", "elements": mesh.shape.name(), "lower": mesh.lower, "upper": mesh.upper, "cells": mesh.cells,
                "layers": mesh.layers, "grading": mesh.grading, "jitter": mesh.jitter, "curvature": mesh.curvature,
            }),
            MeshOrigin::QuarterAnnulus(mesh) => json!({
                "generator": "quarter annulus", "elements": mesh.shape.name(), "radii": [mesh.inner, mesh.outer],
                "cells": mesh.cells, "layers": mesh.layers,
            }),
            MeshOrigin::Disc(mesh) => json!({
                "generator": "disc", "elements": mesh.shape.name(), "centre": mesh.centre, "radius": mesh.radius, "rings": mesh.rings,
            }),
            MeshOrigin::ForwardStep(mesh) => json!({
                "generator": "forward step", "elements": mesh.shape.name(), "channel": mesh.channel, "step": mesh.step, "cells": mesh.cells,
                "layers": mesh.layers, "jitter": mesh.jitter,
            }),
            MeshOrigin::Block(mesh) => json!({
                "generator": mesh.domain.name(), "elements": mesh.shape.name(), "cells": mesh.cells, "layers": mesh.layers, "grading": mesh.grading,
                // `Debug` writes numbers exactly.
                "domain": format!("{:?}", mesh.domain),
            }),
        };
        let curves: serde_json::Map<_, _> =
            self.mesh.curves.iter().map(|(name, source)| (name.clone(), curve(source.as_ref()))).collect();
        json!({ "origin": origin, "refine": self.mesh.refine, "curves": curves, "degree": self.mesh.degree })
    }
}

fn limiter(limiter: Limiter) -> Value {
    json!({
        "method": limiter.method.map(Method::name),
        "variables": limiter.variables.name(),
        "indicator": limiter.indicator.map(Indicator::name),
        "positivity": limiter.positivity,
    })
}

fn initial(initial: &Initial) -> Value {
    match initial {
        Initial::Function(function) => json!({ "function": function.name }),
        Initial::From { text, .. } => json!({ "from": text }),
        Initial::Formulas(formulas) => json!({ "formulas": formulas.identity() }),
    }
}

/// The curve behind a boundary.
pub(crate) fn curve(curve: Option<&Curve>) -> Value {
    match curve {
        None => json!("straight"),
        Some(Curve::Spline) => json!("spline"),
        Some(Curve::Circle { centre, radius }) => json!({ "circle": { "centre": centre, "radius": radius } }),
    }
}
