//! Files for ParaView: their content beside the fields' values (tested in `read_back.rs`), and how VTK itself reads them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use tests::vtu::Vtu;

/// A shock in a tube, so that elements are troubled; `end` is the end of the case file.
fn run(folder: &Path, end: &str, flags: &[&str]) {
    let tube = r#"
        mesh = { generator = "rectangle", lower = [0, 0], upper = [1, 0.1], cells = [20, 2] }
        initial.formulas = { rho = "if(x < 0.5, 1, 0.125)", rho_v1 = "0.1*x", rho_v2 = "0", rho_e = "if(x < 0.5, 2.5, 0.25)" }
        limiter = { method = "moment", indicator = "decay" }"#;
    run_with(tube, folder, end, flags);
}

fn run_with(flow: &str, folder: &Path, end: &str, flags: &[&str]) {
    let case = format!(
        r#"law = "euler"
order = 2
boundaries = {{ left = "outflow", right = "outflow", bottom = {{ periodic = "top" }} }}
time = {{ final = 0.02, integrator = "ssp_rk3" }}
{flow}
[output]
every = 0.01
{end}"#
    );
    let path = folder.join("tube.toml");
    std::fs::write(&path, case).unwrap();
    let mut arguments: Vec<OsString> = ["rankine", "run", "--device", "cpu"].map(OsString::from).to_vec();
    arguments.extend([path.into(), "--out".into(), folder.join("out").into()]);
    arguments.extend(flags.iter().map(OsString::from));
    dg_runtime::cli::run(&arguments, equations::LAWS).unwrap_or_else(|error| panic!("{error}"));
}

/// A flow over quadrilaterals with curved sides.
const BENT: &str = r#"
    mesh = { generator = "rectangle", elements = "quadrilaterals", lower = [0, 0], upper = [1, 1], cells = [6, 6], degree = 2, curvature = 0.1 }
    initial.formulas = { rho = "1 + 0.1*y", rho_v1 = "1", rho_v2 = "0", rho_e = "2.5 + 0.1*x" }"#;

#[test]
fn momentum_is_a_vector_and_elements_know_their_number_and_trouble() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "", &[]);
    let vtu = Vtu::read(&folder.path().join("out/solution_0002.vtu"));
    let (components, momentum) = &vtu.fields["rho_v"];
    assert_eq!(*components, 3);
    let [v1, v2] = ["rho_v1", "rho_v2"].map(|name| &vtu.fields[name].1);
    for (point, tuple) in momentum.chunks(3).enumerate() {
        assert_eq!(tuple, [v1[point], v2[point], 0.0]);
    }
    assert!(v1.iter().any(|v| *v > 0.1));
    let elements = &vtu.cells["element"].1;
    assert_eq!(*elements, (0..80).map(f64::from).collect::<Vec<_>>());
    // Where the gas is still smooth or constant, no element is troubled; at the shock, some are.
    let nodes = vtu.points.len() / 80;
    let troubled = &vtu.cells["troubled"].1;
    let places: Vec<f64> = (0..80).filter(|&e| troubled[e] > 0.0).map(|e| vtu.points[e * nodes][0]).collect();
    assert!(!places.is_empty() && places.iter().all(|x| (0.35..0.65).contains(x)), "{places:?}");
}

#[test]
fn encodings_say_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let read = |end: &str| {
        run(folder.path(), end, &["--overwrite"]);
        let path = folder.path().join("out/solution_0001.vtu");
        (Vtu::read(&path), std::fs::metadata(path).unwrap().len())
    };
    let (compressed, small) = read("");
    let (plain, large) = read("vtu = { compressed = false }");
    assert_eq!(
        (&plain.points, &plain.fields, &plain.cells),
        (&compressed.points, &compressed.fields, &compressed.cells)
    );
    assert!(small < large, "{small} bytes, not compressed {large}");
    let (single, _) = read("vtu = { precision = \"single\", vectors = false }");
    assert!(!single.fields.contains_key("rho_v"));
    for (rounded, exact) in single.fields["rho"].1.iter().zip(&plain.fields["rho"].1) {
        assert_eq!(*rounded, f64::from(*exact as f32));
    }
    assert_eq!(single.points, plain.points);
}

#[test]
fn a_lost_list_is_made_anew_from_the_files() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "", &[]);
    let list = folder.path().join("out/solution.pvd");
    let whole = std::fs::read_to_string(&list).unwrap();
    assert_eq!(whole.matches("<DataSet").count(), 3);
    std::fs::remove_file(&list).unwrap();
    run(folder.path(), "", &["--resume"]);
    assert_eq!(std::fs::read_to_string(&list).unwrap(), whole);
}

#[test]
fn a_series_has_one_range_once_the_run_is_over() {
    let folder = tempfile::tempdir().unwrap();
    run(
        folder.path(),
        "pictures = [\"rho_v1\"]\npicture = { range = \"series\", kind = \"colours\", formats = [\"svg\"] }",
        &[],
    );
    let number = |key: &str, text: &str| -> Vec<f64> {
        let document = roxmltree::Document::parse(text).unwrap();
        let facts = document.descendants().find(|node| node.has_tag_name("desc")).unwrap().text().unwrap();
        let facts: serde_json::Value = serde_json::from_str(facts).unwrap();
        facts[key].as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
    };
    let mut hull = [f64::INFINITY, f64::NEG_INFINITY];
    for file in 0..3 {
        let vtu = Vtu::read(&folder.path().join(format!("out/solution_000{file}.vtu")));
        let own = vtu.fields["rho_v1"]
            .1
            .iter()
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], &v| [low.min(v), high.max(v)]);
        hull = [hull[0].min(own[0]), hull[1].max(own[1])];
        let text = std::fs::read_to_string(folder.path().join(format!("out/rho_v1_000{file}.svg"))).unwrap();
        // Reading a number may change its last bit.
        assert!(number("range", &text).iter().zip(own).all(|(found, right)| (found - right).abs() < 1e-12), "{own:?}");
    }
    for file in 0..3 {
        let text = std::fs::read_to_string(folder.path().join(format!("out/rho_v1_000{file}.svg"))).unwrap();
        assert!(
            number("shown", &text).iter().zip(hull).all(|(found, right)| (found - right).abs() < 1e-12),
            "{hull:?}"
        );
    }
}

/// What a VTKHDF file says, read by offsets as its format demands: for every time the time, and fields at nodes and of elements by name.
fn whole(path: &Path) -> Vec<(f64, BTreeMap<String, Vec<f64>>)> {
    let file = hdf5_pure::File::open(path).unwrap();
    let integers = |name: &str| file.dataset(&format!("VTKHDF/{name}")).unwrap().read_i64().unwrap();
    let times = file.dataset("VTKHDF/Steps/Values").unwrap().read_f64().unwrap();
    let steps = file.group("VTKHDF/Steps").unwrap().attrs().unwrap()["NSteps"].as_i64().unwrap();
    assert_eq!(steps as usize, times.len());
    for name in ["PartOffsets", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets"] {
        assert_eq!(integers(&format!("Steps/{name}")), vec![0; times.len()]);
    }
    let of_time = |step: usize| {
        let mut fields = BTreeMap::new();
        for (group, size) in [("Point", integers("NumberOfPoints")[0]), ("Cell", integers("NumberOfCells")[0])] {
            for name in file.group(&format!("VTKHDF/{group}Data")).unwrap().datasets().unwrap() {
                let from = integers(&format!("Steps/{group}DataOffsets/{name}"))[step] as usize;
                let all = file.dataset(&format!("VTKHDF/{group}Data/{name}")).unwrap().read_f64().unwrap();
                fields.insert(name, all[from..from + size as usize].to_vec());
            }
        }
        fields
    };
    (0..times.len()).map(|step| (times[step], of_time(step))).collect()
}

#[test]
#[ignore = "long"]
fn a_file_with_all_times_says_the_same_as_one_for_each() {
    let folder = tempfile::tempdir().unwrap();
    for (flow, kind, nodes) in [("", 69, 6), (BENT, 70, 9)] {
        let end = "vtkhdf = true\nvtu = { vectors = false }";
        match flow {
            "" => run(folder.path(), end, &["--overwrite"]),
            flow => run_with(flow, folder.path(), end, &["--overwrite"]),
        }
        let path = folder.path().join("out/solution.vtkhdf");
        let times = whole(&path);
        assert_eq!(times.len(), 3);
        let of_time = |index: usize| Vtu::read(&folder.path().join(format!("out/solution_000{index}.vtu")));
        for (index, (time, fields)) in times.iter().enumerate() {
            let vtu = of_time(index);
            assert_eq!(vtu.time, *time);
            let written = vtu.fields.iter().chain(&vtu.cells);
            let written: BTreeMap<_, _> = written.map(|(name, (_, values))| (name.clone(), values.clone())).collect();
            assert_eq!(*fields, written);
        }
        // The cells, which are curved in one of the flows.
        let file = hdf5_pure::File::open(&path).unwrap();
        let integers = |name: &str| file.dataset(&format!("VTKHDF/{name}")).unwrap().read_i64().unwrap();
        let positions = file.dataset("VTKHDF/Points").unwrap().read_f64().unwrap();
        assert_eq!(positions.as_chunks::<3>().0, of_time(0).points);
        assert!(integers("Types").iter().all(|one| *one == kind));
        assert!(integers("Offsets").iter().enumerate().all(|(cell, end)| *end == nodes * cell as i64));
        assert!(integers("Connectivity").iter().enumerate().all(|(place, point)| *point == place as i64));
    }
}

/// A run that was killed after its file had a time of which the last checkpoint does not know, and one whose file is lost.
#[test]
fn a_file_with_all_times_goes_on_where_the_run_does() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let end = "checkpoint_every = 1\nvtkhdf = { precision = \"single\" }\nvtu = false";
    run(folder.path(), end, &[]);
    let path = out.join("solution.vtkhdf");
    let straight = whole(&path);
    assert_eq!(straight.len(), 3);
    let forget_the_end = || {
        let checkpoints = std::fs::read_dir(out.join("checkpoints")).unwrap().map(|entry| entry.unwrap().path());
        let is_checkpoint = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with("checkpoint_");
        let last = checkpoints.filter(is_checkpoint).max().unwrap();
        std::fs::remove_file(last).unwrap();
    };
    forget_the_end();
    run(folder.path(), end, &["--resume"]);
    assert_eq!(whole(&path), straight);
    forget_the_end();
    std::fs::remove_file(&path).unwrap();
    run(folder.path(), end, &["--resume"]);
    assert_eq!(whole(&path), straight[2..]);
}

/// Numbers of points and cells, of cells that are troubled, and sums of the density and of both components of momentum, as VTK reads
/// them.
const SCRIPT: &str = "
import sys, vtk
reader = vtk.vtkXMLUnstructuredGridReader()
reader.SetFileName(sys.argv[1])
reader.Update()
grid = reader.GetOutput()
points, cells = grid.GetPointData(), grid.GetCellData()
rho, momentum, troubled = points.GetArray('rho'), points.GetArray('rho_v'), cells.GetArray('troubled')
total = lambda array, c: sum(array.GetComponent(i, c) for i in range(array.GetNumberOfTuples()))
print(grid.GetNumberOfPoints(), grid.GetNumberOfCells(), grid.GetCellType(0), total(troubled, 0), total(rho, 0),
      total(momentum, 0), total(momentum, 1), grid.GetFieldData().GetArray('TimeValue').GetValue(0))
";

/// The same of the last time of a file with all times, and how many there are.
const SCRIPT_OF_WHOLE: &str = "
import sys, vtk
reader = vtk.vtkHDFReader()
reader.SetFileName(sys.argv[1])
reader.UpdateInformation()
reader.SetStep(reader.GetNumberOfSteps() - 1)
reader.Update()
grid = reader.GetOutput()
points, cells = grid.GetPointData(), grid.GetCellData()
total = lambda array: sum(array.GetComponent(i, 0) for i in range(array.GetNumberOfTuples()))
print(grid.GetNumberOfPoints(), grid.GetNumberOfCells(), grid.GetCellType(0), total(cells.GetArray('troubled')),
      *(total(points.GetArray(name)) for name in ('rho', 'rho_v1', 'rho_v2')), reader.GetTimeValue(), reader.GetNumberOfSteps())
";

/// Checks that a script that reads a file prints these numbers.
fn assert_prints(python: &str, script: &str, path: &Path, expected: &[f64]) {
    let output = Command::new(python).arg("-c").arg(script).arg(path).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let found: Vec<f64> = printed.split_whitespace().map(|number| number.parse().unwrap()).collect();
    assert_eq!(found.len(), expected.len(), "{}", String::from_utf8_lossy(&output.stderr));
    for (found, expected) in found.into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
    }
}

#[test]
fn vtk_reads_what_is_written() {
    let python = std::env::var("PYTHON").unwrap_or("python3".into());
    if !Command::new(&python).args(["-c", "import vtk"]).output().is_ok_and(|output| output.status.success()) {
        eprintln!("{python} has no module vtk (pip install vtk): not tested");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for end in ["", "vtu = { compressed = false }", "vtu = { precision = \"single\" }"] {
        run(folder.path(), &format!("{end}\nvtkhdf = true"), &["--overwrite"]);
        let path = folder.path().join("out/solution_0002.vtu");
        let vtu = Vtu::read(&path);
        let sum = |values: &[f64]| values.iter().sum::<f64>();
        let fields = ["rho", "rho_v1", "rho_v2"].map(|name| sum(&vtu.fields[name].1));
        let expected = [480.0, 80.0, 69.0, sum(&vtu.cells["troubled"].1), fields[0], fields[1], fields[2], vtu.time];
        assert_prints(&python, SCRIPT, &path, &expected);
        if end.is_empty() {
            let whole = folder.path().join("out/solution.vtkhdf");
            assert_prints(&python, SCRIPT_OF_WHOLE, &whole, &[&expected[..], &[3.0]].concat());
        }
    }
}
