//! Queries to the operating system about memory and files.

use std::collections::BTreeMap;
use std::fs::{self, File, FileType};
use std::io;
use std::path::Path;

/// Opens a file for reading; returns its length too. Pipes and devices, whose reading may never end, are refused without
/// reading them.
pub(crate) fn open_regular(path: &Path) -> io::Result<(File, u64)> {
    let metadata = fs::metadata(path)?;
    if metadata.is_file() {
        return Ok((File::open(path)?, metadata.len()));
    }
    let kind = irregular(metadata.file_type());
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is a {kind}, not a regular file")))
}

#[cfg(unix)]
fn irregular(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        kind if kind.is_dir() => "directory",
        kind if kind.is_fifo() => "pipe",
        kind if kind.is_socket() => "socket",
        _ => "device",
    }
}

#[cfg(not(unix))]
fn irregular(kind: FileType) -> &'static str {
    if kind.is_dir() { "directory" } else { "device" }
}

/// Bytes that may still be allocated, if the system tells: of the machine's memory, and within the limits of the
/// control groups (version 2), such as those of a container or of a batch job.
pub(crate) fn available_memory() -> Option<usize> {
    let table = fs::read_to_string("/proc/meminfo").ok()?;
    let available = entry(&table, "MemAvailable:")? * 1024;
    Some(left_to_groups().map_or(available, |left| left.min(available)))
}

/// The least memory left to this process's group and those above it, if any has a limit.
fn left_to_groups() -> Option<usize> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let group = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let folder = Path::new("/sys/fs/cgroup").join(group);
    folder.ancestors().take_while(|folder| folder.starts_with("/sys/fs/cgroup")).filter_map(left_to_group).min()
}

/// A group without a limit contains the word `max` instead of a number.
fn left_to_group(folder: &Path) -> Option<usize> {
    let read = |file: &str| fs::read_to_string(folder.join(file)).ok();
    let number = |file: &str| read(file)?.trim().parse::<usize>().ok();
    let (limit, used) = (number("memory.max")?, number("memory.current")?);
    // Cached files are dropped from memory when it is needed.
    let files = entry(&read("memory.stat")?, "inactive_file").unwrap_or(0);
    Some((limit + files).saturating_sub(used))
}

/// Bytes of all last-level caches of the machine's processors, if the system tells.
pub(crate) fn last_level_caches() -> Option<usize> {
    last_level_caches_in(Path::new("/sys/devices/system/cpu"))
}

fn last_level_caches_in(cpus: &Path) -> Option<usize> {
    let read = |cache: &Path, file: &str| Some(fs::read_to_string(cache.join(file)).ok()?.trim().to_owned());
    let folders = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    // By level and the processors that share it: every one of those lists it.
    let mut caches = BTreeMap::new();
    for cache in folders(cpus).flat_map(|cpu| folders(&cpu.join("cache")).collect::<Vec<_>>()) {
        let number = |file: &str| read(&cache, file)?.trim_end_matches('K').parse::<usize>().ok();
        if let (Some(level), Some(kibibytes), Some(cpus)) =
            (number("level"), number("size"), read(&cache, "shared_cpu_list"))
        {
            caches.insert((level, cpus), kibibytes * 1024);
        }
    }
    let (last, _) = caches.keys().next_back()?;
    Some(caches.iter().filter(|((level, _), _)| level == last).map(|(_, bytes)| bytes).sum())
}

/// The number after a name at the beginning of a line.
fn entry(table: &str, name: &str) -> Option<usize> {
    let line = table.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// A number of bytes, for messages.
pub(crate) fn bytes(count: usize) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if count < 1024 {
        return format!("{count} bytes");
    }
    let power = ((count.ilog2() / 10) as usize).min(UNITS.len());
    format!("{:.1} {}", count as f64 / 1024f64.powi(power as i32), UNITS[power - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_their_whole_name() {
        let table = "MemFree:         12 kB\nMemAvailable:   345 kB\ninactive_file 6\n";
        assert_eq!(entry(table, "MemAvailable:"), Some(345));
        assert_eq!(entry(table, "inactive_file"), Some(6));
        assert_eq!(entry(table, "MemTotal:"), None);
    }

    #[test]
    fn a_shared_cache_counts_once_and_those_below_it_do_not() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(last_level_caches_in(folder.path()), None);
        for (cpu, sharing) in [(0, "0-1"), (1, "0-1"), (2, "2-3"), (3, "2-3")] {
            let own = cpu.to_string();
            for (index, level, size, cpus) in
                [(0, 1, "32K", own.as_str()), (2, 2, "1024K", &own), (3, 3, "16384K", sharing)]
            {
                let cache = folder.path().join(format!("cpu{cpu}/cache/index{index}"));
                fs::create_dir_all(&cache).unwrap();
                let write = |file: &str, text: &str| fs::write(cache.join(file), format!("{text}\n")).unwrap();
                write("level", &level.to_string());
                write("size", size);
                write("shared_cpu_list", cpus);
            }
        }
        assert_eq!(last_level_caches_in(folder.path()), Some(2 * 16384 * 1024));
    }

    #[test]
    fn a_group_has_what_its_limit_leaves_beside_files() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| fs::write(folder.path().join(file), text).unwrap();
        write("memory.current", "700\n");
        write("memory.stat", "anon 500\ninactive_file 150\n");
        write("memory.max", "max\n");
        assert_eq!(left_to_group(folder.path()), None);
        write("memory.max", "1000\n");
        assert_eq!(left_to_group(folder.path()), Some(450));
        write("memory.max", "500\n");
        assert_eq!(left_to_group(folder.path()), Some(0));
    }
}
