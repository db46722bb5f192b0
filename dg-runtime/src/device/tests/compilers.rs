//! Errors of the system's compiler and NVIDIA's.

use std::path::Path;

use super::*;

/// The CPU, with these compiler commands.
fn host_with(compilers: &[&str]) -> Alone {
    let compilers: Vec<_> = compilers.iter().map(|command| (*command).to_owned()).collect();
    alone(Backend::Host(host::Host::with_compiler(&compilers).unwrap()))
}

#[test]
fn a_rejected_text_is_kept_and_the_compiler_quoted() {
    for device in devices() {
        let broken = lanes() + "\nKERNEL(broken, NoSuchArguments) { }\n";
        let message = device.compile(&broken, KERNELS, &options("double")).err().unwrap().to_string();
        assert!(message.contains("rejects") && message.contains("NoSuchArguments"), "{message}");
        let kept = message.split_once("kept in ").unwrap().1.split_once(".c:").unwrap().0.to_owned() + ".c";
        let kept = std::fs::read_to_string(kept).unwrap();
        assert!(kept.contains("#define PRECISION double") && kept.ends_with(&broken));
    }
}

#[test]
fn a_missing_compiler_is_an_error_with_a_remedy() {
    let candidates = ["/nowhere/cc".to_owned(), "false".to_owned(), "true".to_owned(), " ".to_owned()];
    let message = host::Host::with_compiler(&candidates).err().unwrap().to_string();
    for part in ["`/nowhere/cc` (", "`false` (no answer", "`true` (no answer", "install gcc or clang", "`CC`"] {
        assert!(message.contains(part), "{message}");
    }
}

/// A compiler that answers the request for its version, and otherwise runs this script on its output `$2`.
#[cfg(unix)]
fn compiler_that(folder: &Path, does: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.join("cc");
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in *-dM*) echo '#define X'; exit ;; esac\nwhile [ \"$1\" != -o ]; do shift; done\n{does}\n"
    );
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[cfg(unix)]
#[test]
fn what_is_wrong_with_a_compiler_is_said_and_nothing_of_it_kept() {
    let folder = tempfile::tempdir().unwrap();
    for (does, parts) in [
        // Like Ctrl-C, or running out of memory.
        ("kill -9 $$", ["was stopped", "signal: 9"]),
        (":", ["writes no code", "`CC`"]),
        (": > \"$2\"", ["writes no code", "`CC`"]),
        ("head -c 9999 /dev/zero > \"$2\"", ["cannot load the compiled kernels: ", "ELF"]),
    ] {
        let device = host_with(&[&compiler_that(folder.path(), does)]);
        let error = device.compile("", KERNELS, &options("double")).err().unwrap().to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{does}: {error}");
        assert_eq!(std::fs::read_dir(device.cache.path()).unwrap().count(), 0, "{does}");
    }
}

/// The loader would otherwise look for the function when a kernel first calls it, and end the process.
#[cfg(unix)]
#[test]
fn a_unit_that_lacks_a_function_is_not_loaded() {
    let device = host();
    let text = lanes()
        + "
        double nowhere_defined(double);
        typedef struct { scalar *out; } LackArguments;
        KERNEL(lack, LackArguments) { a->out[0] = nowhere_defined(1.0); }
    ";
    let error = device.compile(&text, KERNELS, &options("double")).err().unwrap().to_string();
    assert!(error.contains("cannot load the compiled kernels: ") && error.contains("nowhere_defined"), "{error}");
}
