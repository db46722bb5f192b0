//! Shapes as arguments.

use crate::law::Shape;

/// A shape by its name.
pub(super) fn parse(name: &str) -> Result<Shape, String> {
    let known = Shape::ALL.map(Shape::name).join(", ");
    Shape::ALL
        .into_iter()
        .find(|shape| shape.name() == name)
        .ok_or_else(|| format!("no shape `{name}`; there are {known}"))
}
