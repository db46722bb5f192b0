//! Version 2.2.

use std::collections::HashMap;

use super::scan::Scanner;
use super::{Kind, MOST_NODES, MeshError, Node, Records};

pub(super) fn read(scanner: &mut Scanner<'_>, records: &mut Records) -> Result<(), MeshError> {
    while let Some(section) = scanner.open()? {
        match section.as_str() {
            "PhysicalNames" => records.read_names(scanner)?,
            "Nodes" => nodes(scanner, records, false)?,
            "ParametricNodes" => nodes(scanner, records, true)?,
            "Elements" => elements(scanner, records)?,
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

/// Reads a count on its own line, which is text in binary files too.
fn count(scanner: &mut Scanner<'_>, least: usize) -> Result<usize, MeshError> {
    let mut text = scanner.as_text();
    let count = text.count(least)?;
    if scanner.is_binary() {
        text.line_end()?;
    }
    scanner.resume(&text);
    Ok(count)
}

/// Reads nodes. In a node with parameters its entity follows the position and then, on curves and surfaces, as many parameters as
/// the entity has dimensions.
fn nodes(scanner: &mut Scanner<'_>, records: &mut Records, parametric: bool) -> Result<(), MeshError> {
    let count = count(scanner, 4)?;
    records.nodes.reserve(count);
    for _ in 0..count {
        let (tag, offset) = (scanner.short_size()?, scanner.offset());
        records.nodes.push(Node { tag, offset, position: [scanner.real()?, scanner.real()?, scanner.real()?] });
        if parametric {
            let (dimension, _) = (scanner.dimension()?, scanner.int()?);
            for _ in 0..if dimension < 3 { dimension } else { 0 } {
                scanner.real()?;
            }
        }
    }
    Ok(())
}

/// Reads elements: in text each has a line `tag type tags …`; in binary a header `type count tags` precedes elements of one type.
fn elements(scanner: &mut Scanner<'_>, records: &mut Records) -> Result<(), MeshError> {
    let mut left = count(scanner, 4)? as u64;
    // The list of every physical group contains only this group; 0 stands for none.
    let mut lists = HashMap::new();
    while left > 0 {
        let first = if scanner.is_binary() { None } else { Some(scanner.short_size()?) };
        let number = scanner.int()?;
        let block = if first.is_none() { scanner.short_size()? } else { 1 };
        let tag_count = scanner.short_size()?;
        if block == 0 || block > left {
            return Err(scanner.unexpected(&format!("a block of at most {left} elements"), &block.to_string()));
        }
        for _ in 0..block {
            let tag = first.map_or_else(|| scanner.short_size(), Ok)?;
            let offset = scanner.offset();
            let kind = Kind::new(number, tag)?;
            // The physical group (0 for none), the entity, and further tags of partitioned meshes.
            let mut tags = [0; 2];
            for i in 0..scanner.check_count(tag_count, 1)? {
                let value = scanner.int()?;
                if let Some(tag) = tags.get_mut(i) {
                    *tag = value;
                }
            }
            let mut nodes = [0; MOST_NODES];
            let nodes = &mut nodes[..kind.nodes()];
            for node in &mut *nodes {
                *node = scanner.short_size()?;
            }
            scanner.check_line(offset, tag, nodes.len())?;
            let group = tags[0].abs();
            let groups = *lists.entry(group).or_insert_with(|| {
                records.groups.push(if group == 0 { Vec::new() } else { vec![group] });
                records.groups.len() - 1
            });
            records.add(&kind, tag, offset, nodes, tags[1], groups);
        }
        left -= block;
    }
    Ok(())
}

/// Reads periods, as text in binary files too; an optional line `Affine …` holds the transformation.
fn periods(scanner: &mut Scanner<'_>, records: &mut Records) -> Result<(), MeshError> {
    let mut text = scanner.as_text();
    for _ in 0..text.count(4)? {
        let dimension = text.int()?;
        text.int()?;
        text.int()?;
        let mut ahead = text.clone();
        if ahead.word()? == "Affine" {
            ahead.line_end()?;
            text.resume(&ahead);
        }
        let mut pairs = Vec::new();
        for _ in 0..text.count(2)? {
            pairs.push([text.size()?, text.size()?]);
        }
        if dimension == 1 {
            records.periods.push(pairs);
        }
    }
    scanner.resume(&text);
    Ok(())
}
