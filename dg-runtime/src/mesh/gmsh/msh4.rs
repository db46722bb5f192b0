//! Version 4.1.

use std::collections::HashMap;

use super::scan::Scanner;
use super::{Kind, MOST_NODES, MeshError, Node, Records};

/// The list of physical groups of each of the model's entities, by its dimension and number.
type Entities = HashMap<(i64, i64), usize>;

pub(super) fn read(scanner: &mut Scanner<'_>, records: &mut Records) -> Result<(), MeshError> {
    let mut entities = Entities::new();
    while let Some(section) = scanner.open()? {
        match section.as_str() {
            "PhysicalNames" => records.read_names(scanner)?,
            "Entities" => read_entities(scanner, records, &mut entities)?,
            "PartitionedEntities" => {
                let (what, remedy) = ("the mesh is partitioned", "save it without partitions (Mesh.NbPartitions = 0)");
                return Err(MeshError::Unsupported { what: what.to_owned(), remedy: remedy.to_owned() });
            }
            "Nodes" => nodes(scanner, records)?,
            "Elements" => elements(scanner, records, &entities)?,
            "Periodic" => periods(scanner, records)?,
            _ => {
                scanner.skip()?;
                continue;
            }
        }
        scanner.close()?;
    }
    Ok(())
}

fn read_entities(scanner: &mut Scanner<'_>, records: &mut Records, entities: &mut Entities) -> Result<(), MeshError> {
    let mut counts = [0; 4];
    for count in &mut counts {
        *count = scanner.count(4)?;
    }
    for (dimension, count) in (0..).zip(counts) {
        for _ in 0..count {
            let tag = scanner.int()?;
            // A point has a position, other entities a bounding box.
            for _ in 0..if dimension == 0 { 3 } else { 6 } {
                scanner.real()?;
            }
            let groups = integers(scanner)?;
            entities.insert((dimension, tag), records.groups.len());
            records.groups.push(groups.into_iter().map(i64::abs).collect());
            if dimension > 0 {
                integers(scanner)?;
            }
        }
    }
    Ok(())
}

/// A list after its length.
fn integers(scanner: &mut Scanner<'_>) -> Result<Vec<i64>, MeshError> {
    let count = scanner.count(1)?;
    (0..count).map(|_| scanner.int()).collect()
}

fn nodes(scanner: &mut Scanner<'_>, records: &mut Records) -> Result<(), MeshError> {
    let (blocks, total) = (scanner.count(4)?, scanner.count(4)?);
    // The smallest and the largest tag.
    scanner.size()?;
    scanner.size()?;
    for _ in 0..blocks {
        let (dimension, _, parametric) = (scanner.dimension()?, scanner.int()?, scanner.int()?);
        let count = scanner.count(4)?;
        let block = records.nodes.len();
        records.nodes.reserve(count);
        for _ in 0..count {
            let (tag, offset) = (scanner.size()?, scanner.offset());
            records.nodes.push(Node { tag, offset, position: [f64::NAN; 3] });
        }
        for node in &mut records.nodes[block..] {
            node.position = [scanner.real()?, scanner.real()?, scanner.real()?];
            for _ in 0..if parametric == 0 { 0 } else { dimension } {
                scanner.real()?;
            }
        }
    }
    match records.nodes.len() {
        found if found == total => Ok(()),
        found => Err(scanner.unexpected(&format!("{total} nodes"), &found.to_string())),
    }
}

fn elements(scanner: &mut Scanner<'_>, records: &mut Records, entities: &Entities) -> Result<(), MeshError> {
    let (blocks, total) = (scanner.count(4)?, scanner.count(2)?);
    scanner.size()?;
    scanner.size()?;
    let mut found = 0;
    let no_groups = records.groups.len();
    records.groups.push(Vec::new());
    for _ in 0..blocks {
        let (dimension, entity, number) = (scanner.int()?, scanner.int()?, scanner.int()?);
        let count = scanner.count(2)?;
        found += count;
        for _ in 0..count {
            let (tag, offset) = (scanner.size()?, scanner.offset());
            let kind = Kind::new(number, tag)?;
            let mut nodes = [0; MOST_NODES];
            let nodes = &mut nodes[..kind.nodes()];
            for node in &mut *nodes {
                *node = scanner.size()?;
            }
            scanner.check_line(offset, tag, nodes.len())?;
            let groups = match entities.get(&(dimension, entity)) {
                Some(&groups) => groups,
                // A file without any entities has no physical groups either.
                None if entities.is_empty() => no_groups,
                None => {
                    return Err(MeshError::DanglingTag {
                        element: tag,
                        what: format!("entity {entity} of dimension {dimension}"),
                        problem: "which $Entities does not list",
                        remedy: "write the file again".to_owned(),
                    });
                }
            };
            records.add(&kind, tag, offset, nodes, entity, groups);
        }
    }
    if found == total { Ok(()) } else { Err(scanner.unexpected(&format!("{total} elements"), &found.to_string())) }
}

fn periods(scanner: &mut Scanner<'_>, records: &mut Records) -> Result<(), MeshError> {
    for _ in 0..scanner.count(4)? {
        let dimension = scanner.int()?;
        scanner.int()?;
        scanner.int()?;
        // Skips the affine transformation; the nodes contain the same information.
        for _ in 0..scanner.count(1)? {
            scanner.real()?;
        }
        let mut pairs = Vec::new();
        for _ in 0..scanner.count(2)? {
            pairs.push([scanner.size()?, scanner.size()?]);
        }
        if dimension == 1 {
            records.periods.push(pairs);
        }
    }
    Ok(())
}
