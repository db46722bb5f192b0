//! Solutions that grow without bound although every state is admissible, as those of a linear law do when the step is too long.

use super::change::{self, Maxima};
use super::{Change, Error, Precision, Solver};

/// A solution is examined more closely once every component has grown by this factor.
const GROWN: f64 = 1e3;
/// An unstable solution changes by at least this share of its size in every step. At the limit of stability of a
/// Runge–Kutta method a mode changes by 1.6 to 2 times its size in a step.
const SHARE: f64 = 0.25;
/// Number of further steps that must confirm it.
const TRIALS: usize = 8;
/// Steps are divided into so many, twice, to see whether growth depends on their length.
const SHORTER: [usize; 2] = [8, 16];

/// Detects unstable growth; it holds the sizes of the components from which a solution has grown.
///
/// A solution is unstable if every component that is not zero is `GROWN` times as large as when it was first seen not to be zero,
/// changes by at least `SHARE` of its size in the last step and in `TRIALS` further ones, is larger after these, and does not grow
/// to the same time in much shorter steps, or by a factor that depends on their length. A solution bounded by its data, however
/// large these are, does not do that; nor does one that grows in time rather than in steps, even as fast as when a point source or
/// an inflow begins from almost nothing. Unstable, too, is one that has grown so large that the squares of its components overflow:
/// steps may be rejected there for that alone, and then the solution changes no more.
pub struct Growth {
    first: Vec<f64>,
}

impl Growth {
    /// Records the solution from which a run starts or resumes.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn new(solver: &Solver) -> Result<Self, Error> {
        Ok(Self { first: change::maxima(solver.scheme())?.sizes })
    }

    /// How much the last step changed the solution; checks its growth.
    ///
    /// # Errors
    /// [`Error::Unstable`], with the solution as it is, and errors of the device.
    pub fn look(&mut self, solver: &mut Solver) -> Result<Change, Error> {
        let maxima = change::maxima(solver.scheme())?;
        let change = change::change(solver.scheme(), &maxima)?;
        let factor = self.factor(&maxima.sizes);
        let largest = match solver.setup().precision {
            Precision::Double => f64::MAX,
            Precision::Single => f64::from(f32::MAX),
        };
        let turns = self.turns(&maxima);
        let grows =
            factor > GROWN && (self.overflows(&maxima.sizes, largest) || turns && self.goes_on(solver, &maxima)?);
        if grows {
            let (clock, setup) = (solver.clock()?, solver.setup());
            return Err(Error::Unstable {
                time: clock.time,
                step: clock.steps,
                factor,
                cfl: setup.cfl,
                stable: setup.integrator.stable_cfl(setup.shape, setup.order),
                key: setup.step_key(),
            });
        }
        // What has been found to grow by itself is looked at again when it has grown as much once more.
        let is_known = factor > GROWN && turns;
        for (first, size) in self.first.iter_mut().zip(maxima.sizes) {
            if *first == 0.0 || is_known {
                *first = size;
            }
        }
        Ok(change)
    }

    /// The least factor by which a component that was not zero has grown.
    fn factor(&self, sizes: &[f64]) -> f64 {
        let factors = self.first.iter().zip(sizes).filter(|(first, _)| **first > 0.0).map(|(first, size)| size / first);
        factors.reduce(f64::min).unwrap_or(1.0)
    }

    /// Whether the square of every such component exceeds the largest number.
    fn overflows(&self, sizes: &[f64], largest: f64) -> bool {
        self.first.iter().zip(sizes).filter(|(first, _)| **first > 0.0).all(|(_, size)| *size > largest.sqrt())
    }

    /// Whether every such component has changed by more than `SHARE` of its size.
    fn turns(&self, maxima: &Maxima) -> bool {
        self.all(&maxima.changes, &maxima.sizes, |change, size| change > SHARE * size)
    }

    /// Whether the solution keeps growing so in further steps, which are undone afterwards.
    fn goes_on(&self, solver: &mut Solver, start: &Maxima) -> Result<bool, Error> {
        let (coefficients, clock) = (solver.coefficients()?, solver.clock()?);
        let goes_on = self.goes_on_from(solver, start);
        solver.set_coefficients(&coefficients)?;
        solver.set_clock(clock)?;
        match goes_on {
            Err(Error::Inadmissible(_) | Error::Collapsed { .. }) => Ok(true),
            goes_on => goes_on,
        }
    }

    fn goes_on_from(&self, solver: &mut Solver, start: &Maxima) -> Result<bool, Error> {
        let (coefficients, clock) = (solver.coefficients()?, solver.clock()?);
        let mut maxima = start.clone();
        for _ in 0..TRIALS {
            solver.advance(f64::INFINITY, 1)?;
            maxima = change::maxima(solver.scheme())?;
            if !self.turns(&maxima) {
                return Ok(false);
            }
        }
        if !self.all(&maxima.sizes, &start.sizes, |now, then| now > then) {
            return Ok(false);
        }
        let end = solver.clock()?.time;
        let [shorter, shortest] = SHORTER.map(|parts| -> Result<_, Error> {
            solver.set_coefficients(&coefficients)?;
            solver.set_clock(clock)?;
            let steps = parts * TRIALS;
            for step in 1..=steps {
                solver.advance(clock.time + (end - clock.time) * step as f64 / steps as f64, 1)?;
            }
            Ok(change::maxima(solver.scheme())?.sizes)
        });
        let (shorter, shortest) = (shorter?, shortest?);
        let grows_by_itself = self.all(&shortest, &start.sizes, |now, then| now > 2.0 * then)
            && self.all(&shorter, &shortest, |one, other| (0.5..=2.0).contains(&(one / other)));
        Ok(!grows_by_itself)
    }

    /// Whether that holds of two sizes of every component that was not always zero.
    fn all(&self, sizes: &[f64], others: &[f64], holds: impl Fn(f64, f64) -> bool) -> bool {
        let both = self.first.iter().zip(sizes).zip(others);
        both.filter(|((first, _), _)| **first > 0.0).all(|((_, size), other)| holds(*size, *other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_that_were_never_there_do_not_count() {
        let growth = Growth { first: vec![0.0, 2.0, 1.0] };
        assert_eq!(growth.factor(&[1e9, 4.0, 3.0]), 2.0);
        let maxima = |changes: [f64; 3]| Maxima { changes: changes.to_vec(), sizes: vec![1.0; 3] };
        assert!(growth.turns(&maxima([0.0, 1.7, 0.3])));
        assert!(!growth.turns(&maxima([1.0, 1.7, 0.2])));
        assert_eq!(Growth { first: vec![0.0] }.factor(&[1e9]), 1.0);
        assert!(growth.overflows(&[1.0, 1e300, 1e160], f64::MAX));
        assert!(!growth.overflows(&[1e300, 1e300, 1.0], f64::MAX));
    }
}
