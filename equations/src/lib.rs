//! Conservation laws that come with Rankine.

/// All of them.
pub static LAWS: &[&dg_runtime::law::Law] = &[];
