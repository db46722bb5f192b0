//! The floating-point type of the generated code.

use crate::device::{Buffer, Device, Number, View};

use super::Error;

/// The type of `real` in generated code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// 64 bits.
    #[default]
    Double,
    /// 32 bits.
    Single,
}

impl Precision {
    /// Size of a number in bytes.
    pub fn bytes(self) -> usize {
        self.number().bytes()
    }

    /// The number type of a buffer.
    pub(super) fn number(self) -> Number {
        match self {
            Self::Double => Number::Double,
            Self::Single => Number::Single,
        }
    }

    /// The distance from 1 to the next larger number.
    pub fn epsilon(self) -> f64 {
        match self {
            Self::Double => f64::EPSILON,
            Self::Single => f64::from(f32::EPSILON),
        }
    }

    /// The type's name in C.
    pub fn c_type(self) -> &'static str {
        match self {
            Self::Double => "double",
            Self::Single => "float",
        }
    }

    /// Allocates this many numbers, all zero.
    pub(super) fn allocate(self, device: &Device, numbers: usize) -> Result<Buffer, Error> {
        Ok(device.allocate(self.number(), numbers)?)
    }

    /// Allocates memory with these numbers, rounded to this precision.
    pub(super) fn upload(self, device: &Device, values: &[f64]) -> Result<Buffer, Error> {
        let buffer = self.allocate(device, values.len())?;
        self.write(device, &buffer, values)?;
        Ok(buffer)
    }

    /// Replaces the first numbers of a buffer, or of a part of one.
    pub(super) fn write<'a>(self, device: &Device, to: impl Into<View<'a>>, values: &[f64]) -> Result<(), Error> {
        match self {
            Self::Double => device.upload(to, values)?,
            Self::Single => {
                let values: Vec<f32> = values.iter().map(|&v| v as f32).collect();
                device.upload(to, &values)?;
            }
        }
        Ok(())
    }

    /// The first `count` numbers of a buffer, or of a part of one.
    pub(super) fn read<'a>(self, device: &Device, from: impl Into<View<'a>>, count: usize) -> Result<Vec<f64>, Error> {
        Ok(match self {
            Self::Double => {
                let mut values = vec![0.0; count];
                device.download(from, &mut values)?;
                values
            }
            Self::Single => {
                let mut values = vec![0.0_f32; count];
                device.download(from, &mut values)?;
                values.into_iter().map(f64::from).collect()
            }
        })
    }
}
