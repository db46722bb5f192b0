//! Shapes as arguments and in reports.

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
