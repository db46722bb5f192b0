//! Pictures, and files for ParaView.

use super::*;

#[test]
fn pictures_are_styled_together_and_one_by_one() {
    let styled = r#"fields = ["rho", "speed"]
pictures = ["rho", { field = "rho", kind = "schlieren", size = [800, 600] }, { field = "speed", name = "fast", range = [0, 2] }]
picture = { formats = ["svg"], mesh = true, contours = [0.5, 1], colours = "grey" }"#;
    let case = parse(&GOOD.replace(r#"fields = ["rho", "speed"]"#, styled)).unwrap();
    let [plain, schlieren, fast] = &case.output.pictures[..] else { panic!("{:?}", case.output.pictures) };
    assert_eq!([&plain.name, &schlieren.name, &fast.name], ["rho", "rho_schlieren", "fast"]);
    let common = Style {
        formats: vec![Format::Svg],
        mesh: true,
        contours: Contours::Levels(vec![0.5, 1.0]),
        colours: Some(Colours::Grey),
        ..Style::default()
    };
    assert_eq!(plain.style, common);
    assert_eq!(schlieren.style, Style { kind: Some(Kind::Schlieren), size: [800, 600], ..common.clone() });
    assert_eq!((fast.field, &fast.style), ("speed", &Style { range: Range::Given([0.0, 2.0]), ..common }));
}

#[test]
fn options_of_all_pictures_are_for_those_of_any_kind() {
    let of = |pictures: &str| {
        let text = format!("pictures = [{pictures}]\npicture = {{ kind = \"lines\", contours = 3 }}");
        parse(&GOOD.replace(r#"fields = ["rho", "speed"]"#, &text))
    };
    let error = of(r#""rho""#).unwrap_err().to_string();
    assert!(error.contains("`contours` changes nothing in pictures of the kind \"lines\"; leave it out"), "{error}");
    of(r#""rho", { field = "rho", name = "plane", kind = "colours" }"#).unwrap();
}

#[test]
fn a_reference_has_the_field_that_it_is_compared_with() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("exact.csv");
    std::fs::write(&file, "x,rho\n0,1\n").unwrap();
    let of = |fields: &str| {
        let text = format!("pictures = [{fields}]\npicture = {{ reference = {:?} }}", file.display().to_string());
        parse(&GOOD.replace(r#"fields = ["rho", "speed"]"#, &text))
    };
    of(r#""rho""#).unwrap();
    let error = of(r#""rho", "speed""#).unwrap_err().to_string();
    assert!(error.contains("has nothing to compare `speed` with; its columns are `x`, `rho`"), "{error}");
}

#[test]
fn mistakes_in_pictures_are_pointed_at() {
    let from = r#"fields = ["rho", "speed"]"#;
    for (to, underlined, message) in [
        (r#"pictures = ["rho", "rho"]"#, r#""rho""#, "two pictures have files called `rho_…`"),
        (r#"pictures = [{ field = "rhp" }]"#, r#""rhp""#, "did you mean `rho`?"),
        (r#"pictures = [{ field = "rho", name = "../x" }]"#, r#""../x""#, "consists of letters, digits"),
        (r#"picture = { colours = "jet" }"#, r#""jet""#, "unknown colour map `jet`"),
        (r#"picture = { range = [1, 1] }"#, "[1, 1]", "below the second"),
        (r#"picture = { range = "all" }"#, r#""all""#, "unknown range `all`"),
        (r#"picture = { size = [10, 10] }"#, "[10, 10]", "from [500, 350] to [10000, 10000] pixels"),
        (r#"picture = { formats = [] }"#, "[]", "at least one"),
        (r#"picture = { contours = 100000 }"#, "100000", "at most 1000 lines"),
        (
            r#"picture = { region = { lower = [1, 1], upper = [0, 2] } }"#,
            "{ lower = [1, 1], upper = [0, 2] }",
            "above `lower`",
        ),
        (r#"picture = { reference = "no.csv" }"#, r#""no.csv""#, "cannot read cases/no.csv"),
        (r#"picture = { mehs = true }"#, "mehs", "did you mean `mesh`?"),
        (
            r#"pictures = [{ field = "rho", kind = "lines", contours = 3 }]"#,
            "contours",
            "changes nothing in pictures of the kind \"lines\"",
        ),
        (
            r#"pictures = [{ field = "rho", kind = "schlieren", range = "own" }]"#,
            "range",
            "changes nothing in pictures of the kind \"schlieren\"",
        ),
    ] {
        refused(from, to, 21, underlined, message);
    }
}

#[test]
fn a_region_beside_the_domain_has_its_place() {
    let with = |region: &str| {
        let picture = format!("pictures = [{{ field = \"rho\", region = {region} }}]");
        parse(&GOOD.replace(r#"fields = ["rho", "speed"]"#, &picture)).unwrap().build_mesh()
    };
    with("{ lower = [0.9, 0.9], upper = [3, 3] }").unwrap();
    // Touching the domain is not enough.
    for region in ["{ lower = [2, 0], upper = [3, 1] }", "{ lower = [1, 0], upper = [2, 1] }"] {
        let CaseError::Mistake(mistake) = with(region).unwrap_err() else { panic!("{region}") };
        let message = "`region` has no part of the domain, which extends from [0.0, 0.0] to [1.0, 1.0]";
        assert_eq!((mistake.line, mistake.message.as_str()), (21, message));
        assert!(mistake.to_string().contains(region), "{mistake}");
    }
    // Within the bounding box, but outside of the domain.
    let rectangle = "generator = \"rectangle\"\nlower = [0.0, 0.0]\nupper = [1.0, 1]\ncells = [4, 4]";
    let step = GOOD.replace(rectangle, "generator = \"forward step\"\ncells = [30, 10]");
    let region = r#"pictures = ["rho"]
picture.region = { lower = [1.0, 0.05], upper = [2.0, 0.15] }"#;
    let (from, sides) = (r#"fields = ["rho", "speed"]"#, step.find("[boundaries]").unwrap());
    let end = step[sides + 1..].find("\n[").unwrap() + sides + 1;
    let boundaries = "[boundaries]\ninflow = \"farfield\"\noutflow = \"farfield\"\nwall = \"slip_wall\"\n";
    let text = format!("{}{boundaries}{}", &step[..sides], &step[end..]).replace(from, region);
    let error = parse(&text).unwrap().build_mesh().unwrap_err().to_string();
    assert!(
        error.contains("`region` has no part of the domain, which extends from [0.0, 0.0] to [3.0, 1.0]"),
        "{error}"
    );
}

#[test]
fn files_for_paraview_are_compressed_vectors_unless_the_case_says_otherwise() {
    let vtu = |text: &str| parse(&GOOD.replace(r#"fields = ["rho", "speed"]"#, text)).unwrap().output.vtu;
    assert_eq!((vtu(""), vtu("vtu = true")), (Some(Vtu::default()), Some(Vtu::default())));
    let plain = vtu(r#"vtu = { compressed = false, precision = "single", vectors = false }"#).unwrap();
    assert_eq!(plain, Vtu { encoding: Encoding { compressed: false, single: true }, vectors: false });
    let from = r#"fields = ["rho", "speed"]"#;
    refused(from, r#"vtu = { precision = "half" }"#, 21, r#""half""#, "unknown precision `half`");
    let series = "fields = []\npictures = [\"rho\"]\npicture.range = \"series\"";
    refused(from, series, 20, "output", "`rho` is to be among `fields`");
}
