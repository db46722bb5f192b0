//! One stage of a method in time.

/// One stage: with k = Δt R(u, t + c Δt),
///
/// g ← α g + k,  u ← a uⁿ + b u + d k + e g.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// Weight of the solution at the start of the step: 1 − b or 0.
    pub a: f64,
    /// Weight of the solution before the stage.
    pub b: f64,
    /// Time of the stage, in steps after the start of the step.
    pub c: f64,
    /// Weight of the stage's own residual.
    pub d: f64,
    /// Weight of the register after its update.
    pub e: f64,
    /// Weight of the register in its own update.
    pub alpha: f64,
    /// Whether a later stage reads the register.
    pub keep_g: bool,
}

impl Stage {
    /// Euler's method.
    pub(super) const EULER: Self = Self { a: 0.0, b: 1.0, c: 0.0, d: 1.0, e: 0.0, alpha: 0.0, keep_g: false };

    /// Computes the residual of its state, times the step.
    pub(super) const RESIDUAL: Self = Self { b: 0.0, ..Self::EULER };

    /// Mean `n` over the step from the next one: see `templates/kernels/boundary_mean.cu`.
    pub(super) const fn mean(n: usize) -> Self {
        Self { a: 1.0, b: 0.0, c: (n + 1) as f64, d: 1.0 / (n + 2) as f64, e: 0.0, alpha: 0.0, keep_g: false }
    }
}
