//! Files, flags, exit statuses and messages, as a shell sees them.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

const CASE: &str = r#"
law = "advection"
order = 1
mesh = { generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [4, 4] }
boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
initial = { function = "gaussian" }
time = { final = 0.1 }
"#;

/// A mesh of one triangle, whose boundary has this name.
fn mesh(boundary: &str) -> String {
    format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n1 1 \"{boundary}\"\n$EndPhysicalNames\n$Nodes\n3\n1 0 0 0\n\
         2 1 0 0\n3 0 1 0\n$EndNodes\n$Elements\n4\n1 1 2 1 1 1 2\n2 1 2 1 1 2 3\n3 1 2 1 1 3 1\n4 2 2 2 1 1 2 3\n$EndElements\n"
    )
}

/// The program in a folder, whose own cache it uses.
fn rankine(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rankine"));
    command.current_dir(folder).env("RANKINE_CACHE", folder.join("cache")).env_remove("CC");
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs `case.toml` with this content, on the CPU.
fn run(folder: &Path, case: &str, change: impl FnOnce(&mut Command)) -> Output {
    std::fs::write(folder.join("case.toml"), case).unwrap();
    let mut command = rankine(folder);
    command.args(["run", "case.toml", "--device", "cpu"]);
    change(&mut command);
    command.output().unwrap()
}

fn script(path: &Path, lines: &str) {
    std::fs::write(path, format!("#!/bin/sh\n{lines}\n")).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Density and stiffness jump at x = 0, by 3/4 of the larger ones at most.
#[test]
fn a_flux_that_is_blind_to_jumps_of_the_medium_is_remarked_on() {
    let folder = tempfile::tempdir().unwrap();
    let case = |flux: &str| {
        format!(
            r#"
            law = "elastic"
            order = 1
            mesh = {{ generator = "rectangle", lower = [-1.0, 0.0], upper = [1.0, 1.0], cells = [4, 2] }}
            boundaries = {{ left = {{ state = "p_pulse" }}, right = {{ state = "p_pulse" }}, bottom = {{ periodic = "top" }} }}
            initial.function = "p_pulse"
            flux.numerical = "{flux}"
            time.final = 0.01
            "#
        )
    };
    for (flux, is_blind) in [("rusanov", true), ("exact_upwind", false)] {
        let output = run(folder.path(), &case(flux), |command| {
            command.arg("--overwrite");
        });
        let said = text(&output.stderr);
        assert!(output.status.success(), "{said}");
        assert_eq!(said.contains("the medium jumps between elements, `lambda` by 75 %"), is_blind, "{said}");
    }
}

/// A lake over a bottom that rises towards the right.
#[test]
fn a_flux_that_moves_a_lake_is_remarked_on() {
    let folder = tempfile::tempdir().unwrap();
    let case = |flux: &str, slope: f64| {
        format!(
            r#"
            law = "shallow_water"
            order = 1
            mesh = {{ generator = "rectangle", lower = [0.0, 0.0], upper = [1.0, 1.0], cells = [4, 2] }}
            boundaries = {{ left = "wall", right = "wall", bottom = "wall", top = "wall" }}
            medium.formulas.b = "{slope} * x^2"
            initial.formulas = {{ h = "1 - {slope} * x^2", h_v1 = 0, h_v2 = 0 }}
            flux.numerical = "{flux}"
            time.final = 0.01
            "#
        )
    };
    for (flux, slope, is_blind) in
        [("rusanov", 0.1, true), ("hll", 0.1, true), ("hllc", 0.1, false), ("rusanov", 0.0, false)]
    {
        let output = run(folder.path(), &case(flux, slope), |command| {
            command.arg("--overwrite");
        });
        let said = text(&output.stderr);
        assert!(output.status.success(), "{said}");
        let remark = format!("`b` varies, and `{flux}` takes what it does to a state at rest for waves");
        assert_eq!(said.contains(&remark), is_blind, "{flux}, {slope}: {said}");
    }
}

#[test]
fn text_from_files_cannot_steer_the_terminal() {
    /// Clears the screen, sets the window's title, and again without the escape character.
    const STEERING: &str = "\x1b[2J\x1b]0;title\x07\u{9b}2J\r";
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("a.msh"), mesh(STEERING)).unwrap();
    std::fs::write(folder.join("b.msh"), format!("$MeshFormat\n{STEERING} 0 8\n$EndMeshFormat\n")).unwrap();
    let compiler = folder.join("cc");
    let says = format!("printf '%s' '{STEERING}' >&2; exit 1");
    script(&compiler, &format!("case \"$*\" in *-dM*) echo '#define X' ;; *) {says} ;; esac"));
    let generated = CASE.lines().find(|line| line.starts_with("mesh")).unwrap();
    let with_mesh = |file: &str| CASE.replace(generated, &format!("mesh.file = \"{file}\""));
    let escaped = STEERING.replace('\x1b', "\\u001b").replace('\x07', "\\u0007").replace('\r', "\\r");
    let cases = [
        ("a comment", format!("{CASE}# {STEERING}\n")),
        ("a name", CASE.replace("advection", &escaped)),
        ("a key", format!("{CASE}\"{escaped}\" = 1\n")),
        ("a mesh", with_mesh("a.msh")),
        ("a broken mesh", with_mesh("b.msh")),
        ("a mesh's path", with_mesh(&escaped)),
        ("a folder", format!("{CASE}output.directory = \"case.toml/{escaped}\"\n")),
        ("a compiler", CASE.to_owned()),
    ];
    for (what, case) in cases {
        for format in ["text", "json"] {
            let output = run(folder, &case, |command| {
                command
                    .args(["--format", format])
                    .env("CC", if what == "a compiler" { &*compiler } else { Path::new("cc") });
            });
            let said = text(&output.stdout) + &text(&output.stderr);
            assert!(!output.status.success() && said.contains("2J"), "{what}: {said:?}");
            assert!(said.chars().all(|c| !c.is_control() || c == '\n'), "{what}: {said:?}");
        }
    }
    let output = rankine(folder).args(["run", STEERING]).output().unwrap();
    assert!(!text(&output.stderr).contains('\x1b'), "{}", text(&output.stderr));
    let output = rankine(folder).args(["run", "case.toml", "--order", STEERING]).output().unwrap();
    assert!(!text(&output.stderr).contains('\x1b'), "{}", text(&output.stderr));
}

#[test]
fn a_cache_that_others_can_write_is_not_used_and_a_run_says_so_once() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let cache = folder.join("cache");
    std::fs::create_dir(&cache).unwrap();
    std::fs::set_permissions(&cache, std::fs::Permissions::from_mode(0o777)).unwrap();
    let output = run(folder, CASE, |_| {});
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert_eq!(said.matches("warning: the cache of compiled kernels in ").count(), 1, "{said}");
    assert!(said.contains("others than its owner can write it (mode 0777)"), "{said}");
    assert_eq!(std::fs::read_dir(&cache).unwrap().count(), 0);
}

#[test]
fn an_empty_name_of_the_cache_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let output = run(folder, CASE, |command| {
        command.env("RANKINE_CACHE", "").env("XDG_CACHE_HOME", folder.join("home"));
    });
    assert!(output.status.success() && folder.join("home/rankine").is_dir(), "{}", text(&output.stderr));
}

/// What the program answers as JSON.
fn json(arguments: &[&str]) -> (serde_json::Value, Output) {
    let folder = tempfile::tempdir().unwrap();
    let output = rankine(folder.path()).args(arguments).output().unwrap();
    let answer = serde_json::from_slice(&output.stdout);
    (answer.unwrap_or_else(|error| panic!("{arguments:?}: {error}: {output:?}")), output)
}

#[test]
fn version_and_help_are_objects_where_json_is_asked_for() {
    let (version, output) = json(&["--version", "--format", "json"]);
    assert_eq!(version, serde_json::json!({ "program": "rankine", "version": env!("CARGO_PKG_VERSION") }));
    assert!(output.status.success() && output.stderr.is_empty());
    for arguments in
        [&["--format=json", "help"][..], &["--format=json", "help", "run"], &["run", "--help", "--format=json"]]
    {
        let (help, output) = json(arguments);
        assert!(help["help"].as_str().unwrap().contains("Usage: "), "{help}");
        assert!(output.status.success() && output.stderr.is_empty());
    }
    let (error, output) = json(&["--format=json"]);
    assert_eq!((&error["error"]["kind"], output.status.code()), (&"usage".into(), Some(2)), "{error}");
}

#[test]
fn as_many_threads_are_used_as_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let case = format!("{CASE}output.pictures = [\"u\"]\n");
    for (count, words) in [("1", "CPU, 1 thread, "), ("3", "CPU, 3 threads, ")] {
        let output = run(folder.path(), &case, |command| {
            command.args(["--threads", count, "--overwrite"]);
        });
        let said = text(&output.stdout) + &text(&output.stderr);
        assert!(output.status.success() && said.contains(words), "{said}");
    }
}

#[test]
fn a_dry_run_says_what_the_run_then_does_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let case = format!("{CASE}output.every = 0.03\n");
    let answer = |more: &[&str]| -> serde_json::Value {
        let output = run(folder, &case, |command| {
            command.args(["--format", "json"]).args(more);
        });
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
    };
    let dry = answer(&["--dry-run"]);
    let names: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["case.toml"]);
    let wet = answer(&[]);
    for key in ["case", "device", "dof", "memory", "directory"] {
        assert_eq!(dry[key], wet[key], "{key}");
    }
    assert_eq!(dry["mesh"]["elements"], wet["elements"]);
    assert_eq!(dry["schedule"]["name"], wet["schedule"]);
    assert_eq!((&dry["code"]["compiled"], &dry["may_start"]), (&false.into(), &true.into()));
    let steps = |answer: &serde_json::Value, key: &str| answer[key].as_f64().unwrap();
    // The wind is the same everywhere. Each of four outputs takes a part of a step.
    let (expected, taken) = (steps(&dry, "steps"), steps(&wet, "step"));
    assert!((expected..=expected + 4.0).contains(&taken), "{expected} and {taken}");
    let written = std::fs::read_dir(folder.join("out/case")).unwrap().map(|entry| entry.unwrap().path());
    let solutions = written.filter(|path| path.extension().is_some_and(|extension| extension == "vtu")).count();
    assert_eq!(dry["outputs"], solutions);
    assert_eq!(answer(&["--dry-run"])["code"]["compiled"], true);
    let other = answer(&["--dry-run", "--set", "order=2"]);
    assert_eq!((&other["may_start"], &other["code"]["compiled"]), (&false.into(), &false.into()));
}

/// Three times 0.1 is more than ten times 0.03, and as numbers also than 0.3. The step that ends at the smallest of them serves all.
#[test]
fn times_that_differ_by_rounding_alone_serve_all_files_that_are_due() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let case = format!(
        "{}output.every = 0.1\nmeasure = {{ every = 0.03, regions = {{ all = {{}}, some = {{ every = 0.07 }} }}, mean.from = 0.3 }}\n",
        CASE.replace("final = 0.1", "final = 1.3")
    );
    let output = run(folder, &case, |_| {});
    assert!(output.status.success(), "{}", text(&output.stderr));
    let out = folder.join("out/case");
    let rows = |file: &str| -> Vec<i64> {
        let table = text(&std::fs::read(out.join(file)).unwrap());
        let times = table.lines().skip(1).map(|line| line.split(',').next().unwrap().parse::<f64>().unwrap());
        times.map(|time| (time * 100.0).round() as i64).collect()
    };
    let multiples = |of: i64| (0..=130 / of).map(|i| i * of).chain((130 % of > 0).then_some(130)).collect::<Vec<_>>();
    assert_eq!(rows("region_all.csv"), multiples(3));
    assert_eq!(rows("region_some.csv"), multiples(7));
    let files = std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path());
    assert_eq!(files.filter(|path| path.extension().is_some_and(|extension| extension == "vtu")).count(), 14);
}

/// The objects that a folder's cache holds, and what was found out about its schedules.
fn compiled_and_measured(folder: &Path) -> (usize, usize) {
    let files: Vec<_> = std::fs::read_dir(folder.join("cache")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let count = |extension: &str, word: &str| {
        let of = files.iter().filter(|path| path.extension().is_some_and(|end| end == extension));
        of.filter(|path| text(&std::fs::read(path).unwrap()).contains(word)).count()
    };
    (count("so", ""), count("json", "\"trials\""))
}

#[test]
fn schedules_are_measured_only_before_a_run_that_is_long_enough() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // 51,200 elements.
    let case = format!("{CASE}output.vtu = false\n").replace("[4, 4]", "[160, 160]");
    let run = |time: &str| {
        let case = case.replace("final = 0.1", time);
        let output = run(folder, &case, |command| {
            command.args(["--overwrite"]);
        });
        let said = text(&output.stderr);
        assert!(output.status.success(), "{said}");
        (said, compiled_and_measured(folder))
    };
    // One step.
    let (said, counts) = run("final = 1e-4, cfl = 0.5");
    assert!(said.contains(", not measured") && counts == (3, 0), "{counts:?}: {said}");
    // Nobody knows how many: at once it is steady.
    let (said, counts) = run("steady = 1e9, cfl = 0.5");
    assert!(said.contains(", the fastest measured") && counts.0 > 3 && counts.1 == 1, "{counts:?}: {said}");
    // What is known is taken.
    let (said, later) = run("final = 1e-4, cfl = 0.5");
    assert!(said.contains(", the fastest measured") && later == counts, "{later:?}: {said}");
}

#[test]
fn compiled_code_serves_every_value_of_a_parameter_unless_a_case_wants_literals() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = |settings: &[&str], flag: &str| {
        let output = run(folder, CASE, |command| {
            command.args(settings.iter().flat_map(|setting| ["--set", setting])).arg(flag);
        });
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let after = |settings: &[&str]| {
        run(settings, "--overwrite");
        compiled_and_measured(folder).0
    };
    // The stage, the output and the rest.
    assert_eq!(after(&["parameters.v1=1.0"]), 3);
    assert_eq!(after(&["parameters.v1=0.5", "parameters.v2=-0.25"]), 3);
    assert!(run(&["parameters.v1=0.75"], "--dry-run").contains("compiled before"));
    let literal = "literal_parameters=true";
    let said = run(&["parameters.v1=1.0", literal], "--dry-run");
    assert!(said.contains("to be compiled") && said.contains("with literal parameters"), "{said}");
    assert_eq!(after(&["parameters.v1=1.0", literal]), 6);
    assert_eq!(after(&["parameters.v1=0.5", literal]), 9);
    // A numerical flux concerns the stage alone.
    assert_eq!(after(&["flux.numerical='upwind'"]), 10);
}

#[test]
fn a_run_says_its_share_of_the_floor_once_bench_has_measured_that() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let case = CASE.replace("[4, 4]", "[20, 20]").replace("0.1 }", "0.02 }");
    let answer = || -> serde_json::Value {
        let output = run(folder, &case, |command| {
            command.args(["--format", "json"]);
        });
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
    };
    let before = answer();
    assert_eq!(before["speed"]["fraction_of_floor"], serde_json::Value::Null);
    let bench = rankine(folder).args(["bench", "case.toml", "--device", "cpu", "--format", "json"]).output().unwrap();
    let bench: serde_json::Value = serde_json::from_slice(&bench.stdout).unwrap();
    let measured = &bench["measurements"][0];
    // The case as it is, by the code that its run has compiled.
    assert_eq!((&bench["case"], &measured["elements"]), (&"case.toml".into(), &before["elements"]));
    assert_eq!([&measured["numerical_flux"], &measured["schedule"]], [&"rusanov".into(), &before["schedule"]]);
    let speed = &answer()["speed"];
    let number = |key: &str| speed[key].as_f64().unwrap();
    // The floor of an unknown's update is the device's and the law's: share and rate go together, there and here.
    let step = measured["kernels"].as_array().unwrap().iter().find(|kernel| kernel["kernel"] == "whole step").unwrap();
    let per_update = step["fraction_of_floor"].as_f64().unwrap() / step["dof_per_second"].as_f64().unwrap();
    let here = number("fraction_of_floor") / number("dof_per_second");
    assert!((here / per_update - 1.0).abs() < 1e-9, "{speed} and {step}");
    assert!(
        (number("seconds_per_time") - number("seconds") / 0.02).abs() < 1e-9 * number("seconds_per_time"),
        "{speed}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn results_that_cannot_be_printed_are_an_error_and_a_reader_that_goes_away_is_none() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&["laws"][..], &["describe", "euler"], &["kernels", "euler", "-p", "1"], &["completions", "bash"]]
    {
        for format in ["text", "json"] {
            let command = || {
                let mut command = rankine(folder.path());
                command.args(arguments).args(["--format", format]);
                command
            };
            let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
            let output = command().stdout(full).output().unwrap();
            assert_eq!(output.status.code(), Some(1), "{arguments:?}");
            assert!(text(&output.stderr).starts_with("error: cannot write to standard output: "), "{output:?}");
            let (reader, closed) = std::io::pipe().unwrap();
            drop(reader);
            let output = command().stdout(closed).output().unwrap();
            assert_eq!((output.status.code(), text(&output.stderr)), (Some(141), String::new()), "{arguments:?}");
        }
    }
    // What a run is for lies on disk.
    let (reader, closed) = std::io::pipe().unwrap();
    drop(reader);
    std::fs::write(folder.path().join("case.toml"), CASE).unwrap();
    let mut command = rankine(folder.path());
    command.args(["run", "case.toml", "--device", "cpu", "--quiet"]);
    let output = command.stdout(closed).output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    assert!(folder.path().join("out/case/solution_0001.vtu").is_file());
}

/// A C compiler that is asked for code does this instead.
fn compiler(path: &Path, lines: &str) {
    script(path, &format!("case \"$*\" in *-dM*) exec cc \"$@\" ;; esac\n{lines}"));
}

#[test]
fn an_interrupt_while_a_compiler_works_is_one_of_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let path = folder.join("cc");
    compiler(&path, "kill -INT $PPID; kill -INT $$");
    std::fs::write(folder.join("case.toml"), CASE).unwrap();
    for arguments in [
        &["run", "case.toml"][..],
        &["convergence", "case.toml", "--orders", "1..2", "--levels", "2"],
        &["bench", "advection", "--orders", "1", "--elements", "100"],
    ] {
        let output = rankine(folder).args(arguments).args(["--device", "cpu"]).env("CC", &path).output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{arguments:?}: {output:?}");
    }
    // Stopped by somebody else, it is an error.
    compiler(&path, "kill -INT $$");
    let output = rankine(folder).args(["run", "case.toml", "--device", "cpu"]).env("CC", &path).output().unwrap();
    let said = text(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("was stopped (signal: 2 (SIGINT)"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_on_the_size_of_files_is_named_where_it_stops_a_compilation() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("case.toml"), CASE).unwrap();
    let path = folder.join("cc");
    // In blocks of 512 or 1024 bytes: none for the text, and enough for it, after which the compiler meets the limit.
    for (limit, lines) in [
        ("1", "exit 1"),
        ("100000", "kill -XFSZ $$"),
        (
            "100000",
            "echo 'cc: internal compiler error: \
          File size limit exceeded signal terminated program cc1' >&2; exit 1",
        ),
    ] {
        compiler(&path, lines);
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -f {limit}; exec \"$@\"")]).arg("sh").arg(env!("CARGO_BIN_EXE_rankine"));
        shell.current_dir(folder).env("RANKINE_CACHE", folder.join("cache")).env("CC", &path);
        let output = shell.args(["run", "case.toml", "--device", "cpu"]).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("raise the limit on the size of files (`ulimit -f`)"), "{said}");
    }
}

/// Runs `case.toml` in a folder with these flags and returns its exit status and what it says on standard error.
fn status_and_words(folder: &Path, case: &str, flags: &[&str]) -> (Option<i32>, String) {
    let output = run(folder, case, |command| {
        command.args(flags);
    });
    (output.status.code(), text(&output.stderr))
}

#[test]
fn files_that_no_checkpoint_knows_are_not_replaced_unless_asked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let out = folder.join("out/case");
    std::fs::create_dir_all(&out).unwrap();
    for name in ["history.csv", "solution.pvd", "solution_0003.vtu", "u_0000.png"] {
        let file = out.join(name);
        std::fs::write(&file, "precious").unwrap();
        for flags in [&[][..], &["--dry-run"]] {
            let dry = flags == ["--dry-run"];
            let output = run(folder, CASE, |command| {
                command.args(flags);
            });
            let said = text(&output.stdout) + &text(&output.stderr);
            assert_eq!(output.status.success(), dry, "{said}");
            assert!(said.contains(name) && (dry || said.contains("--overwrite")), "{said}");
        }
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "precious");
        assert_eq!(std::fs::read_dir(&out).unwrap().count(), 1, "nothing else appears");
        std::fs::remove_file(&file).unwrap();
    }
    std::fs::write(out.join("history.csv"), "precious").unwrap();
    assert_eq!(status_and_words(folder, CASE, &["--overwrite"]).0, Some(0));
    // Without their checkpoints, nothing says that the files can be had again.
    std::fs::remove_dir_all(out.join("checkpoints")).unwrap();
    let (status, said) = status_and_words(folder, CASE, &[]);
    assert!(status == Some(1) && said.contains("is in the way"), "{said}");
}

#[test]
fn a_run_that_was_killed_before_its_first_checkpoint_begins_anew_with_and_without_resume() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let out = folder.join("out/case");
    assert_eq!(status_and_words(folder, CASE, &[]).0, Some(0));
    let history = std::fs::read_to_string(out.join("history.csv")).unwrap();
    for flags in [&[][..], &["--resume"]] {
        for rows in [0, 1, 2] {
            std::fs::remove_dir_all(&out).unwrap();
            std::fs::create_dir_all(out.join("checkpoints")).unwrap();
            if rows > 0 {
                let begun: String = history.split_inclusive('\n').take(rows).collect();
                std::fs::write(out.join("history.csv"), begun).unwrap();
            }
            let (status, said) = status_and_words(folder, CASE, flags);
            assert_eq!(status, Some(0), "{said}");
            assert_eq!(
                said.contains("no checkpoint yet: the run begins at its beginning"),
                !flags.is_empty(),
                "{said}"
            );
            assert_eq!(std::fs::read_to_string(out.join("history.csv")).unwrap(), history);
        }
    }
    std::fs::remove_dir_all(&out).unwrap();
    let (status, said) = status_and_words(folder, CASE, &["--resume"]);
    assert!(status == Some(1) && said.contains("run without --resume"), "{said}");
}

#[test]
fn rows_that_a_history_has_lost_are_said_to_be_missing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let path = folder.join("out/case/history.csv");
    let case = format!("{CASE}output.history_every = 1\n");
    assert_eq!(status_and_words(folder, &case, &[]).0, Some(0));
    let longer = case.replace("final = 0.1", "final = 0.2");
    let whole = std::fs::read_to_string(&path).unwrap();
    let last = whole.lines().last().unwrap().split(',').nth(1).unwrap();
    let half: String = whole.split_inclusive('\n').take(3).collect();
    for (left, words) in [
        (None, format!("history.csv is lost: a new one begins after step {last}")),
        (Some(half), format!("history.csv lacks the rows from step 1 to step {last}")),
        (Some(whole), String::new()),
    ] {
        match left {
            None => std::fs::remove_file(&path).unwrap(),
            Some(left) => std::fs::write(&path, left).unwrap(),
        }
        let (status, said) = status_and_words(folder, &case, &["--resume", "--set", "time.final=0.1"]);
        assert_eq!(status, Some(0), "{said}");
        assert!(said.contains(&words) && said.contains("warning") != words.is_empty(), "{said}");
    }
    assert_eq!(status_and_words(folder, &longer, &["--resume"]).0, Some(0));
}

/// With a final time the case file says how many there would be; without one the run finds out.
#[test]
fn too_many_records_are_refused_before_they_fill_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let receivers = "receivers={ every = 1e-12, points = { a = [0, 0] } }";
    for (time, words) in [
        ("time={ final = 0.1 }", "more than 1e7 records until the final time: let more time pass between them"),
        ("time={ steady = 1e-9 }", "; take a larger `receivers.every`"),
    ] {
        let settings = ["--overwrite", "--set", time, "--set", receivers];
        let (status, said) = status_and_words(folder.path(), CASE, &settings);
        assert!(matches!(status, Some(1 | 2)) && said.contains(words), "{status:?}: {said}");
        let rows = std::fs::read_to_string(folder.path().join("out/case/receiver_a.csv"))
            .map_or(0, |text| text.lines().count());
        assert!(rows <= 2, "{rows}");
    }
}

#[test]
fn a_final_time_that_steps_never_come_to_is_an_error_that_names_the_cause() {
    let folder = tempfile::tempdir().unwrap();
    for (setting, words) in [
        ("parameters.v1=1e300", "waves"),
        ("time={ cfl = 1e-8, final = 1e6 }", "`cfl = 1e-8` makes them that short; leave it out"),
    ] {
        for more in [&[][..], &["--dry-run"]] {
            let (status, said) =
                status_and_words(folder.path(), CASE, &[&["--overwrite", "--set", setting], more].concat());
            assert_eq!(status, Some(1), "{said}");
            assert!(said.contains("which no machine takes: ") && said.contains(words), "{said}");
        }
    }
}

#[test]
fn an_option_of_plot_that_does_nothing_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let output = rankine(folder.path()).args(["plot", "out", "--component", "u"]).output().unwrap();
    let said = text(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("a history has neither; leave it out"), "{said}");
}

#[test]
fn a_gas_whose_energy_would_be_infinite_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let zero = |names: &[&str]| names.iter().map(|name| format!("{name} = 0")).collect::<Vec<_>>().join(", ");
    // The energy of a gas is p / (γ − 1).
    for (law, state) in
        [("euler", &["rho", "v1", "v2", "p"][..]), ("mhd", &["rho", "v1", "v2", "v3", "p", "b1", "b2", "b3", "psi"])]
    {
        let initial = format!("initial.formulas = {{ {} }}", zero(state));
        let case = CASE.replace("advection", law).replace("initial = { function = \"gaussian\" }", &initial);
        let (status, said) = status_and_words(folder.path(), &case, &["--set", "parameters.gamma=1.0"]);
        assert_eq!(status, Some(1), "{said}");
        assert!(said.contains("`gamma` of ") && said.contains(" is to be above 1, found 1"), "{said}");
    }
}

#[test]
fn a_formula_without_a_finite_value_is_named_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let boundaries = "boundaries = { left = { periodic = \"right\" }, bottom = { periodic = \"top\" } }";
    let initial = "initial = { function = \"gaussian\" }";
    let of_time = "boundaries = { left = { state = { u = \"sqrt(0.05 - t)\" } }, right = { state = { u = \"1\" } }, \
                   bottom = { periodic = \"top\" } }";
    for (case, words) in [
        (
            CASE.replace(initial, "initial = { formulas = { u = \"ln(x)\" } }"),
            "in the initial state the formula `ln(x)` is NaN at x = -",
        ),
        (
            CASE.replace(initial, "initial = { formulas = { u = \"1 + hole\" } }\nformulas = { hole = \"1/(x - x)\" }"),
            "in the initial state the formula `1/(x - x)` is inf at x = ",
        ),
        (CASE.replace(boundaries, of_time), "on `left` the formula `sqrt(0.05 - t)` is NaN at x = -0.500000, y = "),
        (
            format!("{CASE}point_sources.drip = {{ position = [0.1, 0.2], amplitude.u = 1, rate = \"1/t\" }}\n"),
            "of the point source `drip` the formula `1/t` is inf at t = 0.000000",
        ),
    ] {
        let (status, said) = status_and_words(folder.path(), &case, &["--overwrite"]);
        assert_eq!(status, Some(1), "{said}");
        assert!(said.contains(words) && said.contains("change it so that it is finite and admissible there"), "{said}");
        assert!(!said.contains("makes no sense") && !said.contains("smaller `cfl`"), "{said}");
    }
}
