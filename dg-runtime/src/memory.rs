//! How much memory there is.

/// Bytes that may still be allocated, where the system tells.
///
/// The system hands out more than it has, and kills whoever then uses it: so what is large asks here first.
pub(crate) fn free() -> Option<usize> {
    let table = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = table.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()? * 1024)
}

/// A number of bytes for people.
pub(crate) fn bytes(count: usize) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if count < 1024 {
        return format!("{count} bytes");
    }
    let power = ((count.ilog2() / 10) as usize).min(UNITS.len());
    format!("{:.1} {}", count as f64 / 1024f64.powi(power as i32), UNITS[power - 1])
}
