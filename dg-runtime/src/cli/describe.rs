//! `describe`: everything known about a law.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::laws::title;
use super::table::{indent, table};
use super::{Error, Report, find_law};
use crate::law::{
    AXES, Characteristic, CharacteristicVariables, Cost, Function, KeptMedium, KernelCost, Law, Role, Shape, Unit,
};

/// Arguments of `describe`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  {bin} describe euler")]
pub(super) struct Describe {
    /// The law
    law: String,
}

/// The functions of a role.
type OfRole = fn(&Role) -> bool;

/// The roles shown as lists of functions.
const LISTS: [(OfRole, &str, &str); 13] = [
    (|role| matches!(role, Role::WaveSpeed), "Declared bound on the speeds of waves", "declared_wave_speed"),
    (|role| matches!(role, Role::Boundary { .. }), "Boundaries", "boundaries"),
    (|role| matches!(role, Role::BoundaryFlux { .. }), "Viscous fluxes at boundaries", "boundary_fluxes"),
    (|role| matches!(role, Role::DerivedBoundary), "Derived boundaries", "derived_boundaries"),
    (|role| matches!(role, Role::NumericalFlux), "Numerical fluxes", "numerical_fluxes"),
    (|role| matches!(role, Role::Nonconservative | Role::Jump), "Non-conservative product", "nonconservative"),
    (|role| matches!(role, Role::ViscousFlux), "Viscous flux", "viscous_flux"),
    (|role| matches!(role, Role::Source), "Source", "sources"),
    (|role| matches!(role, Role::Initial), "Initial states", "initial"),
    (|role| matches!(role, Role::Exact), "Exact solutions", "exact"),
    (
        |role| matches!(role, Role::ManufacturedSource { .. }),
        "Sources derived for manufactured solutions",
        "manufactured_sources",
    ),
    (|role| matches!(role, Role::Variables { .. }), "Other variables for formulas", "variables"),
    (|role| matches!(role, Role::Output | Role::GradientOutput), "Outputs", "outputs"),
];

fn listed(law: &'static Law, is_listed: OfRole) -> impl Iterator<Item = &'static Function> {
    law.functions.iter().filter(move |function| is_listed(&function.role))
}

pub(super) fn describe(arguments: &Describe, laws: &[&'static Law]) -> Result<Report, Error> {
    let law = find_law(&arguments.law, laws)?;
    Ok(Report::new(as_json(law), as_text(law)))
}

fn as_text(law: &'static Law) -> String {
    let mut text = format!("{} (in {} dimensions)\n{}", law.name, law.dim, indent(&without_fences(law.doc)));
    let mut section = |title: &str, content: String| {
        if !content.is_empty() {
            text += &format!("\n{title}\n{}", indent(&content));
        }
    };
    section("State", aligned(law.state.iter().map(|variable| (variable.name.to_owned(), title(variable.doc)))));
    section(
        "Parameters",
        aligned(law.parameters.iter().map(|parameter| {
            let value = parameter.default.map_or("to be given".to_owned(), |value| format!("{value}"));
            let range = parameter.range_in_words().map_or(String::new(), |range| format!(", {range}"));
            (format!("{} = {value}{range}", parameter.name), title(parameter.doc))
        })),
    );
    for (is_listed, heading, _) in LISTS {
        section(
            heading,
            aligned(listed(law, is_listed).map(|function| (function.name.to_owned(), remark(law, function)))),
        );
    }
    for (axis, jacobian) in AXES.iter().zip(law.algebra.jacobian) {
        section(&format!("Flux Jacobian in {axis}, its entries that are not 0"), entries(law, jacobian));
    }
    section("Eigenvalues in direction of a normal", law.algebra.eigenvalues.join("\n"));
    section("Bound on the wave speed, in numerical flux and time step", law.algebra.wave_speed.to_owned());
    section("Source Jacobian, its entries that are not 0", source_entries(law));
    let linear = if law.algebra.linear { "The flux is linear in the state." } else { "" };
    section("Structure", linear.to_owned());
    match law.algebra.characteristic {
        CharacteristicVariables::Formulas(directions) => {
            for (axis, Characteristic { to, from }) in AXES.iter().zip(directions) {
                let heading = format!("Characteristic variables w in {axis} of a change v of the state u, and back");
                section(&heading, format!("{}\n{}", formulas(to), formulas(from)));
            }
        }
        CharacteristicVariables::Computed { why } => {
            section("Characteristic variables", format!("Computed at each state. There are no formulas: {why}."));
        }
        CharacteristicVariables::None { why } => section("Characteristic variables", format!("None: {why}.")),
    }
    if let Err(reason) = law.algebra.far_field {
        section("Derived boundaries", format!("None: {reason}."));
    }
    section(
        "Established, and how",
        law.proofs.iter().map(|proof| format!("{} ({})\n", proof.statement, proof.method)).collect(),
    );
    section("Floating-point operations for one element", work(law, |kernel| kernel.flops));
    section("Real numbers moved at least for one element", work(law, |kernel| kernel.reals));
    text
}

/// A doc comment without the fences around blocks of formulas.
fn without_fences(doc: &str) -> String {
    doc.trim().lines().filter(|line| !line.starts_with("```")).map(|line| format!("{line}\n")).collect()
}

/// Names and their meanings, in two columns.
fn aligned(items: impl Iterator<Item = (String, String)>) -> String {
    let items: Vec<_> = items.collect();
    let width = items.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    items.iter().map(|(name, meaning)| format!("{name:<width$}  {meaning}").trim_end().to_owned() + "\n").collect()
}

/// The description of a function: its doc comment, with additions for its role.
fn remark(law: &Law, function: &Function) -> String {
    let mut remark = title(function.doc);
    if !function.impermeable().is_empty() {
        let names: Vec<_> = function.impermeable().iter().map(|component| law.state[*component].name).collect();
        let names = names.join(", ");
        let _ =
            write!(remark, " Lets no {names} pass; along the normals of a curve, what the straight faces are off it.");
    }
    if let Role::BoundaryFlux { of } = function.role {
        let _ = write!(remark, " Imposed by {of}.");
    }
    if law.algebra.steady.contains(&function.name) && function.role == Role::Exact {
        remark.push_str(" Steady.");
    }
    if law.changing_fields(function).is_some_and(|fields| fields.contains(&true)) {
        remark.push_str(" Changes with time.");
    }
    if !function.variables().is_empty() {
        let _ = write!(remark, " Variables: {}.", function.variables().join(", "));
    }
    remark.trim_start().to_owned()
}

fn entries(law: &Law, jacobian: &[&[&str]]) -> String {
    let rows = jacobian.iter().zip(law.state).flat_map(|(row, flux)| {
        row.iter().zip(law.state).filter(|(entry, _)| **entry != "0").map(move |(entry, variable)| {
            (format!("d flux({}) / d {}", flux.name, variable.name), format!("= {entry}"))
        })
    });
    aligned(rows)
}

fn source_entries(law: &Law) -> String {
    let source = law.with_role(Role::Source).next().map_or("", |source| source.name);
    let rows = law.algebra.source_jacobian.iter().zip(law.state).flat_map(|(row, rate)| {
        row.iter().zip(law.state).filter(|(entry, _)| **entry != "0").map(move |(entry, variable)| {
            (format!("d {source}({}) / d {}", rate.name, variable.name), format!("= {entry}"))
        })
    });
    aligned(rows)
}

fn formulas(lines: &[(&str, &str)]) -> String {
    lines.iter().map(|(name, value)| format!("{name} = {value}\n")).collect()
}

/// Tables of kernels by orders, one for each shape.
fn work(law: &Law, count: impl Fn(&Cost) -> usize) -> String {
    let of_shape = |shape: Shape| format!("on a {}\n{}", shape.name(), work_on(law, shape, &count));
    Shape::ALL.map(of_shape).join("\n")
}

/// A table of kernels by orders, on a shape.
fn work_on(law: &Law, shape: Shape, count: impl Fn(&Cost) -> usize) -> String {
    let Some(first) = law.units_of(shape).next() else { return String::new() };
    let mut rows = vec![vec!["order".to_owned()], vec!["basis functions".to_owned()]];
    for unit in law.units_of(shape) {
        rows[0].push(format!("p = {}", unit.order));
        rows[1].push(unit.basis.to_string());
    }
    for kernel in first.costs.iter().filter(|kernel| kernel.medium_basis == 1) {
        let of_unit = |unit: &Unit| {
            unit.affine_cost(kernel.name, &KeptMedium::NOTHING).map_or(String::new(), |cost| count(&cost).to_string())
        };
        rows.push(std::iter::once(kernel.name.to_owned()).chain(law.units_of(shape).map(of_unit)).collect());
    }
    table(&rows)
}

fn as_json(law: &'static Law) -> Value {
    let mut json = json!({
        "name": law.name,
        "doc": law.doc,
        "dim": law.dim,
        "state": law.state.iter().map(|v| json!({ "name": v.name, "doc": v.doc })).collect::<Vec<_>>(),
        "parameters": law.parameters.iter()
            .map(|p| json!({ "name": p.name, "doc": p.doc, "default": p.default, "range": p.range_in_words() })).collect::<Vec<_>>(),
        "jacobian": law.algebra.jacobian,
        "eigenvalues": law.algebra.eigenvalues,
        "wave_speed": law.algebra.wave_speed,
        "linear": law.algebra.linear,
        "source_jacobian": law.algebra.source_jacobian,
        "steady": law.algebra.steady,
        "characteristic": match law.algebra.characteristic {
            CharacteristicVariables::Formulas(directions) => {
                directions.iter().map(|map| json!({ "to": map.to, "from": map.from })).collect()
            }
            CharacteristicVariables::Computed { why } => json!({ "computed": why }),
            CharacteristicVariables::None { why } => json!({ "none": why }),
        },
        "proofs": law.proofs.iter()
            .map(|proof| json!({ "statement": proof.statement, "method": proof.method.to_string() })).collect::<Vec<_>>(),
        "units": law.units.iter().map(|unit| json!({
            "shape": unit.shape.name(),
            "order": unit.order,
            "basis": unit.basis,
            "kernels": unit.costs.iter().map(|KernelCost { name, medium_basis, cost, of_field }| json!({
                "name": name, "medium_basis": medium_basis, "flops": cost.flops, "reals": cost.reals, "integers": cost.integers,
                "flops_of_field": of_field.flops, "reals_of_field": of_field.reals,
            })).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    });
    for (is_listed, _, key) in LISTS {
        let functions = listed(law, is_listed).map(|function| {
            let impermeable: Vec<_> = function.impermeable().iter().map(|c| law.state[*c].name).collect();
            let of = match function.role {
                Role::BoundaryFlux { of } | Role::ManufacturedSource { of } => Some(of),
                _ => None,
            };
            json!({
                "name": function.name, "doc": function.doc, "impermeable": impermeable, "variables": function.variables(), "of": of,
            })
        });
        json[key] = functions.collect();
    }
    json
}
