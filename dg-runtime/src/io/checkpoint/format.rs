//! The bytes of a checkpoint; the parent module documents the layout.

use std::io::Write;

use super::{Checkpoint, Coefficients, Identity, Value, names};
use crate::law::Shape;

const MAGIC: &[u8; 8] = b"RANKINE\0";
const VERSION: u32 = 1;
const HASH_BYTES: usize = 32;

pub(super) fn write(checkpoint: &Checkpoint, file: &mut dyn Write) -> std::io::Result<()> {
    let mut header = Vec::new();
    encode_header(checkpoint, &mut header);
    let reals = match &checkpoint.coefficients {
        Coefficients::Double(reals) => size_of_val(&reals[..]),
        Coefficients::Single(reals) => size_of_val(&reals[..]),
    };
    let length = MAGIC.len() + size_of::<u32>() + size_of::<u64>() + header.len() + reals + HASH_BYTES;

    let mut hasher = blake3::Hasher::new();
    let mut put = |bytes: &[u8]| {
        hasher.update(bytes);
        file.write_all(bytes)
    };
    put(MAGIC)?;
    put(&VERSION.to_le_bytes())?;
    put(&(length as u64).to_le_bytes())?;
    put(&header)?;
    // In chunks, so that the little-endian copy stays small and the hash gets many numbers at a time.
    match &checkpoint.coefficients {
        Coefficients::Double(reals) => {
            reals
                .chunks(1 << 13)
                .try_for_each(|chunk| put(&chunk.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>()))?;
        }
        Coefficients::Single(reals) => {
            reals
                .chunks(1 << 13)
                .try_for_each(|chunk| put(&chunk.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<_>>()))?;
        }
    }
    let hash = hasher.finalize();
    file.write_all(hash.as_bytes())
}

fn encode_header(checkpoint: &Checkpoint, out: &mut Vec<u8>) {
    let Checkpoint { identity, time, step, time_step, metadata, coefficients } = checkpoint;
    let (bytes_of_real, count) = match coefficients {
        Coefficients::Double(reals) => (size_of::<f64>(), reals.len()),
        Coefficients::Single(reals) => (size_of::<f32>(), reals.len()),
    };
    encode_text(&identity.law, out);
    encode_text(&names(&identity.shapes), out);
    out.extend((identity.order as u32).to_le_bytes());
    out.push(bytes_of_real as u8);
    out.extend(identity.mesh);
    out.extend(time.to_le_bytes());
    out.extend(step.to_le_bytes());
    out.extend(time_step.to_le_bytes());
    out.extend((metadata.len() as u32).to_le_bytes());
    for (key, value) in metadata {
        encode_text(key, out);
        match value {
            Value::Real(x) => {
                out.push(0);
                out.extend(x.to_le_bytes());
            }
            Value::Integer(n) => {
                out.push(1);
                out.extend(n.to_le_bytes());
            }
            Value::Text(text) => {
                out.push(2);
                encode_text(text, out);
            }
            Value::Reals(reals) => {
                out.push(3);
                out.extend((reals.len() as u64).to_le_bytes());
                out.extend(reals.iter().flat_map(|x| x.to_le_bytes()));
            }
        }
    }
    out.extend((count as u64).to_le_bytes());
}

fn encode_text(text: &str, out: &mut Vec<u8>) {
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(text.as_bytes());
}

/// Reads a whole file; the error is the reason for refusing it.
pub(super) fn read(bytes: &[u8]) -> Result<Checkpoint, String> {
    let mut rest = Reader(bytes);
    if rest.take(MAGIC.len()) != Some(MAGIC) {
        return Err("it is no checkpoint (a checkpoint starts with `RANKINE`)".into());
    }
    let truncated = || format!("it is truncated after {} bytes; use an earlier checkpoint", bytes.len());
    let version = rest.u32().ok_or_else(truncated)?;
    if version != VERSION {
        return Err(format!("its format has version {version}, this program reads version {VERSION}"));
    }
    let length = rest.u64().ok_or_else(truncated)?;
    if length > bytes.len() as u64 {
        return Err(format!("it is truncated: {} of {length} bytes are there; use an earlier checkpoint", bytes.len()));
    }
    let corrupt = || "it is corrupt: its checksum does not match; use an earlier checkpoint".to_string();
    let (content, hash) = bytes.split_last_chunk::<HASH_BYTES>().ok_or_else(truncated)?;
    if length != bytes.len() as u64 || blake3::hash(content) != *hash {
        return Err(corrupt());
    }
    let body = content.get(bytes.len() - rest.0.len()..).ok_or_else(corrupt)?;
    // The checksum matches, so a failure here means that a newer program wrote the file.
    decode(Reader(body)).ok_or_else(|| "it holds what this program does not know; use the program that wrote it".into())
}

fn decode(mut body: Reader<'_>) -> Option<Checkpoint> {
    let law = body.text()?;
    let text = body.text()?;
    let shape = |name: &str| Shape::ALL.into_iter().find(|shape| shape.name() == name);
    let shapes = text.split(" and ").map(shape).collect::<Option<_>>()?;
    let order = body.u32()? as usize;
    let bytes_of_real = body.u8()?;
    let identity = Identity { law, shapes, order, mesh: body.array()? };
    let (time, step, time_step) = (body.f64()?, body.u64()?, body.f64()?);
    let metadata = (0..body.u32()?).map(|_| Some((body.text()?, body.value()?))).collect::<Option<_>>()?;
    let count = usize::try_from(body.u64()?).ok()?;
    let reals = body.take(count.checked_mul(bytes_of_real.into())?)?;
    let coefficients = match bytes_of_real {
        8 => Coefficients::Double(reals.as_chunks().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect()),
        4 => Coefficients::Single(reals.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()),
        _ => return None,
    };
    body.0.is_empty().then_some(Checkpoint { identity, time, step, time_step, metadata, coefficients })
}

/// The bytes still to be read; every method returns `None` if they end too early.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn f64(&mut self) -> Option<f64> {
        self.array().map(f64::from_le_bytes)
    }

    fn text(&mut self) -> Option<String> {
        let length = self.u32()? as usize;
        String::from_utf8(self.take(length)?.to_vec()).ok()
    }

    fn reals(&mut self) -> Option<Vec<f64>> {
        let count = usize::try_from(self.u64()?).ok()?;
        let bytes = self.take(count.checked_mul(size_of::<f64>())?)?;
        Some(bytes.as_chunks().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect())
    }

    fn value(&mut self) -> Option<Value> {
        match self.u8()? {
            0 => self.f64().map(Value::Real),
            1 => self.u64().map(Value::Integer),
            2 => self.text().map(Value::Text),
            3 => self.reals().map(Value::Reals),
            _ => None,
        }
    }
}
