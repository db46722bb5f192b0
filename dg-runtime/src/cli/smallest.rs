//! Messages about the element that bounds a run's steps most.

use serde_json::{Value, json};

use crate::mesh::{Mesh, Smallest};

/// Elements whose sizes have at least this ratio count as equal.
const ALIKE: f64 = 0.99;

/// For people: the size and place of the smallest element; `None` if all have one size.
pub(super) fn text(mesh: &Mesh) -> Option<String> {
    let Smallest { element, of_median } = mesh.smallest();
    let position: Vec<_> = mesh.centroid(element)[..mesh.dim].iter().map(|x| format!("{x:.6}")).collect();
    (of_median < ALIKE).then(|| {
        format!(
            "the smallest element, {element} at ({}), bounds steps to {of_median:.2} of what the median one would",
            position.join(", ")
        )
    })
}

/// For programs: the same.
pub(super) fn as_json(mesh: &Mesh) -> Value {
    let Smallest { element, of_median } = mesh.smallest();
    json!({ "element": element, "position": mesh.centroid(element)[..mesh.dim], "of_median": of_median })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::Rectangle;

    #[test]
    fn only_a_smaller_element_is_mentioned() {
        let mesh = |jitter| Rectangle { jitter, cells: [8, 8], ..Rectangle::default() }.mesh().unwrap();
        assert_eq!(text(&mesh(0.0)), None);
        let jittered = mesh(0.2);
        let Smallest { element, of_median } = jittered.smallest();
        let said = text(&jittered).unwrap();
        assert!(said.contains(&format!("{element} at (0.")) && said.contains(&format!("{of_median:.2} of")), "{said}");
        assert_eq!(as_json(&jittered)["element"], element);
    }
}
