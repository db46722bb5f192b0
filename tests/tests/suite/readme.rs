//! The statements of README.md are true.

use std::path::Path;
use std::process::Command;

use tests::root;

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).unwrap()
}

/// The blocks of code in a language.
fn blocks(language: &str) -> Vec<String> {
    let (readme, opening) = (readme(), format!("```{language}\n"));
    readme.split(&opening).skip(1).map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

/// Runs `cargo` in a folder, with the dependencies already built, and returns its output.
fn cargo(arguments: &str, folder: &Path) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments.split(' '))
        .current_dir(folder)
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join(".."))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments}: {text}");
    text.into_owned()
}

#[test]
fn the_law_of_ones_own_ends_in_a_picture() {
    let _alone = tests::one_build();
    let [commands, law, case, run] =
        [blocks("sh")[1].clone(), blocks("rust")[0].clone(), blocks("toml")[0].clone(), blocks("sh")[2].clone()];
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("acoustics");
    let runtime = root().join("dg-runtime").canonicalize().unwrap();
    for command in commands.lines().filter_map(|line| line.strip_prefix("cargo ")) {
        let at = if package.exists() { &package } else { folder.path() };
        cargo(&command.replace("../rankine/dg-runtime", runtime.to_str().unwrap()), at);
        // Without the network, the next command can only use available versions.
        std::fs::copy(root().join("Cargo.lock"), package.join("Cargo.lock")).unwrap();
    }
    tests::join_workspace(&package);
    std::fs::write(package.join("src/main.rs"), law).unwrap();
    std::fs::write(package.join("room.toml"), case).unwrap();

    // Without `--release`, because the dependencies were built without it.
    let run = run.trim().strip_prefix("cargo ").unwrap().replace(" --release", "") + " --device cpu";
    let printed = cargo(&run, &package);
    assert!(printed.contains("reached the final time: t = 1.0,"), "{printed}");
    assert!(!printed.contains("warning"), "{printed}");
    for picture in 0..=4 {
        let bytes = std::fs::read(package.join(format!("out/room/p_000{picture}.png"))).unwrap();
        assert!(bytes.starts_with(b"\x89PNG"));
    }
}

#[test]
fn the_messages_are_those_of_the_compiler() {
    let ui = std::fs::read_dir(root().join("tests/ui")).unwrap();
    let messages = ui.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "stderr"));
    let messages: String = messages.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let shown = blocks("text");
    let shown: Vec<&str> = shown.iter().flat_map(|block| block.lines()).collect();
    assert!(shown.len() >= 5);
    for message in shown {
        assert!(messages.contains(&format!("{message}\n")), "{message}");
    }
}
