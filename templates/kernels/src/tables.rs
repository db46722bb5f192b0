//! The tables of a discretisation as C initialisers.

use std::fmt::{Debug, Write as _};

use crate::IF_ADER;
use crate::lines::{WIDTH, fill_macro, sum};
use crate::sizes;
use dg_contract::geometry::Map;
use dg_contract::reference::{
    Line, Operators, Reflection, basis, derivatives as derivative_list, derivatives_between_sections, moments,
    quadrature::gauss_legendre,
};
use dg_contract::{Law, Shape};

/// What a law has that takes tables.
#[derive(Clone, Copy)]
pub struct Takes {
    /// Functions that are integrated against the basis, such as a source.
    pub projects: bool,
    /// A viscous flux.
    pub viscous: bool,
    /// Outputs of the gradient.
    pub gradient_outputs: bool,
}

impl Takes {
    /// What a law has, on elements with such maps.
    pub fn new(law: &Law, map: Map) -> Self {
        let projects = sizes::projects(law, map);
        Self { projects, viscous: law.is_viscous(), gradient_outputs: law.has_gradient_outputs() }
    }
}

/// Tables of one shape and order, for elements with such maps, with those that some laws alone take.
pub fn tables(operators: &Operators, takes: Takes, map: Map) -> String {
    let Takes { projects, viscous, gradient_outputs } = takes;
    let o = operators;
    let mut text = String::new();
    let weighted = |table: &[Vec<f64>], weights: &[f64]| -> Vec<Vec<f64>> {
        table.iter().zip(weights).map(|(row, w)| row.iter().map(|v| w * v).collect()).collect()
    };
    let weighted_gradient: Vec<Vec<Vec<f64>>> = o
        .gradient_at_volume
        .iter()
        .zip(&o.volume_weights)
        .map(|(rows, w)| weighted(rows, &vec![*w; rows.len()]))
        .collect();
    let weighted_basis_at_face: Vec<Vec<f64>> =
        o.basis_at_face.iter().flat_map(|rows| weighted(rows, &o.face_weights)).collect();

    // Products of polynomials are summed along lines, from tables of their own, where it takes a run's time.
    let table = if o.shape.is_product() { "RARE_TABLE" } else { "TABLE" };
    if let Some(line) = &o.line {
        of_line(&mut text, o, line);
    }
    matrix(&mut text, table, "basis_at_volume", "[VOLUME_POINTS][BASIS]", "phi_j(xi_q)", &o.basis_at_volume);
    array(
        &mut text,
        table,
        "weighted_gradient",
        "[VOLUME_POINTS][DIM][BASIS]",
        "w_q d phi_j / d xi_d (xi_q)",
        &weighted_gradient,
    );
    let by_face = |table: &[Vec<Vec<f64>>]| table.concat();
    matrix(
        &mut text,
        table,
        "basis_at_face",
        "[FACES * FACE_POINTS][BASIS]",
        "phi_j(xi_k), face by face",
        &by_face(&o.basis_at_face),
    );
    matrix(
        &mut text,
        table,
        "weighted_basis_at_face",
        "[FACES * FACE_POINTS][BASIS]",
        "w_k phi_j(xi_k), face by face",
        &weighted_basis_at_face,
    );
    if viscous || map != Map::Affine {
        let positions = o.face_positions.concat();
        let table = if viscous { "TABLE" } else { "RARE_TABLE" };
        matrix(&mut text, table, "face_positions", "[FACES * FACE_POINTS][DIM]", "xi_k, face by face", &positions);
    }
    let doc = "the outward normals of the reference element, as long as its faces";
    matrix(&mut text, "RARE_TABLE", "reference_normals", "[FACES][DIM]", doc, &reference_normals(o));
    let differentiates = viscous && !o.shape.is_product();
    if differentiates || gradient_outputs {
        // With those of order 7 tables would outgrow the 64 KiB of constant memory on CUDA.
        of_derivatives(&mut text, if differentiates && o.order < 7 { "TABLE" } else { "RARE_TABLE" }, o);
    }
    if viscous {
        of_viscous(&mut text, table, o, map);
    }
    if let Some(reflection) = &o.reflection {
        of_reflection(&mut text, o, reflection);
    }
    vector(&mut text, "TABLE", "face_weights", "[FACE_POINTS]", "w_k of a face", &o.face_weights);
    let mut mean = vec![0.0; o.basis];
    mean[0] = o.basis_at_volume[0][0];
    vector(&mut text, "TABLE", "basis_mean", "[BASIS]", "the mean of phi_j", &mean);

    list(&mut text, "TABLE int basis_degree[BASIS]", "the degree of phi_j", &o.degrees);

    if projects || map != Map::Affine {
        matrix(&mut text, "TABLE", "volume_points", "[VOLUME_POINTS][DIM]", "xi_q", &o.volume_points);
    }
    if projects || o.shape.is_product() && map.is_curved() {
        let weighted_basis = weighted(&o.basis_at_volume, &o.volume_weights);
        matrix(&mut text, table, "weighted_basis", "[VOLUME_POINTS][BASIS]", "w_q phi_j(xi_q)", &weighted_basis);
    }
    matrix(&mut text, "RARE_TABLE", "fine_points", "[FINE_POINTS][DIM]", "xi_q of the fine quadrature", &o.fine_points);
    vector(&mut text, "RARE_TABLE", "fine_weights", "[FINE_POINTS]", "w_q of the fine quadrature", &o.fine_weights);
    matrix(&mut text, "RARE_TABLE", "basis_at_fine", "[FINE_POINTS][BASIS]", "phi_j(xi_q)", &o.basis_at_fine);
    matrix(
        &mut text,
        "RARE_TABLE",
        "weighted_basis_at_fine",
        "[FINE_POINTS][BASIS]",
        "w_q phi_j(xi_q)",
        &weighted(&o.basis_at_fine, &o.fine_weights),
    );
    matrix(
        &mut text,
        "RARE_TABLE",
        "sample_points",
        "[SAMPLE_POINTS][DIM]",
        "Lagrange nodes in VTK's order",
        &o.sample_points,
    );
    matrix(
        &mut text,
        "RARE_TABLE",
        "basis_at_sample",
        "[SAMPLE_POINTS][BASIS]",
        "phi_j at the Lagrange nodes",
        &o.basis_at_sample,
    );
    text
}

/// What sums over pairs of points need that are images of each other.
fn of_reflection(text: &mut String, o: &Operators, reflection: &Reflection) {
    let Reflection { pairs, odd, changes_across } = reflection;
    let mask = |of: &[bool]| of.iter().enumerate().map(|(j, &is)| u64::from(is) << j).sum::<u64>();
    let _ = write!(
        text,
        "/* The reflection (xi_0, xi_1) -> (1 - xi_0 - xi_1, xi_1). Points 2l and 2l + 1 of the volume are images of each\n\
         \x20* other for l < PAIRS, those behind them lie on the axis. Of the faces, points k of face 0 and FACE_POINTS - 1 - k\n\
         \x20* are images, and k of face 1 and FACE_POINTS - 1 - k of face 2. */\n\
         #define PAIRS {pairs}\n\
         /* Whether phi_j changes its sign, and whether it changes along xi_0, across the axis. */\n\
         #define IS_ODD(j) (0x{:x}ull >> (j) & 1)\n\
         #define CHANGES_ACROSS(j) (0x{:x}ull >> (j) & 1)\n\n",
        mask(odd),
        mask(changes_across)
    );
    let first = (0..*pairs).map(|l| 2 * l).chain(2 * pairs..o.volume_points.len());
    let derivatives = |q: usize| {
        let ([across, in_y], w) = ([0, 1].map(|d| &o.gradient_at_volume[q][d]), o.volume_weights[q]);
        let along = across.iter().zip(in_y).map(|(across, y)| w * (y - 0.5 * across)).collect();
        vec![across.iter().map(|across| w * across).collect(), along]
    };
    let table: Vec<Vec<Vec<f64>>> = first.map(derivatives).collect();
    let doc = "w_q times d phi_j / d xi_0 and d phi_j / d xi_1 - 1/2 d phi_j / d xi_0, at one point of a pair and on the axis";
    // With that of order 7 tables would outgrow the 64 KiB of constant memory on CUDA.
    let qualifier = if o.order < 7 { "TABLE" } else { "RARE_TABLE" };
    array(text, qualifier, "weighted_derivatives", "[VOLUME_POINTS - PAIRS][DIM][BASIS]", doc, &table);
}

/// Tables of derivatives, for a viscous flux.
fn of_viscous(text: &mut String, table: &str, o: &Operators, map: Map) {
    // Affine elements take them rarely, and those of order 7 would outgrow the 64 KiB of constant memory on CUDA.
    let table = if map != Map::Affine && o.order < 7 { table } else { "RARE_TABLE" };
    let positions = o.face_positions.concat();
    let at_faces: Vec<Vec<Vec<f64>>> = positions.iter().map(|xi| basis::gradients(o.shape, o.order, xi)).collect();
    let weights = o.face_weights.iter().cycle();
    let weighted: Vec<Vec<Vec<f64>>> = (at_faces.iter().zip(weights))
        .map(|(rows, w)| rows.iter().map(|row| row.iter().map(|v| w * v).collect()).collect())
        .collect();
    let shape = "[FACES * FACE_POINTS][DIM][BASIS]";
    array(text, table, "gradient_at_face", shape, "d phi_j / d xi_d (xi_k), face by face", &at_faces);
    array(text, table, "weighted_gradient_at_face", shape, "w_k d phi_j / d xi_d (xi_k), face by face", &weighted);
    vector(text, "TABLE", "volume_weights", "[VOLUME_POINTS]", "w_q", &o.volume_weights);
    let inverse: Vec<f64> = o.volume_weights.iter().map(|w| 1.0 / w).collect();
    vector(text, "TABLE", "inverse_volume_weights", "[VOLUME_POINTS]", "1 / w_q", &inverse);
    text.push_str("#if defined(LIFTED_PENALTY) && !defined(KEPT_LIFTINGS)\n");
    let doc = "|K| / |f| times the normal part of the lifting of a jump of 1 at point i of a face, at its point k";
    matrix(text, "TABLE", "lifting_at_face", "[FACE_POINTS][FACE_POINTS]", doc, &lifting_at_face(o));
    text.push_str("#endif\n");
    match &o.line {
        Some(line) => of_slopes_on_lines(text, line),
        None => of_liftings(text, o),
    }
}

/// The normal part of the lifting of jumps of 1 at the points of a face, times |K|/|f| and with their weights, at its points: that of any face, for a
/// reference element's faces are alike. It is a polynomial of the degree of derivatives: p - 1, on products of lines p in each direction.
fn lifting_at_face(o: &Operators) -> Vec<Vec<f64>> {
    let volume = o.shape.measure();
    let is_derivative = |j: &usize| o.shape.is_product() || o.degrees[*j] < o.order;
    let of_points = |a: &[f64], b: &[f64]| (0..o.basis).filter(is_derivative).map(|j| a[j] * b[j]).sum::<f64>();
    let of_row = |at: &Vec<f64>| {
        (o.basis_at_face[0].iter().zip(&o.face_weights)).map(|(of, w)| volume * w * of_points(at, of)).collect()
    };
    o.basis_at_face[0].iter().map(of_row).collect()
}

/// The outward normals of the faces of the reference element, `[f][d]`, as long as the faces.
fn reference_normals(o: &Operators) -> Vec<Vec<f64>> {
    let corners = o.shape.reference_corners();
    let of_face = |f: usize| {
        let (a, b) = (&corners[f], &corners[(f + 1) % corners.len()]);
        vec![b[1] - a[1], a[0] - b[0]]
    };
    (0..o.shape.faces()).map(of_face).collect()
}

/// Derivatives by coefficients.
fn of_derivatives(text: &mut String, table: &str, o: &Operators) {
    let of_row = |d: usize, i: usize| {
        let entries = o.derivative[d][i].iter().enumerate().filter(|(_, entry)| **entry != 0.0);
        entries.map(move |(j, entry)| (d, i, j, *entry)).collect::<Vec<_>>()
    };
    let entries: Vec<_> = (0..o.shape.dim()).flat_map(|d| (0..o.basis).flat_map(move |i| of_row(d, i))).collect();
    let slopes = entries.iter().map(|entry| entry.1 + 1).max().unwrap_or(1);
    let _ = writeln!(text, "/* The number of phi_i of which derivatives consist. */\n#define SLOPES {slopes}");
    // Polynomials of degree 0 have none, but C has no array without elements.
    let mut values: Vec<f64> = entries.iter().map(|entry| entry.3).collect();
    if values.is_empty() {
        values.push(0.0);
    }
    let doc = "the entries that are not zero of d phi_j / d xi_d = sum_i derivative[d][i][j] phi_i";
    vector(text, table, "derivative_entries", &format!("[{}]", values.len()), doc, &values);
    text.push_str("/* Calls X(d, i, j, n) for entry n. */\n#define EACH_DERIVATIVE(X)");
    fill_macro(text, entries.iter().enumerate().map(|(n, (d, i, j, _))| format!("X({d}, {i}, {j}, {n})")), 4);
    text.push_str("\n\n");
}

/// The reference element's normals, by which jumps are lifted.
fn of_liftings(text: &mut String, o: &Operators) {
    text.push_str("#define EACH_FACE(X)");
    for f in 0..o.shape.faces() {
        let _ = write!(text, " X({f})");
    }
    text.push_str(
        "\n/* Calls X(d, n_d) for the outward normal of a face of the reference element, as long as the face. */\n",
    );
    text.push_str("#define EACH_REFERENCE_NORMAL(f, X) REFERENCE_NORMAL_##f(X)\n");
    for (f, normal) in reference_normals(o).iter().enumerate() {
        let _ = write!(text, "#define REFERENCE_NORMAL_{f}(X)");
        for (d, component) in normal.iter().enumerate().filter(|(_, component)| **component != 0.0) {
            let _ = write!(text, " X({d}, {component:?})");
        }
        text.push('\n');
    }
    text.push('\n');
}

/// The same on products of lines.
fn of_slopes_on_lines(text: &mut String, line: &Line) {
    matrix(text, "TABLE", "line_gradient", "[LINES][LINES]", "d phi_i / d x (x_k)", &line.gradient);
    let at_end: Vec<f64> = (0..line.end.len()).map(|i| line.end[i] * (i * (i + 1)) as f64).collect();
    let doc = "d phi_i / d x (1), and but for its sign d phi_i / d x (0)";
    vector(text, "TABLE", "slope_at_end_of_line", "[LINES]", doc, &at_end);
    let lifting = |phi: &Vec<f64>| phi.iter().zip(&line.end).map(|(phi, end)| phi * end).sum::<f64>();
    let lifting: Vec<f64> = line.basis.iter().map(lifting).collect();
    vector(text, "TABLE", "line_lifting", "[LINES]", "sum_i phi_i(1) phi_i(x_k), the lifting of a jump at 1", &lifting);
}

/// Tables of the polynomials on a line whose products the basis functions are.
fn of_line(text: &mut String, o: &Operators, line: &Line) {
    let by = |weights: &[f64], table: &[Vec<f64>]| -> Vec<Vec<f64>> {
        table.iter().zip(weights).map(|(row, w)| row.iter().map(|v| w * v).collect()).collect()
    };
    let weighted = |table: &[Vec<f64>]| by(&line.weights, table);
    let _ = writeln!(text, "#define LINES {}", o.order + 1);
    text.push_str("/* The number of the product of function i in x and j in y. */\n");
    text.push_str("#define PRODUCT(i, j) ((i) >= (j) ? (i) * (i) + (j) : (j) * ((j) + 1) + 1 + (i))\n\n");
    matrix(text, "TABLE", "line_basis", "[LINES][LINES]", "phi_i(x_k)", &line.basis);
    matrix(text, "TABLE", "line_weighted_basis", "[LINES][LINES]", "w_k phi_i(x_k)", &weighted(&line.basis));
    matrix(
        text,
        "TABLE",
        "line_weighted_gradient",
        "[LINES][LINES]",
        "w_k d phi_i / d x (x_k)",
        &weighted(&line.gradient),
    );
    vector(text, "TABLE", "end_of_line", "[LINES]", "phi_i(1), and but for its sign phi_i(0)", &line.end);
    if o.mesh_order > o.order {
        vector(text, "TABLE", "line_weights", "[LINES]", "w_k", &line.weights);
        let shape = "[FACE_POINTS][LINES]";
        matrix(text, "TABLE", "line_at_face", shape, "phi_i at the points along a face", &line.at_face);
        let of_face = by(&o.face_weights, &line.at_face);
        matrix(text, "TABLE", "line_weighted_at_face", shape, "w_k phi_i at the points along a face", &of_face);
    }
}

/// The means of the derivatives of phi_i = sqrt(2i + 1) P_i(2x - 1) on (0,1), `[order][i]`, up to their degree: sums over
/// phi_i' = 2 sqrt(2i + 1) (sqrt(2i - 1) phi_(i-1) + sqrt(2i - 5) phi_(i-3) + ...).
fn mean_derivatives(degree: usize) -> Vec<Vec<f64>> {
    let end = |i: usize| ((2 * i + 1) as f64).sqrt();
    let mut means = vec![(0..=degree).map(|i| f64::from(i == 0)).collect::<Vec<f64>>()];
    for order in 1..=degree {
        let lower = &means[order - 1];
        let mean = |i: usize| (0..i).rev().step_by(2).map(|k| 2.0 * end(i) * end(k) * lower[k]).sum();
        means.push((0..=degree).map(mean).collect());
    }
    means
}

/// Tables of moment limiters: for triangles those for derivatives of the solution, up to one order less than its own.
pub fn of_limiters(o: &Operators) -> String {
    let dim = o.shape.dim();
    let [own, between] = [moments(o.shape, o.order), derivatives_between_sections(dim, o.mesh_order)];
    let sizes = format!("#define MOMENTS {own}\n#define MESH_DERIVATIVES {between}\n\n");
    if o.shape.is_product() {
        let mut text = sizes;
        let doc = "the mean of the derivative of this order of phi_i";
        matrix(&mut text, "RARE_TABLE", "line_mean_derivative", "[LINES][LINES]", doc, &mean_derivatives(o.order));
        return text;
    }
    let (order, of, along) = derivative_list(dim, o.order);
    let mut text = format!("#define DERIVATIVES {}\n{sizes}", order.len());
    let integers = |text: &mut String, name: &str, doc: &str, values: &[usize]| {
        list(text, &format!("RARE_TABLE int {name}[DERIVATIVES]"), doc, values);
    };
    integers(&mut text, "derivative_order", "the order of each derivative", &order);
    integers(&mut text, "derivative_of", "the derivative that it is a derivative of", &of);
    integers(&mut text, "derivative_along", "the direction along which", &along);
    array(
        &mut text,
        "RARE_TABLE",
        "derivative",
        "[DIM][BASIS][BASIS]",
        "d phi_j / d xi_d = sum_i derivative[d][i][j] phi_i",
        &o.derivative,
    );
    let corners = o.shape.reference_corners();
    let slopes = basis::gradients(o.shape, 1, &corners[0]);
    matrix(&mut text, "RARE_TABLE", "linear_slope", "[DIM][DIM + 1]", "d phi_j / d xi_d, j linear", &slopes);
    let linear: Vec<Vec<f64>> = corners.iter().map(|corner| basis::values(o.shape, 1, corner)).collect();
    matrix(
        &mut text,
        "RARE_TABLE",
        "linear_at_corner",
        "[CORNERS][DIM + 1]",
        "phi_j at the corners, j linear",
        &linear,
    );
    text
}

/// Tables of a linear law: the entries of the matrices of derivatives that are not zero, and those for the predictor of ADER.
pub fn of_linear_law(o: &Operators) -> String {
    let up_to: Vec<usize> = (0..=o.order).map(|m| o.degrees.iter().filter(|&&degree| degree <= m).count()).collect();
    let mut text = String::new();
    list(&mut text, "TABLE int basis_up_to[ORDER + 1]", "the number of phi_j of degree m or less", &up_to);
    let is_integrated = |i: &usize| o.derivative.iter().any(|matrix| matrix[*i].iter().any(|entry| *entry != 0.0));
    let integrated = (0..o.basis).rev().find(is_integrated).map_or(0, |last| last + 1);
    let _ =
        writeln!(text, "/* No gradient has a part of phi_j from this one on. */\n#define INTEGRATED {integrated}\n");
    text.push_str(
        "/* along[d] = sum_j derivative[d][i][j] u_j over phi_j of at most this degree, for a polynomial u:\n\
         \x20* d u / d xi_d, coefficient i. */\n\
         #define DIFFERENTIATE(along, u, degree)",
    );
    for i in 0..o.basis {
        let _ = write!(text, " \\\n    case {i}:");
        // Derivatives of products of polynomials may keep their degree, the larger one of both directions.
        let least = if o.shape == Shape::Triangle { o.degrees[i] + 1 } else { o.degrees[i].max(1) };
        for degree in least..=o.order {
            let of_degree = |d: usize| {
                let terms = (up_to[degree - 1]..up_to[degree]).map(move |j| (j, o.derivative[d][i][j]));
                terms.filter(|(_, entry)| *entry != 0.0).map(|(j, entry)| format!("R({entry:?}) * (u)[{j}]"))
            };
            let sums = (0..o.shape.dim()).map(|d| (d, of_degree(d).collect::<Vec<_>>()));
            for (d, terms) in sums.filter(|(_, terms)| !terms.is_empty()) {
                let _ = write!(text, " \\\n        if ((degree) >= {degree}) (along)[{d}] +=");
                fill_macro(&mut text, sum(&terms, ";"), 12);
            }
        }
        fill_macro(&mut text, ["break;".to_owned()], 8);
    }
    text.push_str(
        "\n\n/* r_j += sum_d derivative[d][i][j] flux[d]: the integral of the flux phi_i times grad phi_j. */\n\
         #define INTEGRATE(r, flux)",
    );
    for i in 0..o.basis {
        let _ = write!(text, " \\\n    case {i}:");
        for j in 0..o.basis {
            let entries = (0..o.shape.dim()).map(|d| (d, o.derivative[d][i][j])).filter(|(_, entry)| *entry != 0.0);
            let terms: Vec<_> = entries.map(|(d, entry)| format!("R({entry:?}) * (flux)[{d}]")).collect();
            if !terms.is_empty() {
                let _ = write!(text, " \\\n        (r)[{j}] +=");
                fill_macro(&mut text, sum(&terms, ";"), 12);
            }
        }
        fill_macro(&mut text, ["break;".to_owned()], 8);
    }
    text + "\n\n" + IF_ADER + &of_predictor(o) + "#endif\n"
}

/// The quadrature over a step, for ADER.
pub fn of_time(o: &Operators) -> String {
    let (points, weights) = gauss_legendre(o.order + 1);
    let mut text = format!("#define TIME_POINTS {}\n\n", points.len());
    vector(&mut text, "TABLE", "time_points", "[TIME_POINTS]", "times within a step of 1", &points);
    vector(&mut text, "TABLE", "time_weights", "[TIME_POINTS]", "their weights", &weights);
    text
}

/// Tables of the predictor of ADER. Its rule in time is exact for degree 2 p + 1.
fn of_predictor(o: &Operators) -> String {
    let projected: Vec<Vec<Vec<f64>>> = (o.basis_at_volume.iter().zip(&o.volume_weights))
        .map(|(phi, w)| {
            let of = |row: &Vec<f64>| w * row.iter().zip(phi).map(|(entry, phi)| entry * phi).sum::<f64>();
            o.derivative.iter().map(|matrix| matrix.iter().map(of).collect()).collect()
        })
        .collect();
    let mut text = String::new();
    let doc = "w_q sum_j derivative[d][i][j] phi_j(xi_q): the derivative of what is projected";
    text.push_str("#if MAP_DEGREE == 0 && !defined(COEFFICIENTS_LIKE_STATES)\n");
    array(&mut text, "RARE_TABLE", "projected_derivative", "[VOLUME_POINTS][DIM][BASIS]", doc, &projected);
    text.push_str("#endif\n");
    let doc = "f(t) = sum_m t^m sum_i time_monomials[m][i] f(t_i), for degree p";
    matrix(
        &mut text,
        "TABLE",
        "time_monomials",
        "[TIME_POINTS][TIME_POINTS]",
        doc,
        &monomials(&gauss_legendre(o.order + 1).0),
    );
    text
}

/// `[m][i]`: the coefficient of t^m of the polynomial that is 1 at point i and 0 at the others.
fn monomials(points: &[f64]) -> Vec<Vec<f64>> {
    let of_point = |i: usize| {
        let others = points.iter().enumerate().filter(|(k, _)| *k != i);
        others.fold(vec![1.0], |of, (_, root)| {
            // (t - root) / (t_i - root) times the polynomial.
            let scale = 1.0 / (points[i] - root);
            let at = |m: Option<usize>| m.and_then(|m| of.get(m)).copied().unwrap_or(0.0);
            (0..=of.len()).map(|m| scale * (at(m.checked_sub(1)) - root * at(Some(m)))).collect()
        })
    };
    let columns: Vec<Vec<f64>> = (0..points.len()).map(of_point).collect();
    (0..points.len()).map(|m| columns.iter().map(|column| column[m]).collect()).collect()
}

/// Numbers in braces, filled into lines with this indentation. The first line has `used` columns before the brace.
fn row<T: Debug>(values: &[T], indent: usize, used: usize) -> String {
    // The shortest text that reads back as the same double.
    let mut text = String::from("{");
    let mut column = used + 1;
    for (i, value) in values.iter().enumerate() {
        let number = format!("{value:?}{}", if i + 1 == values.len() { "}" } else { "," });
        // One character follows the last brace.
        if column + 1 + number.len() + 1 > WIDTH {
            let _ = write!(text, "\n{}", " ".repeat(indent + 1));
            column = indent + 1;
        } else if i > 0 {
            text.push(' ');
            column += 1;
        }
        column += number.len();
        text.push_str(&number);
    }
    text
}

fn vector(text: &mut String, qualifier: &str, name: &str, shape: &str, doc: &str, values: &[f64]) {
    list(text, &format!("{qualifier} scalar {name}{shape}"), doc, values);
}

fn list<T: Debug>(text: &mut String, declared: &str, doc: &str, values: &[T]) {
    let _ = writeln!(text, "/* {doc} */\n{declared} = {};\n", row(values, 3, declared.len() + 3));
}

fn matrix(text: &mut String, qualifier: &str, name: &str, shape: &str, doc: &str, rows: &[Vec<f64>]) {
    let _ = writeln!(text, "/* {doc} */\n{qualifier} scalar {name}{shape} = {{");
    for values in rows {
        let _ = writeln!(text, "    {},", row(values, 4, 4));
    }
    let _ = writeln!(text, "}};\n");
}

fn array(text: &mut String, qualifier: &str, name: &str, shape: &str, doc: &str, matrices: &[Vec<Vec<f64>>]) {
    let _ = writeln!(text, "/* {doc} */\n{qualifier} scalar {name}{shape} = {{");
    for rows in matrices {
        text.push_str("    {\n");
        for values in rows {
            let _ = writeln!(text, "        {},", row(values, 8, 8));
        }
        text.push_str("    },\n");
    }
    let _ = writeln!(text, "}};\n");
}
