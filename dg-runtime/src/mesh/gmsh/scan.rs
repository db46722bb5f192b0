//! Numbers and sections of a file, whether text or binary.

use super::MeshError;

/// Reads a file from front to back.
#[derive(Clone)]
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    section: String,
    encoding: Encoding,
    /// Whether the file is binary; some of its sections are text nevertheless.
    binary: bool,
    /// The format's version.
    pub version: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// The most characters of a file's text quoted in a message.
const SHOWN: usize = 40;

/// How far text is told from other contents.
const HEAD: usize = 256;

/// The longest name of a section.
const LONGEST_SECTION: usize = 80;

/// The bytes before UTF-8 that some editors write.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

fn unsupported(what: &str, remedy: &str) -> MeshError {
    MeshError::Unsupported { what: what.to_owned(), remedy: remedy.to_owned() }
}

impl<'a> Scanner<'a> {
    /// Reads `$MeshFormat`, which comments may precede.
    pub fn new(bytes: &'a [u8]) -> Result<Self, MeshError> {
        if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
            return Err(unsupported("the file is text in UTF-16", "save it as UTF-8 or ASCII, as Gmsh writes it"));
        }
        let at = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let section = "the beginning".to_owned();
        let mut scanner = Self { bytes, at, section, encoding: Encoding::Text, binary: false, version: String::new() };
        scanner.find_format()?;
        scanner.version = scanner.word()?.chars().take(SHOWN).collect();
        let (binary, size) = (scanner.int()?, scanner.int()?);
        if size != 8 {
            return Err(unsupported(&format!("numbers have {size} bytes"), "save the mesh on a 64-bit machine"));
        }
        if binary != 0 {
            scanner.line_end()?;
            scanner.binary = true;
            scanner.encoding = match scanner.take()? {
                [1, 0, 0, 0] => Encoding::LittleEndian,
                [0, 0, 0, 1] => Encoding::BigEndian,
                other => return Err(scanner.unexpected("the binary integer 1", &format!("{other:?}"))),
            };
        }
        scanner.close()?;
        Ok(scanner)
    }

    fn find_format(&mut self) -> Result<(), MeshError> {
        if !self.begins_with_text() {
            let rest = &self.bytes[self.at..];
            let word = rest.split(u8::is_ascii_whitespace).next().unwrap_or(rest);
            return Err(self.unexpected("$MeshFormat of a Gmsh file", &String::from_utf8_lossy(word)));
        }
        let beginning = self.clone();
        loop {
            match self.open()?.as_deref() {
                Some("MeshFormat") => return Ok(()),
                Some("Comments") => self.skip()?,
                Some("NOD") => {
                    let remedy = "save it as version 4.1 or 2.2 (gmsh -save -format msh41, or Mesh.MshFileVersion)";
                    return Err(unsupported("the file has MSH version 1", remedy));
                }
                Some(other) => return Err(self.unexpected("$MeshFormat of a Gmsh file", &format!("${other}"))),
                None => break,
            }
        }
        *self = beginning;
        self.skip_space();
        if self.at == self.bytes.len() {
            let remedy = "save the mesh again, as version 4.1 or 2.2 (gmsh -2 -format msh41)";
            return Err(unsupported("the file is empty", remedy));
        }
        let found = self.word()?;
        Err(self.unexpected("$MeshFormat of a Gmsh file", found))
    }

    /// Whether the file begins with a section or with text, unlike pictures and archives.
    fn begins_with_text(&self) -> bool {
        let head = self.bytes[self.at..].iter().take(HEAD).take_while(|&&byte| byte != b'$');
        head.into_iter().all(|&byte| !byte.is_ascii_control() || byte.is_ascii_whitespace())
    }

    pub fn is_binary(&self) -> bool {
        self.encoding != Encoding::Text
    }

    /// How many bytes have been read.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// The line of a byte, from 1; `None` in a binary file.
    pub fn line(&self, offset: usize) -> Option<usize> {
        let lines = || self.bytes[..offset].iter().filter(|&&byte| byte == b'\n').count();
        (!self.binary).then(|| lines() + 1)
    }

    fn place(&self, offset: usize) -> String {
        self.line(offset).map_or_else(|| format!("byte {offset}"), |line| format!("line {line}"))
    }

    /// Begins the next section; `None` at the end of the file. Lines between sections are comments and skipped.
    pub fn open(&mut self) -> Result<Option<String>, MeshError> {
        loop {
            self.skip_space();
            match self.bytes.get(self.at) {
                None => return Ok(None),
                Some(b'$') => break,
                Some(_) => {
                    let rest = &self.bytes[self.at..];
                    self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                }
            }
        }
        let word = self.word()?;
        let name = word[1..].to_owned();
        if name.starts_with("End") || name.len() > LONGEST_SECTION {
            return Err(self.unexpected("a section's $Name", word));
        }
        self.section = format!("${name}");
        if self.is_binary() {
            self.line_end()?;
        }
        Ok(Some(name))
    }

    /// Ends a section.
    pub fn close(&mut self) -> Result<(), MeshError> {
        let end = self.section.replace('$', "$End");
        match self.word()? {
            word if word == end => Ok(()),
            // The file was cut off inside the word.
            word if self.at == self.bytes.len() && end.starts_with(word) => Err(self.truncated()),
            word => Err(self.unexpected(&end, word)),
        }
    }

    /// Skips the rest of a section.
    pub fn skip(&mut self) -> Result<(), MeshError> {
        let end = self.section.replace('$', "$End");
        let rest = &self.bytes[self.at..];
        match rest.windows(end.len()).position(|window| window == end.as_bytes()) {
            Some(length) => {
                self.at += length;
                self.close()
            }
            None => Err(self.truncated()),
        }
    }

    /// The same place, read as text: some sections are text in binary files too.
    pub fn as_text(&self) -> Self {
        Self { encoding: Encoding::Text, ..self.clone() }
    }

    /// Continues at the position of `other`.
    pub fn resume(&mut self, other: &Self) {
        self.at = other.at;
    }

    /// Reads a count of things that each take at least `least` numbers. A count too large for the rest of the file is an error, so
    /// memory may be allocated for it.
    pub fn count(&mut self, least: usize) -> Result<usize, MeshError> {
        let count = self.size()?;
        self.check_count(count, least)
    }

    /// Checks a count like [`Self::count`]. Every number takes at least two bytes.
    pub fn check_count(&self, count: u64, least: usize) -> Result<usize, MeshError> {
        let left = self.bytes.len() - self.at;
        match usize::try_from(count) {
            Ok(count) if count.checked_mul(2 * least).is_some_and(|bytes| bytes <= left) => Ok(count),
            _ => Err(self.truncated()),
        }
    }

    /// Reads an integer: 32 bits in binary.
    pub fn int(&mut self) -> Result<i64, MeshError> {
        Ok(match self.encoding {
            Encoding::Text => return self.parse("an integer"),
            Encoding::LittleEndian => i32::from_le_bytes(self.take()?).into(),
            Encoding::BigEndian => i32::from_be_bytes(self.take()?).into(),
        })
    }

    /// Reads the dimension of an entity.
    pub fn dimension(&mut self) -> Result<i64, MeshError> {
        match self.int()? {
            dimension @ 0..=3 => Ok(dimension),
            other => Err(self.unexpected("a dimension from 0 to 3", &other.to_string())),
        }
    }

    /// Reads a count, or the number of an element or a node, in version 4: 64 bits in binary.
    pub fn size(&mut self) -> Result<u64, MeshError> {
        Ok(match self.encoding {
            Encoding::Text => return self.parse("a number from 0"),
            Encoding::LittleEndian => u64::from_le_bytes(self.take()?),
            Encoding::BigEndian => u64::from_be_bytes(self.take()?),
        })
    }

    /// The same as [`Self::size`] for version 2: 32 bits in binary.
    pub fn short_size(&mut self) -> Result<u64, MeshError> {
        let number = self.int()?;
        u64::try_from(number).map_err(|_| self.unexpected("a number from 0", &number.to_string()))
    }

    /// Reads a real number.
    pub fn real(&mut self) -> Result<f64, MeshError> {
        Ok(match self.encoding {
            Encoding::Text => return self.parse("a real number"),
            Encoding::LittleEndian => f64::from_le_bytes(self.take()?),
            Encoding::BigEndian => f64::from_be_bytes(self.take()?),
        })
    }

    /// Reads a word between spaces.
    pub fn word(&mut self) -> Result<&'a str, MeshError> {
        self.skip_space();
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.truncated());
        }
        let word = &rest[..length];
        self.at += length;
        std::str::from_utf8(word).map_err(|_| self.unexpected("text", &String::from_utf8_lossy(word)))
    }

    /// Reads a name in double quotes. Gmsh does not escape quotes inside, so the last one of the line ends the name.
    pub fn quoted(&mut self) -> Result<String, MeshError> {
        self.skip_space();
        let rest = &self.bytes[self.at..];
        let Some(inside) = rest.strip_prefix(b"\"") else {
            let found = self.word()?;
            return Err(self.unexpected("a name in double quotes", found));
        };
        let line = inside.iter().position(|&byte| byte == b'\n').ok_or_else(|| self.truncated())?;
        let Some(length) = inside[..line].iter().rposition(|&byte| byte == b'"') else {
            return Err(self.unexpected("a name in double quotes", &String::from_utf8_lossy(&rest[..line])));
        };
        self.at += length + 2;
        Ok(String::from_utf8_lossy(&inside[..length]).into_owned())
    }

    /// Skips to the next line.
    pub fn line_end(&mut self) -> Result<(), MeshError> {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|&byte| byte == b'\n').ok_or_else(|| self.truncated())? + 1;
        Ok(())
    }

    fn parse<T: std::str::FromStr>(&mut self, expected: &str) -> Result<T, MeshError> {
        let word = self.word()?;
        word.parse().map_err(|_| match self.at == self.bytes.len() {
            true => self.truncated(),
            false => self.unexpected(expected, word),
        })
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], MeshError> {
        let bytes = self.bytes[self.at..].first_chunk().ok_or_else(|| self.truncated())?;
        self.at += N;
        Ok(*bytes)
    }

    fn skip_space(&mut self) {
        self.at += self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    fn truncated(&self) -> MeshError {
        MeshError::Truncated { section: self.section.clone(), place: self.place(self.bytes.len()) }
    }

    /// Makes sure that an element of so many nodes, read from this offset in its line on, fills the line: with fewer nodes it would have taken
    /// numbers of the next one. Binary files have no lines.
    pub fn check_line(&self, from: usize, element: u64, nodes: usize) -> Result<(), MeshError> {
        if self.encoding != Encoding::Text {
            return Ok(());
        }
        let start = self.bytes[..from].iter().rposition(|&byte| byte == b'\n').map_or(0, |before| before + 1);
        let rest = &self.bytes[start..];
        let line = &rest[..rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())];
        if line.get(self.at - start..).is_some_and(|beyond| beyond.iter().all(u8::is_ascii_whitespace)) {
            return Ok(());
        }
        let found = String::from_utf8_lossy(line);
        Err(MeshError::Syntax {
            section: self.section.clone(),
            place: self.place(from),
            expected: format!("{nodes} nodes of element {element} at the end of its line"),
            found: found.trim().chars().take(SHOWN).collect(),
        })
    }

    /// An error about the last item read.
    pub fn unexpected(&self, expected: &str, found: &str) -> MeshError {
        MeshError::Syntax {
            section: self.section.clone(),
            place: self.place(self.at),
            expected: expected.to_owned(),
            found: found.chars().take(SHOWN).collect(),
        }
    }
}
