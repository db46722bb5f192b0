//! `bench`: the speed of the generated code, and how far it is from the machine's limit.

use serde_json::{Value, json};

use super::orders::{self, Orders};
use super::progress::tasks;
use super::table::table;
use super::{Error, Report, interrupt, selected_laws};
use crate::case::unit_of;
use crate::device::{Choice, Device, Resources};
use crate::law::{Arguments, Function, KernelCost, Law, Role, Unit};
use crate::mesh::Mesh;
use crate::mesh::generate::Rectangle;
use crate::solver::{Integrator, Precision, Seconds, Setup, Solver};

/// Arguments of `bench`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  {bin} bench euler
  {bin} bench euler --orders 1..5 --elements 10000,800000 --device cuda

A degree of freedom counts once for each stage. The floor is the least time that the device allows:
that of moving every number once at the speed of a copy or, where the peak is known, that of all
operations at the peak, whichever is longer.")]
pub(super) struct Bench {
    /// The law; all of them if not given
    law: Option<String>,
    /// Polynomial degrees: 2, a list 1,3 or a range 1..5 with both ends
    #[arg(long, value_parser = orders::parse, default_value = "1..3")]
    orders: Orders,
    /// About how many elements, of an unstructured periodic square
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "20000")]
    elements: Vec<usize>,
    /// Where to compute: cpu, cuda, cuda:N, or auto for the first usable GPU or else the CPU
    #[arg(long, default_value_t)]
    device: Choice,
}

/// What the device can do at best.
struct Limits {
    /// Bytes that a copy reads and writes in a second.
    bandwidth: f64,
    /// Flops in a second, double precision, where known.
    flops: Option<f64>,
}

/// One law, order and mesh.
struct Measurement {
    law: &'static Law,
    unit: &'static Unit,
    elements: usize,
    stages: usize,
    seconds: Seconds,
    /// What a thread takes of the kernels in [`KERNELS`], where known.
    resources: [Option<Resources>; 2],
}

/// The kernels that are measured.
const KERNELS: [&str; 2] = ["stage", "time_step"];

pub(super) fn bench(arguments: &Bench, laws: &[&'static Law]) -> Result<Report, Error> {
    let laws = selected_laws(arguments.law.as_deref(), laws)?;
    for (law, order) in laws.iter().flat_map(|law| arguments.orders.0.iter().map(move |order| (law, *order))) {
        unit_of(law, order)?;
    }
    let interrupted = interrupt::catch()?;
    let device = Device::open(arguments.device)?;
    let (name, limits) = (device.name(), limits(&device)?);
    let bar = tasks(arguments.elements.len() * laws.len() * arguments.orders.0.len());
    let mut measurements = Vec::new();
    let mut status = 0;
    'all: for &elements in &arguments.elements {
        let mesh = square(elements)?;
        for law in &laws {
            for &order in &arguments.orders.0 {
                if interrupted.load(std::sync::atomic::Ordering::Relaxed) {
                    status = interrupt::STATUS;
                    break 'all;
                }
                bar.set_message(format!("{}, order {order}, {} elements", law.name, mesh.element_count()));
                measurements.push(measure(law, order, &mesh, arguments.device)?);
                bar.inc(1);
            }
        }
    }
    bar.finish_and_clear();
    Ok(Report { status, ..report(&name, &limits, &measurements) })
}

/// About this many triangles in a periodic unit square, with no order among them but that of a space-filling curve.
fn square(elements: usize) -> Result<Mesh, Error> {
    let side = ((elements as f64 / 2.0).sqrt().round() as usize).max(2);
    let rectangle = Rectangle { cells: [side; 2], periodic: [true; 2], jitter: 0.2, ..Rectangle::default() };
    Ok(rectangle.mesh()?.renumbered())
}

fn measure(law: &'static Law, order: usize, mesh: &Mesh, device: Choice) -> Result<Measurement, Error> {
    let unit = unit_of(law, order)?;
    let parameters: Vec<f64> = law.parameters.iter().map(|parameter| parameter.default.unwrap_or(1.0)).collect();
    let no_flux = || Error::Name(format!("{} has no numerical flux", law.name));
    let rusanov = law.function(Role::NumericalFlux, "rusanov");
    let integrator = Integrator::SspRk3;
    let setup = Setup {
        law,
        order,
        numerical_flux: rusanov.or_else(|| law.with_role(Role::NumericalFlux).next()).ok_or_else(no_flux)?,
        boundaries: Vec::new(),
        initial: Some(admissible_function(law, mesh, &parameters)?),
        parameters,
        exact: None,
        integrator,
        cfl: integrator.default_cfl(order),
        step_every: 1,
        precision: Precision::Double,
        schedule: None,
    };
    let stages = setup.integrator.stages().len();
    let mut solver = Solver::new(Device::open(device)?, mesh.clone(), setup)?;
    solver.project(0.0)?;
    let (seconds, resources) = (solver.benchmark()?, KERNELS.map(|kernel| solver.resources(kernel)));
    Ok(Measurement { law, unit, elements: mesh.element_count(), stages, seconds, resources })
}

/// A function of the law whose states make sense on the whole mesh.
fn admissible_function(law: &'static Law, mesh: &Mesh, parameters: &[f64]) -> Result<&'static Function, Error> {
    let admissible = law.with_role(Role::Admissible).next();
    let makes_sense = |function: &&'static Function| {
        (0..mesh.vertices.len() / mesh.dim).all(|vertex| {
            let position = mesh.vertex(vertex as u32);
            let at = Arguments { parameters, state: &[], right: &[], normal: &[], position, time: 0.0 };
            let state = value(function, &at);
            let signs = admissible.map_or(Vec::new(), |function| value(function, &Arguments { state: &state, ..at }));
            state.iter().all(|number| number.is_finite()) && signs.iter().all(|sign| *sign > 0.0)
        })
    };
    let mut functions = law.with_role(Role::Initial).chain(law.with_role(Role::Exact));
    functions.find(makes_sense).ok_or_else(|| {
        Error::Name(format!("{} has no initial or exact function that makes sense on the unit square", law.name))
    })
}

/// The value of a function by the law's own Rust.
fn value(function: &Function, arguments: &Arguments<'_>) -> Vec<f64> {
    let mut value = vec![f64::NAN; function.results];
    if let Some(host) = function.host {
        host(arguments, &mut value);
    }
    value
}

/// Measures copies, and looks the peak up.
fn limits(device: &Device) -> Result<Limits, Error> {
    let bytes = if device.is_cuda() { 1 << 30 } else { 1 << 28 };
    let (from, to) = (device.allocate(bytes)?, device.allocate(bytes)?);
    let copies = 5;
    device.copy(&from, &to)?;
    device.synchronize()?;
    let seconds = device.time(|| (0..copies).try_for_each(|_| device.copy(&from, &to)))?;
    Ok(Limits { bandwidth: (2 * copies * bytes) as f64 / seconds, flops: peak(&device.name()) })
}

/// Flops in a second of a GPU's FP64 vector units, from its datasheet.
fn peak(device: &str) -> Option<f64> {
    const KNOWN: [(&str, f64); 4] = [("H200", 34e12), ("H100", 34e12), ("A100", 9.7e12), ("V100", 7.8e12)];
    KNOWN.iter().find(|(name, _)| device.contains(name)).map(|(_, flops)| *flops)
}

impl Limits {
    /// Seconds in which no kernel of this cost can be faster.
    fn floor(&self, cost: &KernelCost, elements: usize) -> f64 {
        let traffic = (bytes(cost) * elements) as f64 / self.bandwidth;
        let work = self.flops.map_or(0.0, |peak| (cost.flops * elements) as f64 / peak);
        traffic.max(work)
    }
}

/// Least traffic of a kernel for one element.
fn bytes(cost: &KernelCost) -> usize {
    cost.reals * Precision::Double.bytes() + cost.integers * size_of::<u32>()
}

impl Measurement {
    /// Updates of degrees of freedom in a second, of a whole step.
    fn dof_per_second(&self) -> f64 {
        (self.elements * self.law.state.len() * self.unit.basis * self.stages) as f64 / self.seconds.step
    }

    /// Each kernel with its cost, seconds and what a thread takes.
    fn kernels(&self) -> impl Iterator<Item = (&'static KernelCost, f64, Option<Resources>)> {
        let seconds = [self.seconds.stage, self.seconds.time_step];
        let cost = |name| self.unit.kernels.iter().find(|kernel| kernel.name == name);
        let measured = KERNELS.into_iter().zip(seconds).zip(self.resources);
        measured.filter_map(move |((name, seconds), resources)| Some((cost(name)?, seconds, resources)))
    }

    /// Seconds of a step at the limits of the device.
    fn floor(&self, limits: &Limits) -> f64 {
        let launches = |name: &str| if name == "stage" { self.stages as f64 } else { 1.0 };
        self.kernels().map(|(cost, ..)| launches(cost.name) * limits.floor(cost, self.elements)).sum()
    }
}

fn report(device: &str, limits: &Limits, measurements: &[Measurement]) -> Report {
    let heading = ["law", "order", "elements", "kernel", "ms", "Gdof/s", "GFLOP/s", "GB/s", "of the floor"];
    let mut rows = vec![heading.map(String::from).to_vec()];
    let known = measurements.iter().flat_map(|measurement| measurement.resources).any(|resources| resources.is_some());
    if known {
        rows[0].extend(["registers", "spilled bytes"].map(String::from));
    }
    let mut list: Vec<Value> = Vec::new();
    for measurement in measurements {
        let (law, order, elements) = (measurement.law.name, measurement.unit.order, measurement.elements);
        let dof = (elements * measurement.law.state.len() * measurement.unit.basis) as f64;
        let mut kernels = Vec::new();
        let mut row = |kernel: &str,
                       seconds: f64,
                       [dofs, flops, bytes]: [Option<f64>; 3],
                       floor: f64,
                       resources: Option<Resources>| {
            let giga = |rate: Option<f64>| rate.map_or(String::new(), |rate| format!("{:.3}", rate * 1e-9));
            let [registers, spilled] =
                [resources.map(|resources| resources.registers), resources.map(|resources| resources.spilled_bytes)];
            let mut cells = vec![
                law.into(),
                order.to_string(),
                elements.to_string(),
                kernel.into(),
                format!("{:.4}", seconds * 1e3),
                giga(dofs),
                giga(flops),
                giga(bytes),
                format!("{:.1} %", 100.0 * floor / seconds),
            ];
            if known {
                cells.extend([registers, spilled].map(|count| count.map_or(String::new(), |count| count.to_string())));
            }
            rows.push(cells);
            kernels.push(json!({
                "kernel": kernel, "seconds": seconds, "dof_per_second": dofs, "flops_per_second": flops,
                "bytes_per_second": bytes, "fraction_of_floor": floor / seconds,
                "registers": registers, "spilled_bytes": spilled,
            }));
        };
        for (cost, seconds, resources) in measurement.kernels() {
            let rate = |count: usize| Some((count * elements) as f64 / seconds);
            let dofs = (cost.name == "stage").then_some(dof / seconds);
            let rates = [dofs, rate(cost.flops), rate(bytes(cost))];
            row(cost.name, seconds, rates, limits.floor(cost, elements), resources);
        }
        let dofs = Some(measurement.dof_per_second());
        row("whole step", measurement.seconds.step, [dofs, None, None], measurement.floor(limits), None);
        list.push(json!({ "law": law, "order": order, "elements": elements, "kernels": kernels }));
    }
    let text = format!("{device}, {:.1} GB/s in a copy\n\n{}", limits.bandwidth * 1e-9, table(&rows));
    let limits = json!({ "bytes_per_second": limits.bandwidth, "flops_per_second": limits.flops });
    Report::new(json!({ "device": device, "limits": limits, "measurements": list }), text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::sample_law::WAVES;
    use crate::law::Unit;

    #[test]
    fn registers_and_spills_are_shown_where_they_are_known() {
        let cost = |name| KernelCost { name, flops: 1, reals: 1, integers: 0 };
        let unit: &'static Unit = Box::leak(Box::new(Unit {
            kernels: vec![cost("stage"), cost("time_step")].leak(),
            ..crate::case::sample_law::unit(1)
        }));
        let seconds = Seconds { stage: 1e-3, time_step: 1e-3, step: 4e-3 };
        let shown = |resources| {
            let measurement = Measurement { law: &WAVES, unit, elements: 10, stages: 3, seconds, resources };
            report("device", &Limits { bandwidth: 1e9, flops: None }, &[measurement])
        };
        let stage = Resources { registers: 255, spilled_bytes: 4711 };
        let known = shown([Some(stage), None]);
        assert!(known.text.contains("spilled bytes") && known.text.contains("4711"), "{}", known.text);
        assert_eq!(known.json["measurements"][0]["kernels"][0]["registers"], 255);
        let unknown = shown([None, None]);
        assert!(!unknown.text.contains("registers"), "{}", unknown.text);
        assert_eq!(unknown.json["measurements"][0]["kernels"][0]["registers"], Value::Null);
    }
}
