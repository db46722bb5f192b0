//! Reads times and components from files that [`write`](super::write) wrote, for pictures drawn at the end of a run.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use flate2::read::ZlibDecoder;

use crate::io::Error;

/// The text before the bytes of the arrays.
const APPENDED: &[u8] = b"<AppendedData encoding=\"raw\">\n_";
/// The longest possible header.
const LONGEST: usize = 1 << 20;

/// The time of a file's fields.
///
/// # Errors
///
/// [`Error::System`] if the file cannot be read, [`Error::Content`] if this program did not write it.
pub fn time(path: &Path) -> Result<f64, Error> {
    Header::read(path)?.time()
}

/// The values of a scalar, or of a component of a vector, by its name, `[element][node]`; `None` if the file lacks it.
///
/// # Errors
///
/// [`Error::System`] if the file cannot be read, [`Error::Content`] if this program did not write it.
pub fn component(path: &Path, name: &str) -> Result<Option<Vec<f64>>, Error> {
    Header::read(path)?.component(name)
}

/// The place of a component in its array.
struct Place {
    offset: usize,
    /// Number of components in the array, and the index of this one.
    count: usize,
    index: usize,
    single: bool,
}

/// The head of a file, and the file.
struct Header<'p> {
    path: &'p Path,
    file: BufReader<File>,
    text: String,
    /// The offset of the arrays.
    start: u64,
}

impl<'p> Header<'p> {
    fn read(path: &'p Path) -> Result<Self, Error> {
        let mut file = BufReader::new(File::open(path).map_err(Error::system("read", path))?);
        let mut bytes = vec![0; LONGEST];
        let mut count = 0;
        loop {
            let more = file.read(&mut bytes[count..]).map_err(Error::system("read", path))?;
            count += more;
            let end = bytes[..count].windows(APPENDED.len()).position(|window| window == APPENDED);
            match end {
                Some(end) => {
                    let text = String::from_utf8_lossy(&bytes[..end]).into_owned() + "</VTKFile>";
                    return Ok(Self { path, file, text, start: (end + APPENDED.len()) as u64 });
                }
                None if more == 0 => return Err(Error::content(path, "it is no VTU file of this program")),
                None => {}
            }
        }
    }

    fn wrong(&self, what: &str) -> Error {
        Error::content(self.path, format!("it is no VTU file of this program: {what}"))
    }

    fn document(&self) -> Result<roxmltree::Document<'_>, Error> {
        roxmltree::Document::parse(&self.text).map_err(|error| self.wrong(&error.to_string()))
    }

    fn time(&self) -> Result<f64, Error> {
        let document = self.document()?;
        let value = document.descendants().find(|node| node.attribute("Name") == Some("TimeValue"));
        let time = value.and_then(|node| node.text()?.trim().parse().ok());
        time.ok_or_else(|| self.wrong("it has no time"))
    }

    fn component(mut self, name: &str) -> Result<Option<Vec<f64>>, Error> {
        let Some((place, compressed)) = self.place(name)? else { return Ok(None) };
        let Place { offset, count, index, single } = place;
        let path = self.path;
        let bytes = self.array(offset as u64, compressed).map_err(Error::system("read", path))?;
        let values: Vec<f64> = if single {
            bytes.as_chunks().0.iter().map(|&number| f64::from(f32::from_le_bytes(number))).collect()
        } else {
            bytes.as_chunks().0.iter().map(|&number| f64::from_le_bytes(number)).collect()
        };
        Ok(Some(values.into_iter().skip(index).step_by(count).collect()))
    }

    /// The place of a component, and whether arrays are compressed.
    fn place(&self, name: &str) -> Result<Option<(Place, bool)>, Error> {
        let document = self.document()?;
        let compressed = document.root_element().has_attribute("compressor");
        let Some(points) = document.descendants().find(|node| node.has_tag_name("PointData")) else {
            return Err(self.wrong("it has no fields"));
        };
        let found = points.children().find_map(|array| {
            let number = |key: &str| array.attribute(key)?.parse::<usize>().ok();
            let count = number("NumberOfComponents")?;
            let named = (0..count).find(|i| array.attribute(format!("ComponentName{i}").as_str()) == Some(name));
            let index = named.or((count == 1 && array.attribute("Name") == Some(name)).then_some(0))?;
            Some(Place { offset: number("offset")?, count, index, single: array.attribute("type") == Some("Float32") })
        });
        Ok(found.map(|place| (place, compressed)))
    }

    /// The bytes of the array at this offset.
    fn array(&mut self, offset: u64, compressed: bool) -> std::io::Result<Vec<u8>> {
        self.file.seek(SeekFrom::Start(self.start + offset))?;
        let size = self.number()?;
        if !compressed {
            return self.bytes(size);
        }
        let [_, _] = [self.number()?, self.number()?];
        let sizes = (0..size).map(|_| self.number()).collect::<std::io::Result<Vec<_>>>()?;
        let mut all = Vec::new();
        for size in sizes {
            let block = self.bytes(size)?;
            ZlibDecoder::new(&block[..]).read_to_end(&mut all)?;
        }
        Ok(all)
    }

    fn number(&mut self) -> std::io::Result<u64> {
        let mut bytes = [0; 8];
        self.file.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn bytes(&mut self, count: u64) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let read = (&mut self.file).take(count).read_to_end(&mut bytes)? as u64;
        if read == count { Ok(bytes) } else { Err(std::io::ErrorKind::UnexpectedEof.into()) }
    }
}
