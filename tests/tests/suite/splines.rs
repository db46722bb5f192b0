//! Walls whose curves are known only at the mesh's vertices.

use tests::{case, solution};

/// The L2 error of the density of the supersonic vortex at p = 3, some time after its start.
fn vortex(refine: usize, curves: &str) -> f64 {
    let case = case(&format!(
        r#"
        law = "euler"
        order = 3
        initial = {{ function = "supersonic_vortex" }}
        time = {{ final = 1.5 }}
        [mesh]
        generator = "quarter annulus"
        radii = [1.0, 1.384]
        cells = [5, 18]
        refine = {refine}
        {curves}
        [boundaries]
        inner = "slip_wall"
        outer = "slip_wall"
        inflow = "supersonic_vortex_inflow"
        outflow = "outflow"
        "#
    ));
    solution(&case).errors().unwrap().l2[0]
}

#[test]
fn walls_through_vertices_converge_with_third_order_to_circles() {
    let circle = vortex(0, "");
    let [coarse, fine] = [0, 1].map(|refine| vortex(refine, "curves = { inner = \"spline\", outer = \"spline\" }"));
    println!("circles {circle:.2e}, splines {coarse:.2e}, refined {fine:.2e}");
    assert!(coarse < 6.0 * circle && (coarse / fine).log2() > 2.7);
}
