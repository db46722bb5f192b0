//! Flops and least bytes, counted from the graphs and the trip counts of the kernels.
//!
//! Every `+ - * /`, root and other function counts as one operation; comparisons, selections, negations, minima, maxima
//! and absolute values count as none, as do expressions of parameters and literals alone, which are computed once. A
//! function is counted at each call in the kernels as written: operations that a C compiler shares or drops are not
//! subtracted.

use dg_contract::reference::{Operators, Reflection};
use dg_contract::{Cost, KernelCost};

use crate::derive::between::PARTS;
use crate::derive::{Derived, Rotation};
use crate::ir::{BinaryOp, ExprId, ExprKind, Function, FunctionId, Law, MathFn, Role, Type, UnaryOp};

/// Operations of one call of a function of the law.
pub fn flops(law: &Law, id: FunctionId) -> usize {
    operations(law, law.function(id))
}

/// Operations of one call of a function that calls functions of the law.
fn operations(law: &Law, function: &Function) -> usize {
    let exprs = (0..function.exprs.len()).map(ExprId).filter(|&expr| !is_uniform(function, expr));
    exprs
        .map(|expr| match &function.expr(expr).kind {
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div, ..) => 1,
            ExprKind::Math(MathFn::Abs | MathFn::Min | MathFn::Max, _) => 0,
            ExprKind::Math(MathFn::Powi(n), _) => powi(*n),
            ExprKind::Math(..) => 1,
            ExprKind::Call(callee, _) => flops(law, *callee),
            _ => 0,
        })
        .sum()
}

/// Whether an expression consists of parameters and literals alone.
fn is_uniform(function: &Function, expr: ExprId) -> bool {
    match &function.expr(expr).kind {
        ExprKind::Literal(_) => true,
        ExprKind::Field(of, _) => function.expr(*of).ty == Type::Parameters,
        ExprKind::Unary(UnaryOp::Neg, a) => is_uniform(function, *a),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div, a, b) => {
            is_uniform(function, *a) && is_uniform(function, *b)
        }
        _ => false,
    }
}

/// Operations of a power: multiplications of repeated squaring, and a division for a negative exponent.
fn powi(n: i32) -> usize {
    let m = n.unsigned_abs();
    let products = if m < 2 { 0 } else { (m.ilog2() + m.count_ones() - 1) as usize };
    products + usize::from(n < 0)
}

/// Costs of the kernels that take a run's time, and of those that run with them, for media by polynomials of each degree.
pub(super) fn kernels(law: &Law, derived: &Derived, o: &Operators) -> Vec<KernelCost> {
    let degrees = 0..=if law.medium.fields.is_empty() { 0 } else { o.order };
    let bases = degrees.map(|degree| o.degrees.iter().filter(|&&of| of <= degree).count());
    let of_basis = |medium_basis: usize| {
        let with = |varying: usize| in_medium(law, derived, o, (varying, medium_basis));
        // Every field that varies adds the same; no law without a medium has any.
        let of_both = with(0).into_iter().zip(with(law.medium.fields.len().min(1)));
        of_both.map(move |((name, cost), (_, more))| {
            let of_field = Cost {
                flops: more.flops - cost.flops,
                reals: more.reals - cost.reals,
                integers: more.integers - cost.integers,
            };
            KernelCost { name, medium_basis, cost, of_field }
        })
    };
    bases.flat_map(of_basis).collect()
}

/// The same for a medium with so many fields that vary, each with so many coefficients in an element.
fn in_medium(
    law: &Law,
    derived: &Derived,
    o: &Operators,
    (varying, medium_basis): (usize, usize),
) -> Vec<(&'static str, Cost)> {
    let components = law.state.fields.len();
    let (dim, faces, points) = (law.dim, o.shape.faces(), o.face_points.len());
    let of = |role: &Role| law.only(role).map_or(0, |id| flops(law, id));
    let size = components * o.basis;

    let evaluate = components * (2 * o.basis - 1);
    let wave_speed = law.speeds().map_or(1, |id| flops(law, id));
    // The states between the parts of the way, and the bounds along each.
    let between = derived.between.as_ref().map_or(0, |along| PARTS * (operations(law, along) + 4 * components));
    // For every component the sum of the fluxes along each axis, and the scaled jump: - * -.
    let of_jump = match &derived.rotation {
        // Both sides into the frame of the normal, and the flux out of it.
        Rotation::Vectors(pairs) => 3 * pairs.len() * 6 + components * (2 + 3),
        // Halves of the normal, and products with it.
        Rotation::None(_) => dim + components * (dim + 2 * dim - 1 + 3),
    };
    let rusanov = 2 * (of(&Role::Flux) + wave_speed) + between + 1 + of_jump;
    let has_product = law.only(&Role::Nonconservative).is_some();
    // The components that have a term beside the flux.
    let with_term = if has_product { components } else { derived.source_components.len() };
    // Of every point of the volume: its position.
    let source = law.only(&Role::Source).map_or(0, |id| flops(law, id) + 2 * dim * dim);

    // The entries of the source's Jacobian and the eigenvalues of its blocks at every point of the volume.
    let source_rate = derived.source_jacobian.as_ref().map_or(0, |jacobian| {
        let blocks = eigenvalues_of(&jacobian.blocks);
        let at_point = evaluate + operations(law, &jacobian.entries) + blocks;
        if blocks == 0 { 0 } else { o.volume_points.len() * at_point }
    });
    // Of the mean and every point of a face: the matrix of the viscous flux.
    let diffusivities = derived.viscous.as_ref().map_or(0, |viscous| {
        let at_point = evaluate + operations(law, &viscous.entries) + eigenvalues_of(&viscous.blocks);
        faces * ((1 + points) * at_point + 3)
    });

    let fluxes = of(&Role::Flux) + components * dim * (2 * dim - 1);
    // A product along every direction, with the derivatives of all components.
    let product = law.only(&Role::Nonconservative).map_or(0, |id| flops(law, id));
    let products = usize::from(has_product) * dim * (product + components);
    let evaluate_medium = 2 * varying * (medium_basis - 1);
    // Slopes from those in reference coordinates, the viscous flux, its difference to the other flux and, on triangles, the weight.
    let viscous = law.only(&Role::ViscousFlux).map(|id| flops(law, id));
    let viscous_point = viscous.map_or(0, |viscous| viscous + components * dim * (2 * dim + 1));
    let volume_point = evaluate_medium + fluxes + source + products + viscous_point;
    let is_viscous = viscous.is_some();
    let sums = |has_term| match &o.reflection {
        None => Sums::along_lines(o, has_product, has_term, is_viscous),
        Some(reflection) if is_viscous => Sums::by_slopes(o, reflection, has_term),
        Some(reflection) => Sums::by_pairs(o, reflection, has_product, has_term),
    };
    let Sums { volume: without_term, faces: of_faces } = sums(false);
    let of_volume =
        with_term * sums(true).volume + (components - with_term) * without_term + o.volume_points.len() * volume_point;
    let own_source = law.only(&Role::Source).map(|id| flops(law, id));
    let product_of_item = has_product.then_some(products);
    let linear = Linear { components, fluxes, product: product_of_item, source: own_source, with_term, operators: o };
    // Without quadrature where all terms act on coefficients like on states: `COEFFICIENTS_LIKE_STATES` of the kernels.
    let is_product =
        own_source.is_none() || derived.source_jacobian.as_ref().is_some_and(|jacobian| jacobian.is_product);
    let by_coefficients = derived.linear && is_product && !is_viscous && medium_basis <= 1;
    let volume = if by_coefficients { linear.integrals() } else { of_volume };
    let series = if by_coefficients { linear.series() } else { o.order * of_volume };
    // A face is computed once for both sides.
    let jump = law.only(&Role::Jump).map_or(0, |id| flops(law, id));
    let path = jump + derived.path_points * (product + 4 * components) + usize::from(has_product) * 3 * components;
    // For each side slopes less those of the jump, and the flux along the normal; the jump, and half of it for both sides.
    let penalty = viscous.map_or(0, |viscous| 2 * (viscous + components * dim * (3 + 3)) + 4 * components);
    let face_point = (rusanov + path + penalty + 2 * components).div_ceil(2);
    let admissible = of(&Role::Admissible) + components;
    let geometry = dim * dim + (faces * (dim + 2 + usize::from(is_viscous) * 2)).div_ceil(2);
    // Once for the volume, and of both sides of every face, at each of its points unless the medium is constant in elements.
    let medium = varying * (medium_basis + faces * if medium_basis > 1 { points } else { 1 });
    let update = 5 * size;
    let predict = Cost {
        flops: series,
        // Reads u, writes the mean over the step.
        reals: 2 * size + dim * dim + varying * medium_basis,
        integers: 0,
    };
    let stage = Cost {
        flops: volume + components * of_faces + faces * points * face_point + update,
        // Reads u and u^n, writes u.
        reals: 3 * size + geometry + medium,
        integers: faces.div_ceil(2),
    };
    let time_step = Cost {
        flops: evaluate
            + admissible
            + (1 + faces * points + o.volume_points.len()) * evaluate_medium
            + faces * wave_speed
            + faces * points * (evaluate + wave_speed + admissible)
            + usize::from(between > 0) * faces * points * (evaluate + 2 * (2 * wave_speed + between))
            + o.volume_points.len() * (evaluate + admissible)
            + source_rate
            + diffusivities
            + 2,
        reals: size + varying * medium_basis + faces * (dim + 1) + 2,
        integers: 0,
    };
    let mut costs = vec![
        ("stage", stage),
        ("time_step", time_step),
        ("reduce", Cost { flops: 0, reals: 1, integers: 0 }),
        ("integrate", Cost { flops: 3 * components, reals: 2 * components + 1, integers: 0 }),
        ("change", Cost { flops: size, reals: 2 * size + 2 * components, integers: 0 }),
    ];
    costs.extend(derived.linear.then_some(("predict", predict)));
    costs
}

/// Operations for the eigenvalues of a matrix's diagonal blocks, of large ones by five squares.
fn eigenvalues_of(blocks: &[Vec<usize>]) -> usize {
    let of_block = |block: &Vec<usize>| match block.len() {
        1 => 1,
        2 => 12,
        n => 5 * n * n * (2 * n - 1) + 6 * n * n,
    };
    blocks.iter().map(of_block).sum()
}

/// Multiplications and additions of one component for the values at points and the integrals over them.
struct Sums {
    volume: usize,
    faces: usize,
}

impl Sums {
    /// On triangles, as in `columns_points.cu`: for a product the derivatives, too, and with another term beside the flux one more integral.
    fn by_pairs(o: &Operators, reflection: &Reflection, has_product: bool, has_term: bool) -> Self {
        let (n, of) = (o.basis, Pairs { reflection });
        let (even, across) = (of.even(n), reflection.changes_across.iter().filter(|&&changes| changes).count());
        let (product, term) = (usize::from(has_product), usize::from(has_term));
        // Fluxes across the axis at both points, sums and differences of both fluxes, and the integrals of both derivatives.
        let project = 2 * 2 + 2 * 2 + 2 * across + 2 * (n - 1);
        let of_pair = of.value(n) + product * (2 * of.value(n) + 2 * 2) + project + term * of.integral(n);
        let on_axis =
            of.value_on_axis(n) + product * (2 * n + 2) + if n > 1 { 2 + 2 * (n - 1) } else { 0 } + term * 2 * even;
        let [pairs, alone] = of.at_faces(o);
        Self {
            volume: reflection.pairs * of_pair + (o.volume_points.len() - 2 * reflection.pairs) * on_axis,
            faces: pairs * (of.value(n) + of.integral(n)) + alone * (of.value_on_axis(n) + 2 * even),
        }
    }

    /// With a viscous flux on triangles: slopes are polynomials of a lower degree, and what is tested with gradients is integrated with
    /// functions of that degree, as in `columns_slopes.cu`.
    fn by_slopes(o: &Operators, reflection: &Reflection, has_term: bool) -> Self {
        let (dim, n, of) = (o.shape.dim(), o.basis, Pairs { reflection });
        let entries = || o.derivative.iter().flatten().flatten().filter(|entry| **entry != 0.0);
        let slopes = o.degrees.iter().filter(|&&degree| degree < o.order.max(1)).count();
        let derivatives = 2 * entries().count();
        let term = usize::from(has_term);
        let of_pair = of.value(n) + dim * (of.value(slopes) + of.integral(slopes)) + term * of.integral(n);
        let on_axis =
            of.value_on_axis(n) + dim * (of.value_on_axis(slopes) + 2 * of.even(slopes)) + term * 2 * of.even(n);
        let [pairs, alone] = of.at_faces(o);
        let traces = o.shape.faces() * o.face_points.len();
        // Slopes are turned to the axes; every face's lifting is added to one direction or two.
        let to_faces = derivatives
            + slopes * dim * (2 * dim - 1)
            + pairs * (of.value(n) + dim * of.value(slopes))
            + alone * (of.value_on_axis(n) + dim * of.value_on_axis(slopes));
        let from_faces =
            derivatives + pairs * of.integral(n) + alone * 2 * of.even(n) + traces * 2 * slopes + (dim + 2) * slopes;
        let points = o.volume_points.len() - 2 * reflection.pairs;
        Self { volume: reflection.pairs * of_pair + points * on_axis + derivatives, faces: to_faces + from_faces }
    }

    /// Along one direction after the other, as in `columns_product.cu`; of a viscous flux the slopes as in `columns_slopes.cu`.
    fn along_lines(o: &Operators, has_product: bool, has_term: bool, is_viscous: bool) -> Self {
        let n = o.face_points.len();
        // A sum over the functions or the points of a line.
        let sum = 2 * n - 1;
        let values = 2 * n * sum;
        let derivatives = usize::from(has_product || is_viscous) * (3 * n * sum + n);
        let lifting = usize::from(is_viscous) * 8 * n;
        // Along the line; then across, where the derivative of the constant has no part.
        let along = n * sum + if has_term { (n - 1) * (sum + 1) + n * sum } else { (n - 1) * sum };
        let across = 2 * n * if has_term { n } else { n - 1 } + 2 * n * (n - 1);
        // Both ends of n lines along each direction, turned on two faces; then the values on four.
        let ends = 2 * n * (n + (n - 1) + 2 + 1);
        let traces = ends + 4 * n * sum;
        // The integrals along four faces, sums and differences of opposite ones, and two terms of every coefficient.
        let lifted = 4 * n * sum + 2 * n * 3 + 3 * n * n;
        let dim = o.shape.dim();
        let slopes = usize::from(is_viscous) * (2 * n * 2 * n + 4 * n * (2 * sum + dim * (2 * dim - 1)));
        Self { volume: n * (values + derivatives + lifting + along + across), faces: traces + slopes + lifted }
    }
}

/// Sums over the functions of a triangle at two points that are images of each other, or at one on the axis.
#[derive(Clone, Copy)]
struct Pairs<'o> {
    reflection: &'o Reflection,
}

impl Pairs<'_> {
    /// Even ones of the first functions.
    fn even(self, count: usize) -> usize {
        self.reflection.odd[..count].iter().filter(|&&odd| !odd).count()
    }

    /// The values at both points: one sum over even functions and one over odd ones, their sum and their difference.
    fn value(self, count: usize) -> usize {
        if self.even(count) == count { self.value_on_axis(count) } else { 2 * count }
    }

    fn value_on_axis(self, count: usize) -> usize {
        2 * self.even(count) - 1
    }

    /// Integrals over both points: the sum and the difference of what they have, and products with all functions.
    fn integral(self, count: usize) -> usize {
        2 + 2 * count
    }

    /// The pairs of points on faces, and those alone in the middle of a face.
    fn at_faces(self, o: &Operators) -> [usize; 2] {
        let points = o.face_points.len();
        [points + points / 2, points % 2]
    }
}

/// The work for a law whose flux, product and source act on coefficients like on states.
struct Linear<'o> {
    components: usize,
    /// Flops of the fluxes at an item, in reference coordinates.
    fluxes: usize,
    /// Flops of the non-conservative product, if there is one.
    product: Option<usize>,
    /// Flops of the source, if there is one.
    source: Option<usize>,
    /// The components that either changes.
    with_term: usize,
    operators: &'o Operators,
}

impl Linear<'_> {
    /// The number of basis functions up to a degree.
    fn basis(&self, degree: usize) -> usize {
        self.operators.degrees.iter().filter(|&&of| of <= degree).count()
    }

    /// The multiplications and additions for all derivatives of a polynomial of this degree, for every component.
    fn derivatives(&self, degree: usize) -> usize {
        let rows = self.operators.derivative.iter().flatten();
        let of_row = |row: &Vec<f64>| row[..self.basis(degree)].iter().filter(|entry| **entry != 0.0).count();
        2 * self.components * rows.map(of_row).sum::<usize>()
    }

    /// Flops of product and source at an item.
    fn others(&self) -> usize {
        self.product.unwrap_or(0) + self.source.unwrap_or(0)
    }

    /// The integrals of a stage over the volume.
    fn integrals(&self) -> usize {
        let order = self.operators.order;
        let items = match self.source {
            None if order == 0 => 0,
            None => self.basis(order - 1),
            Some(_) => self.operators.basis,
        };
        let given = if self.product.is_some() { self.derivatives(order) } else { 0 };
        let adds_term = self.product.is_some() || self.source.is_some();
        let of_item = self.fluxes + self.others() + if adds_term { self.with_term } else { 0 };
        self.derivatives(order) + given + items * of_item
    }

    /// The predictor's series: for every term derivatives, fluxes with their sums, the factor, and the sum of all terms.
    fn series(&self) -> usize {
        let (order, m, dim) = (self.operators.order, self.components, self.operators.shape.dim());
        let of_item = self.fluxes + self.others() + (dim + 2) * m;
        let term = |k: usize| match self.source {
            None if self.operators.shape.is_product() => self.derivatives(order) + self.operators.basis * of_item,
            None => self.derivatives(order + 1 - k) + self.basis(order - k) * of_item,
            Some(_) => self.derivatives(order) + self.operators.basis * (of_item + m),
        };
        (1..=order).map(term).sum()
    }
}
