//! Tests of Rankine across its crates; see `tests/`.
