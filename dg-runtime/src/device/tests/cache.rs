//! Compiled code is kept, shared and only run if it is the user's own.

use std::path::{Path, PathBuf};

use super::*;

#[test]
fn devices_may_share_a_cache() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let backend = Backend::Host(host::Host::open().unwrap());
                let device = Device { backend, cache: Cache::at(folder.path()) };
                scale(&device);
            });
        }
    });
    let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(files.len() == 1 && files[0].extension().unwrap() == "so", "{files:?}");
}

#[test]
fn a_damaged_shared_object_is_not_loaded() {
    let device = host();
    scale(&device);
    let path = only_file(device.cache.path());
    let length = std::fs::metadata(&path).unwrap().len();
    std::fs::write(&path, vec![0; length as usize]).unwrap();
    scale(&device);
}

#[test]
fn an_entry_that_does_not_load_is_made_anew() {
    let device = host();
    keep_in_place_of_scale(&device, b"no shared object");
    let before = std::fs::read(only_file(device.cache.path())).unwrap();
    scale(&device);
    assert_ne!(std::fs::read(only_file(device.cache.path())).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn code_of_others_does_not_run() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (source, object, mark) = (folder.path().join("a.c"), folder.path().join("a.so"), folder.path().join("mark"));
    let code = format!(
        "#include <fcntl.h>\n__attribute__((constructor)) static void run(void) {{ creat({:?}, 0600); }}\n",
        mark.display()
    );
    std::fs::write(&source, code).unwrap();
    let flags = ["-shared", "-fPIC", "-o"];
    let compiler = std::env::var("CC").ok().filter(|command| !command.trim().is_empty()).unwrap_or("cc".into());
    let compiled = std::process::Command::new(compiler).args(flags).args([&object, &source]).status().unwrap();
    assert!(compiled.success());
    let object = std::fs::read(object).unwrap();
    let set_mode = |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode));
    // Only root can give files away.
    let give_away = |path: &Path| chown(path, Some(std::fs::metadata(path)?.uid() + 1), None);
    // The first is no attack: it shows that the others could succeed.
    let attacks = ["none", "writable folder", "writable entry", "link", "foreign folder", "foreign entry"];
    for attack in attacks {
        let device = host();
        keep_in_place_of_scale(&device, &object);
        let (folder, entry) = (device.cache.path(), only_file(device.cache.path()));
        let prepared = match attack {
            "writable folder" => set_mode(folder, 0o777),
            "writable entry" => set_mode(&entry, 0o620),
            "link" => {
                let moved = entry.with_extension("moved");
                std::fs::rename(&entry, &moved).and_then(|()| symlink(moved, &entry))
            }
            "foreign folder" => give_away(folder),
            "foreign entry" => give_away(&entry),
            _ => Ok(()),
        };
        if let Err(error) = prepared {
            println!("skipped: {attack}: {error}");
            continue;
        }
        let module = device.compile(&(lanes() + SCALE), KERNELS, &options("double")).unwrap();
        assert_eq!(module.kernel("scale").is_err(), attack == "none", "{attack}");
        assert_eq!(mark.exists(), attack == "none", "{attack}");
        let _ = std::fs::remove_file(&mark);
    }
}

/// The one file in a folder.
fn only_file(folder: &Path) -> PathBuf {
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files[0].clone()
}

/// Puts an object in place of the cached one of [`SCALE`].
fn keep_in_place_of_scale(device: &Device, object: &[u8]) {
    let Backend::Host(host) = &device.backend else { unreachable!() };
    let text = host.text(&(lanes() + SCALE), &options("double"));
    device.cache.keep(&text, &host.identity().each_ref().map(|part| &**part), "so", object);
}
