//! A VTKHDF file: HDF5 with the mesh once and the fields at all times of a run.
//!
//! The format is that of an `UnstructuredGrid` with a group `Steps`:
//! <https://docs.vtk.org/en/latest/vtk_file_formats/vtkhdf_file_format/vtkhdf_specifications.html>. Its arrays of fields grow, and for every
//! time `Steps` says where in them that time begins. A new time is one commit of `hdf5-pure`: what it adds lies behind the end of
//! the file, and the superblock, which is written last, makes it visible. So a killed run leaves a file with the times before.

use std::path::Path;

use hdf5_pure::{AttrValue, DatasetBuilder, File, FileAccessProperties, FileBuilder, FileLocking, MaxExtent};

use super::vtu::{CellField, Component, Encoding, ends_and_types};
use super::{Error, Nodes, atomic};

/// The folder of all data in a file.
const ROOT: &str = "VTKHDF";
/// The group of the times.
const STEPS: &str = "VTKHDF/Steps";

/// A growing file.
pub struct Times {
    file: File,
    /// The times, by time, and the place of each among the sets of fields that the file stores.
    times: Vec<(f64, u64)>,
    /// Sets of fields that are stored, those of times that are no longer listed among them.
    stored: u64,
    /// Whether the file has a group of times.
    listed: bool,
}

impl Times {
    /// Starts a file with a mesh and without times, for fields at nodes and of elements with these names.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if the file cannot be written.
    pub fn start(
        path: &Path,
        nodes: &Nodes<'_>,
        fields: &[&str],
        cells: &[&str],
        encoding: Encoding,
    ) -> Result<Self, Error> {
        let builder = mesh(nodes, fields, cells, encoding);
        atomic::write(path, |file| builder.finish_to(file).map_err(std::io::Error::other))?;
        let file = open(path).map_err(failed("write", path))?;
        Ok(Self { file, times: Vec::new(), stored: 0, listed: false })
    }

    /// Resumes a file as it was at `time`: later times are no longer listed. `None` if the file is for another mesh or other fields.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if the file cannot be read, [`Error::Content`] if it is no such file.
    pub fn resume(
        path: &Path,
        nodes: &Nodes<'_>,
        fields: &[&str],
        cells: &[&str],
        time: f64,
    ) -> Result<Option<Self>, Error> {
        let read = || -> Result<Option<Self>, hdf5_pure::Error> {
            let file = open(path)?;
            let numbers = |name: &str| file.dataset(&format!("{ROOT}/{name}"))?.read_i64();
            let names = |group: &str| file.group(&format!("{ROOT}/{group}"))?.datasets();
            let same = |names: Vec<String>, wanted: &[&str]| {
                names.len() == wanted.len() && wanted.iter().all(|name| names.iter().any(|other| other == name))
            };
            let fits = numbers("NumberOfPoints")? == [nodes.total() as i64]
                && numbers("NumberOfCells")? == [nodes.elements() as i64]
                && same(names("PointData")?, fields)
                && same(names("CellData")?, cells);
            let listed = file.group(ROOT)?.groups()?.iter().any(|name| name == "Steps");
            if !fits || !listed {
                return Ok(None);
            }
            let elements = nodes.elements().max(1) as u64;
            let set = |row: u64| row / elements;
            let stored = file.dataset(&format!("{ROOT}/CellData/{}", cells[0]))?.shape()?;
            let rows = numbers(&format!("Steps/CellDataOffsets/{}", cells[0]))?;
            let times = file.dataset(&format!("{STEPS}/Values"))?.read_f64()?.into_iter();
            let times = times.zip(rows.into_iter().map(|row| set(row as u64)));
            let times = times.filter(|(other, _)| *other <= time).collect();
            Ok(Some(Self { file, times, stored: stored.first().map_or(0, |rows| set(*rows)), listed }))
        };
        read().map_err(failed("read", path))
    }

    /// Adds the fields at a time. A time that is there is replaced.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if the file cannot be written.
    pub fn add(
        &mut self,
        path: &Path,
        nodes: &Nodes<'_>,
        fields: &[Component<'_>],
        cells: &[CellField],
        encoding: Encoding,
        time: f64,
    ) -> Result<(), Error> {
        self.times.retain(|(other, _)| *other != time);
        self.times.push((time, self.stored));
        self.stored += 1;
        let write = || -> Result<(), hdf5_pure::Error> {
            for field in fields {
                let mut stored = self.file.dataset(&format!("{ROOT}/PointData/{}", field.name))?;
                stored.append_staged(|rows| {
                    if encoding.single {
                        rows.append(&field.values.iter().map(|x| *x as f32).collect::<Vec<_>>());
                    } else {
                        rows.append(field.values);
                    }
                })?;
            }
            for cell in cells {
                let mut stored = self.file.dataset(&format!("{ROOT}/CellData/{}", cell.name))?;
                stored.append_staged(|rows| {
                    rows.append(&cell.values);
                })?;
            }
            self.list(nodes, fields, cells)?;
            self.file.commit()
        };
        write().map_err(failed("write", path))?;
        self.listed = true;
        Ok(())
    }

    /// Stages the list of times in the place of the earlier one.
    fn list(&self, nodes: &Nodes<'_>, fields: &[Component<'_>], cells: &[CellField]) -> Result<(), hdf5_pure::Error> {
        let root = self.file.root();
        if self.listed {
            root.delete(STEPS)?;
        }
        let count = self.times.len();
        let times: Vec<f64> = self.times.iter().map(|(time, _)| *time).collect();
        let rows = |size: usize| -> Vec<i64> { self.times.iter().map(|(_, set)| *set as i64 * size as i64).collect() };
        let (of_nodes, of_elements) = (rows(nodes.total()), rows(nodes.elements()));
        root.create_group_with(STEPS, |steps| {
            steps.set_attr("NSteps", AttrValue::I64(count as i64));
            steps.create_dataset("Values", |array| {
                array.with_f64_data(&times);
            });
            let mut whole = |name: &str, value: i64| {
                steps.create_dataset(name, |array| {
                    array.with_i64_data(&vec![value; count]);
                });
            };
            // The mesh is the same at all times.
            whole("NumberOfParts", 1);
            for name in ["PartOffsets", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets"] {
                whole(name, 0);
            }
            let names = fields.iter().map(|field| field.name);
            let of_fields = [("PointDataOffsets", names.collect::<Vec<_>>(), &of_nodes)];
            let names = cells.iter().map(|cell| cell.name);
            for (group, names, rows) in
                of_fields.into_iter().chain([("CellDataOffsets", names.collect::<Vec<_>>(), &of_elements)])
            {
                steps.create_group_with(group, |offsets| {
                    for name in names {
                        offsets.create_dataset(name, |array| {
                            array.with_i64_data(rows);
                        });
                    }
                });
            }
        })?;
        Ok(())
    }
}

/// Opens a file to add to it. Readers may look at it meanwhile; the lock of the run's directory keeps off other writers.
fn open(path: &Path) -> Result<File, hdf5_pure::Error> {
    File::open_rw_with_options(path, FileAccessProperties::new().with_locking(FileLocking::Disabled))
}

/// An error of the library as one of files.
fn failed(operation: &'static str, path: &Path) -> impl FnOnce(hdf5_pure::Error) -> Error {
    move |error| match error {
        hdf5_pure::Error::Io(cause) => Error::system(operation, path)(cause),
        other => Error::content(path, other.to_string()),
    }
}

/// The mesh, and empty arrays of fields.
fn mesh(nodes: &Nodes<'_>, fields: &[&str], cells: &[&str], encoding: Encoding) -> FileBuilder {
    let (points, elements) = (nodes.total(), nodes.elements());
    let squeezed = |array: &mut DatasetBuilder, rows: usize, columns: &[u64]| {
        array.with_chunks(&[&[chunk(rows)], columns].concat());
        if encoding.compressed {
            array.with_shuffle().with_deflate(1);
        }
    };
    let mut file = FileBuilder::new();
    let mut root = file.create_group(ROOT);
    root.set_attr("Version", AttrValue::I64Array(vec![2, 0]));
    root.set_attr("Type", AttrValue::AsciiString("UnstructuredGrid".into()));
    root.create_dataset("NumberOfPoints").with_i64_data(&[points as i64]);
    root.create_dataset("NumberOfCells").with_i64_data(&[elements as i64]);
    root.create_dataset("NumberOfConnectivityIds").with_i64_data(&[points as i64]);
    let position = |point: usize| {
        let at = &nodes.positions[point * nodes.dim..(point + 1) * nodes.dim];
        [0, 1, 2].map(|d| at.get(d).copied().unwrap_or(0.0))
    };
    let positions: Vec<f64> = (0..points).flat_map(position).collect();
    let array = root.create_dataset("Points").with_f64_data(&positions).with_shape(&[points as u64, 3]);
    squeezed(array, points, &[3]);
    let numbers: Vec<i64> = (0..points as i64).collect();
    squeezed(root.create_dataset("Connectivity").with_i64_data(&numbers), points, &[]);
    let (ends, types): (Vec<usize>, Vec<u8>) = ends_and_types(nodes).into_iter().unzip();
    let ends: Vec<i64> = std::iter::once(0).chain(ends).map(|end| end as i64).collect();
    squeezed(root.create_dataset("Offsets").with_i64_data(&ends), elements + 1, &[]);
    squeezed(root.create_dataset("Types").with_u8_data(&types), elements, &[]);
    let growing = |array: &mut DatasetBuilder, rows: usize| {
        array.with_shape(&[0]).with_maxshape(&[MaxExtent::Unlimited]);
        squeezed(array, rows, &[]);
    };
    let mut data = root.create_group("PointData");
    for field in fields {
        let array = data.create_dataset(field);
        growing(if encoding.single { array.with_f32_data(&[]) } else { array.with_f64_data(&[]) }, points);
    }
    root.add_group(data.finish());
    let mut data = root.create_group("CellData");
    for cell in cells {
        growing(data.create_dataset(cell).with_i32_data(&[]), elements);
    }
    root.add_group(data.finish());
    file.add_group(root.finish());
    file
}

/// Rows of a chunk for arrays with so many in a time: those of a time, but neither so few that there are countless chunks nor so many that
/// one is large.
fn chunk(rows: usize) -> u64 {
    rows.clamp(1 << 10, 1 << 15) as u64
}
