//! Shapes as arguments, and shapes and degrees in reports.

use crate::law::Shape;
use crate::mesh::Mesh;

/// A shape by its name.
pub(super) fn parse(name: &str) -> Result<Shape, String> {
    let known = Shape::ALL.map(Shape::name).join(", ");
    Shape::ALL
        .into_iter()
        .find(|shape| shape.name() == name)
        .ok_or_else(|| format!("no shape `{name}`; there are {known}"))
}

/// A number of things.
pub(super) fn number_of(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// The numbers of elements of each shape.
pub(super) fn numbers_of_elements(mesh: &Mesh) -> String {
    let of_shape = mesh.elements().by_shape().map(|(shape, elements)| number_of(elements.len(), shape.name()));
    of_shape.collect::<Vec<_>>().join(" and ")
}

/// The degrees of the elements, where `others` is that of elements without their own: `2 and 4`.
pub(super) fn degrees(mesh: &Mesh, others: usize) -> String {
    mesh.all_orders(others).iter().map(usize::to_string).collect::<Vec<_>>().join(" and ")
}

/// The same for people: `orders 2 and 4`.
pub(super) fn orders(mesh: &Mesh, others: usize) -> String {
    format!("order{} {}", if mesh.all_orders(others).len() == 1 { "" } else { "s" }, degrees(mesh, others))
}
