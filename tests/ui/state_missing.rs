#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    pub fn speed() -> f64 {
        1.0
    }
}

fn main() {}
