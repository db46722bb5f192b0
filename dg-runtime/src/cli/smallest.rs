//! Messages about the element that bounds a run's steps most.

use serde_json::{Value, json};

use super::position::position;
use crate::io::picture::significant;
use crate::mesh::{Mesh, Smallest};

/// Elements whose sizes have at least this ratio count as equal.
const ALIKE: f64 = 0.99;

/// For people: the size and place of the smallest element; `None` if all have one size.
pub(super) fn text(mesh: &Mesh, smallest: Smallest) -> Option<String> {
    let Smallest { element, of_median } = smallest;
    let place = position(mesh, &mesh.centroid(element));
    let part = significant(of_median, 2);
    (of_median < ALIKE).then(|| {
        format!("the smallest element, {element} at {place}, bounds steps to {part} of what the median one would")
    })
}

/// For programs: the same.
pub(super) fn as_json(mesh: &Mesh, smallest: Smallest) -> Value {
    let Smallest { element, of_median } = smallest;
    json!({ "element": element, "position": mesh.centroid(element)[..mesh.dim], "of_median": of_median })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::Rectangle;

    #[test]
    fn only_a_smaller_element_is_mentioned() {
        let mesh = |jitter| Rectangle { jitter, cells: [8, 8], ..Rectangle::default() }.mesh().unwrap();
        assert_eq!(text(&mesh(0.0), mesh(0.0).smallest()), None);
        let jittered = mesh(0.2);
        let Smallest { element, of_median } = jittered.smallest();
        let said = text(&jittered, jittered.smallest()).unwrap();
        assert!(
            said.contains(&format!("{element} at (0.")) && said.contains(&format!("{} of", significant(of_median, 2))),
            "{said}"
        );
        assert_eq!(as_json(&jittered, jittered.smallest())["element"], element);
    }
}
