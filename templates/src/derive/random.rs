//! Pseudo-random numbers, the same on every run.

/// A source of random numbers (splitmix64, Steele et al. 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A source that starts from `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..n`.
    pub fn below(&mut self, n: u64) -> i64 {
        (self.next() % n) as i64
    }

    /// A number between these.
    pub fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * ((self.next() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }
}
