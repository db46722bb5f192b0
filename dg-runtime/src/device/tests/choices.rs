//! The choice of a device.

use super::*;

#[test]
fn cuda_is_usable_or_says_why_not() {
    match Device::probe() {
        Ok(names) => assert!(!names.is_empty()),
        Err(reason) => assert!(matches!(reason, Error::NoDriver | Error::NoCuda(_)), "{reason}"),
    }
    assert!(Device::open(Choice::Auto).is_ok());
    assert!(matches!(Device::open(Choice::Cuda(Some(9999))), Err(Error::NoDriver | Error::NoCuda(_))));
}

#[test]
fn a_gpu_that_cannot_be_used_is_spoken_of_and_a_missing_one_is_not() {
    assert_eq!(fallback_warning(&Error::NoDriver), None);
    let warning = fallback_warning(&Error::NoCuda("the driver is too old".into())).unwrap();
    assert!(warning.contains("the driver is too old; computing on the CPU") && warning.lines().count() == 1);
}

#[test]
fn choices_are_read_as_they_are_written() {
    for choice in [Choice::Auto, Choice::Cpu, Choice::Cuda(None), Choice::Cuda(Some(3))] {
        assert_eq!(choice.to_string().parse::<Choice>().unwrap(), choice);
    }
    for wrong in ["gpu", "cuda:", "cuda:-1", "CPU", ""] {
        assert!(matches!(wrong.parse::<Choice>(), Err(Error::Choice(text)) if text == wrong));
    }
}
