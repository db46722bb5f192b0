//! The compiler proper: the representation of a law, proofs about it, and the CUDA C generated for it.
//!
//! ```text
//! ir::Law ── check ──▶ Report (mistakes, warnings, proofs)
//!        └── derive ─▶ Derived (Jacobian, wave speed, linearity) ── emit ──▶ Generated (physics as text, units)
//! ```
//!
//! # Invariants
//!
//! * Nothing here knows Rust's syntax: the front end (`dg-language`) lowers a block to [`ir::Law`], and a
//!   place in the user's source is an opaque [`ir::Span`].
//! * [`emit`] is a pure function of the law and its options and iterates ordered containers only: equal
//!   input gives equal bytes.
//! * A law for which [`check`] reported no mistake never makes [`emit`] panic.
//! * Symbolica is named in `algebra.rs` alone.

pub mod algebra;
pub mod check;
pub mod derive;
pub mod emit;
pub mod ir;
pub mod medium;
pub mod turns;

pub use check::analyse;
pub use dg_contract::reference;
