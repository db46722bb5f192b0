#[dg_runtime::helpers]
pub mod shared {
    #[output]
    pub fn twice(a: f64) -> f64 {
        2.0 * a
    }
}

fn main() {
    println!("{}", shared::twice(1.0));
}
