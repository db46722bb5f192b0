use super::*;

/// Reals whose bits are easily lost: signed zero, subnormals, infinities and a NaN with a payload.
fn awkward_reals() -> Vec<f64> {
    let nan = f64::from_bits(0x7ff8_0000_dead_beef);
    vec![0.1, -0.0, f64::MIN_POSITIVE / 3.0, f64::INFINITY, f64::NEG_INFINITY, nan, f64::MAX, 1.0 / 3.0]
}

fn sample(step: u64, coefficients: Coefficients) -> Checkpoint {
    let metadata = [
        ("wall time".to_string(), Value::Real(-0.0)),
        ("outputs".to_string(), Value::Integer(u64::MAX)),
        ("case".to_string(), Value::Text("vortex ∂Ω\n".into())),
    ];
    Checkpoint {
        identity: Identity {
            law: "euler".into(),
            shapes: vec![Shape::Triangle],
            order: 3,
            mesh: *blake3::hash(b"a").as_bytes(),
        },
        time: 0.1 + 0.2,
        step,
        time_step: 1e-300,
        metadata: metadata.into(),
        coefficients,
    }
}

fn bytes(checkpoint: &Checkpoint) -> Vec<u8> {
    let mut bytes = Vec::new();
    format::write(checkpoint, &mut bytes).unwrap();
    bytes
}

fn bits(coefficients: &Coefficients) -> Vec<u64> {
    match coefficients {
        Coefficients::Double(reals) => reals.iter().map(|x| x.to_bits()).collect(),
        Coefficients::Single(reals) => reals.iter().map(|x| x.to_bits().into()).collect(),
    }
}

#[test]
fn round_trip_keeps_every_bit() {
    let folder = tempfile::tempdir().unwrap();
    let single = awkward_reals().iter().map(|&x| x as f32).collect();
    // More than one chunk of the writer, and an empty list.
    let long = (0..20_000).map(|n| f64::from(n).sqrt()).collect();
    for coefficients in [
        Coefficients::Double(awkward_reals()),
        Coefficients::Single(single),
        Coefficients::Double(long),
        Coefficients::Single(vec![]),
    ] {
        let path = folder.path().join("c.rankine");
        let written = sample(7, coefficients);
        written.write(&path).unwrap();
        let read = Checkpoint::read(&path).unwrap();
        assert_eq!(bits(&read.coefficients), bits(&written.coefficients));
        let strip =
            |checkpoint: &Checkpoint| Checkpoint { coefficients: Coefficients::Single(vec![]), ..checkpoint.clone() };
        assert_eq!(strip(&read), strip(&written));
        assert_eq!(bytes(&read), std::fs::read(&path).unwrap());
    }
}

#[test]
fn every_truncation_is_refused() {
    let whole = bytes(&sample(7, Coefficients::Double(awkward_reals())));
    for end in 0..whole.len() {
        let reason = format::read(&whole[..end]).unwrap_err();
        let expected = if end < 8 { "it is no checkpoint" } else { "it is truncated" };
        assert!(reason.starts_with(expected), "{end}: {reason}");
    }
    let longer = [&whole[..], b"x"].concat();
    assert!(format::read(&longer).unwrap_err().starts_with("it is corrupt"));
}

#[test]
fn every_changed_bit_is_refused() {
    let whole = bytes(&sample(7, Coefficients::Double(awkward_reals())));
    for place in 0..whole.len() {
        for bit in 0..8 {
            let mut changed = whole.clone();
            changed[place] ^= 1 << bit;
            assert!(format::read(&changed).is_err(), "byte {place}, bit {bit}");
        }
    }
}

#[test]
fn content_that_is_not_known_is_refused_even_with_a_right_checksum() {
    let whole = bytes(&sample(7, Coefficients::Double(awkward_reals())));
    let content = whole.len() - 32;
    for place in 20..content {
        for value in [0, 1, 2, 0x7f, 0xff] {
            let mut changed = whole.clone();
            changed[place] = value;
            let hash = blake3::hash(&changed[..content]);
            changed[content..].copy_from_slice(hash.as_bytes());
            // Many of these are other valid checkpoints, perhaps with keys out of order; those must be read completely.
            match format::read(&changed) {
                Ok(checkpoint) => assert_eq!(bytes(&checkpoint).len(), changed.len(), "byte {place} = {value}"),
                Err(reason) => assert!(reason.starts_with("it holds what"), "{reason}"),
            }
        }
    }
}

#[test]
fn another_version_is_named() {
    let mut changed = bytes(&sample(7, Coefficients::Double(vec![])));
    changed[8] = 2;
    let reason = format::read(&changed).unwrap_err();
    assert_eq!(reason, "its format has version 2, this program reads version 1");
}

#[test]
fn all_differences_are_named() {
    let checkpoint = sample(7, Coefficients::Single(vec![]));
    let path = Path::new("out/c.rankine");
    checkpoint.require(path, &checkpoint.identity, false).unwrap();
    let other = Identity { law: "burgers".into(), order: 2, mesh: [0xab; 32], ..checkpoint.identity.clone() };
    let message = checkpoint.require(path, &other, true).unwrap_err().to_string();
    let mesh = &blake3::hash(b"a").to_hex()[..12];
    assert_eq!(
        message,
        format!(
            "cannot use out/c.rankine: its law is `euler`, this run's is `burgers`; its order is 3, this run's is 2; \
             its precision is single, this run's is double; its mesh is {mesh}, this run's is abababababab; \
             `initial.from` in the case starts from its state"
        )
    );
}

#[test]
fn latest_is_the_newest_whole_one_and_its_predecessor_stays() {
    let folder = tempfile::tempdir().unwrap();
    let save = |step| sample(step, Coefficients::Double(vec![step as f64])).save(folder.path()).unwrap();
    let steps = || list(folder.path()).unwrap().into_iter().map(|(step, _)| step).collect::<Vec<_>>();
    assert!(latest(folder.path()).unwrap().is_none());
    assert!(latest(&folder.path().join("missing")).unwrap().is_none());
    // Sorted by number, not by name: step 10^12 has one digit more.
    for step in [5, 40, 1_000_000_000_000] {
        save(step);
    }
    std::fs::write(folder.path().join("checkpoint_notes.rankine"), "not ours").unwrap();
    assert_eq!(steps(), [1_000_000_000_000, 40]);
    let found = latest(folder.path()).unwrap().unwrap();
    assert_eq!((found.checkpoint.step, found.skipped.len()), (1_000_000_000_000, 0));

    std::fs::write(&found.path, "damaged").unwrap();
    let found = latest(folder.path()).unwrap().unwrap();
    assert_eq!((found.checkpoint.step, found.skipped.len()), (40, 1));
    assert!(found.skipped[0].to_string().contains("checkpoint_1000000000000.rankine: it is no checkpoint"));

    // Resuming from step 40 leaves the damaged later checkpoint behind.
    save(60);
    assert_eq!(steps(), [60, 40]);

    for (_, path) in list(folder.path()).unwrap() {
        std::fs::write(path, "damaged").unwrap();
    }
    let message = latest(folder.path()).unwrap_err().to_string();
    assert!(message.contains("checkpoint_000000000060"), "{message}");
}
