//! Conservation laws that come with Rankine.
