//! The computer algebra: exact numbers, polynomials and fractions of them. The one file that names Symbolica.
//!
//! Symbolica without a licence allows one thread per user at a time, and a second one, even in another
//! process, aborts its process. So everything here happens inside a [`session`]: one short-lived thread, which waits for its
//! [turn](crate::turns) among all processes of a user. Symbolica prints its terms of use once per process on standard
//! output; no documented switch turns that off, so it stays.

use std::borrow::Cow;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use symbolica::domains::rational_polynomial::FromNumeratorAndDenominator;
use symbolica::prelude::{Factorize, IntegerRing, MultivariatePolynomial, PolyVariable, RationalPolynomial, Z, symbol};
pub use symbolica::prelude::{Float, FloatLike, Integer, Rational, Real, RealLike};

use crate::turns::{self, Turn};

/// Binary digits of a [`Float`].
pub const PRECISION: u32 = 320;

/// The most variables of a polynomial, generators included.
pub const VARIABLES: usize = 64;

/// Each term of a polynomial has a power of each variable of its ring, and each operation reads all of them. So a polynomial lies in
/// the smallest of these rings, by their numbers of variables, that has its own.
const RINGS: [usize; 6] = [8, 12, 16, 24, 32, VARIABLES];

/// Bytes of stack of the session's thread: expressions are evaluated recursively.
const STACK: usize = 64 << 20;

/// Why a [`session`] gave no result.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The lock file cannot be used.
    #[error("the checks cannot lock `{}`, which keeps two of them from running at once: {source}", path.display())]
    Lock {
        /// The lock file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// No thread can be started.
    #[error("the checks cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// A defect of the algebra.
    #[error("the checks failed, which is a defect of the compiler: {0}")]
    Panic(String),
}

/// Runs `work`, which may use everything in this module, on a thread of its own while no other session of this user
/// runs in any process. Sessions that wait are told the name of the law.
///
/// # Errors
/// When the lock or the thread cannot be had, or `work` panics.
pub fn session<T: Send>(law: &str, work: impl FnOnce() -> T + Send) -> Result<T, SessionError> {
    let folder = turns::folder();
    let turn = Turn::wait(&folder, law).map_err(|source| SessionError::Lock { path: turns::path(&folder), source })?;
    let result = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("rankine algebra".into()).stack_size(STACK);
        let handle = thread.spawn_scoped(scope, work).map_err(SessionError::Thread)?;
        handle.join().map_err(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            SessionError::Panic(text.unwrap_or("no message").to_string())
        })
    });
    drop(turn);
    result
}

/// A floating-point number of [`PRECISION`] bits that tracks how many of them are correct.
pub fn float(value: &Rational) -> Float {
    let numerator = float_of_integer(value.numerator_ref());
    if value.is_integer() { numerator } else { numerator / float_of_integer(value.denominator_ref()) }
}

/// The algebra's own conversion goes by way of decimals, which takes longer than any operation on the number.
fn float_of_integer(value: &Integer) -> Float {
    if let Some(short) = value.to_i64() {
        return Float::with_val(PRECISION, short);
    }
    if value.is_negative() {
        return -float_of_integer(&value.abs());
    }
    const DIGIT: i64 = 1 << 62;
    let (rest, digit) = value.quot_rem(&Integer::from(DIGIT));
    float_of_integer(&rest) * Float::with_val(PRECISION, DIGIT) + float_of_integer(&digit)
}

/// The exact value of a decimal literal such as `-1.5e-3`.
pub fn decimal(text: &str) -> Option<Rational> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: Integer = format!("{whole}{fraction}").parse().ok()?;
    let exponent = exponent - fraction.len() as i64;
    if exponent.unsigned_abs() > 400 {
        return None;
    }
    let power = Rational::from(10).pow(exponent.unsigned_abs());
    let digits = Rational::from(digits);
    Some(if exponent < 0 { digits / power } else { digits * power })
}

/// The exact value of a finite `f64`.
pub fn rational(value: f64) -> Option<Rational> {
    if !value.is_finite() {
        return None;
    }
    let bits = value.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i64;
    let fraction = bits & ((1 << 52) - 1);
    let (mantissa, exponent) = if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let power = Rational::from(2).pow(exponent.unsigned_abs());
    let mantissa = Rational::from(if value < 0.0 { -(mantissa as i64) } else { mantissa as i64 });
    Some(if exponent < 0 { mantissa / power } else { mantissa * power })
}

type Inner = MultivariatePolynomial<IntegerRing, u16>;

/// A polynomial in at most [`VARIABLES`] variables with integer coefficients.
#[derive(Clone, Debug)]
pub struct Polynomial(Inner);

/// The ring of all polynomials of a session.
#[derive(Clone, Debug)]
pub struct Ring {
    variables: Rc<[PolyVariable]>,
    /// The zeros of [`RINGS`].
    zeros: Rc<[Inner]>,
}

thread_local! {
    static RING: Ring = {
        let variables: Vec<_> = (0..VARIABLES).map(|i| PolyVariable::Symbol(symbol!(format!("v{i}")))).collect();
        let zero = |size: &usize| Inner::new(&Z, None, Arc::new(variables[..*size].to_vec()));
        Ring { zeros: RINGS.iter().map(zero).collect(), variables: variables.into() }
    };
}

impl Ring {
    /// The ring of this [`session`].
    pub fn new() -> Self {
        RING.with(Self::clone)
    }

    /// A constant polynomial.
    pub fn constant(&self, value: Integer) -> Polynomial {
        Polynomial(self.zeros[0].constant(value))
    }

    /// The variable with this index, below [`VARIABLES`].
    pub fn variable(&self, index: usize) -> Polynomial {
        let zero = &self.zeros[RINGS.partition_point(|size| *size <= index)];
        Polynomial(zero.variable(&self.variables[index]).unwrap_or_else(|_| zero.clone()))
    }

    /// A constant fraction.
    pub fn rational(&self, value: &Rational) -> Fraction {
        Fraction(RationalPolynomial::from_num_den(
            self.zeros[0].constant(value.numerator()),
            self.zeros[0].constant(value.denominator()),
            &Z,
            false,
        ))
    }
}

/// A polynomial in the larger of its ring and another one's.
fn in_ring_of<'p>(p: &'p Inner, other: &Inner) -> Cow<'p, Inner> {
    if p.nvars() >= other.nvars() {
        return Cow::Borrowed(p);
    }
    let mut larger = other.zero_with_capacity(p.nterms());
    let mut powers = vec![0; other.nvars()];
    for term in p {
        powers[..p.nvars()].copy_from_slice(term.exponents);
        larger.append_monomial(term.coefficient.clone(), &powers);
    }
    Cow::Owned(larger)
}

impl Default for Ring {
    fn default() -> Self {
        Self::new()
    }
}

impl Polynomial {
    /// Both in one ring.
    fn unified<'p>(&'p self, b: &'p Self) -> [Cow<'p, Inner>; 2] {
        [in_ring_of(&self.0, &b.0), in_ring_of(&b.0, &self.0)]
    }

    /// `a + b`.
    pub fn add(&self, b: &Self) -> Self {
        let [a, b] = self.unified(b);
        Self(&*a + &*b)
    }

    /// `a - b`.
    pub fn sub(&self, b: &Self) -> Self {
        let [a, b] = self.unified(b);
        Self(&*a - &*b)
    }

    /// `a · b`.
    pub fn mul(&self, b: &Self) -> Self {
        let [a, b] = self.unified(b);
        Self(&*a * &*b)
    }

    /// `factor · a`.
    pub fn scaled(&self, factor: &Integer) -> Self {
        Self(self.0.clone().mul_coeff(factor.clone()))
    }

    /// `a^n`.
    pub fn pow(&self, n: usize) -> Self {
        Self(self.0.pow(n))
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// Its value, where no variable occurs.
    pub fn as_constant(&self) -> Option<Integer> {
        self.0.is_constant().then(|| self.0.get_constant())
    }

    /// The highest power of a variable.
    pub fn degree(&self, variable: usize) -> usize {
        if variable < self.0.nvars() { usize::from(self.0.degree(variable)) } else { 0 }
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.0.nterms()
    }

    /// Whether it has no terms.
    pub fn is_empty(&self) -> bool {
        self.is_zero()
    }

    /// The words of 64 bits of its coefficients.
    pub fn size(&self) -> usize {
        self.0.coefficients.iter().map(words).sum()
    }

    /// The powers of a variable that occur, each with its coefficient.
    pub fn coefficients_of(&self, variable: usize) -> Vec<(Self, usize)> {
        if variable >= self.0.nvars() {
            return if self.is_zero() { Vec::new() } else { vec![(self.clone(), 0)] };
        }
        let list = self.0.to_univariate_polynomial_list(variable);
        list.into_iter().map(|(coefficient, power)| (Self(coefficient), usize::from(power))).collect()
    }

    /// The terms: coefficient and power of each variable, up to the last that occurs in the term.
    pub fn terms(&self) -> Vec<(Integer, Vec<usize>)> {
        let powers = |exponents: &[u16]| {
            let occurring = exponents.iter().rposition(|&e| e > 0).map_or(0, |last| last + 1);
            exponents[..occurring].iter().map(|&e| usize::from(e)).collect()
        };
        self.0.into_iter().map(|term| (term.coefficient.clone(), powers(term.exponents))).collect()
    }

    /// `(a, b)` such that the polynomial is `a² b`, with `b` free of squares as far as that is cheaply found.
    pub fn square_parts(&self) -> (Self, Self) {
        let one = Self(self.0.one());
        let (mut outside, mut inside) = (one.clone(), one);
        let factors = if self.0.is_constant() { vec![(self.0.clone(), 1)] } else { self.0.square_free_factorization() };
        for (factor, power) in factors {
            if factor.is_constant() {
                let (a, b) = integer_square_parts(&factor.get_constant().pow(power as u64));
                outside = Self(outside.0.mul_coeff(a));
                inside = Self(inside.0.mul_coeff(b));
            } else {
                outside = outside.mul(&Self(factor.pow(power / 2)));
                inside = inside.mul(&Self(factor.pow(power % 2)));
            }
        }
        (outside, inside)
    }

    /// Its value at a point, which has a value for each variable that occurs.
    pub fn evaluate(&self, point: &[Float]) -> Float {
        let mut point = Cow::Borrowed(point);
        if point.len() < self.0.nvars() {
            point.to_mut().resize(self.0.nvars(), Float::with_val(PRECISION, 0));
        }
        self.0.evaluate(|c| float(&Rational::from(c.clone())), &point[..self.0.nvars()])
    }
}

impl PartialEq for Polynomial {
    fn eq(&self, b: &Self) -> bool {
        let [a, b] = self.unified(b);
        a == b
    }
}

impl Eq for Polynomial {}

/// `(a, b)` with `n = a² b`; squares of small primes and a perfect square are found.
fn integer_square_parts(n: &Integer) -> (Integer, Integer) {
    let (mut outside, mut inside) = (Integer::from(1), n.clone());
    for prime in [2i64, 3, 5, 7, 11, 13] {
        let square = Integer::from(prime * prime);
        loop {
            let (quotient, remainder) = inside.quot_rem(&square);
            if !remainder.is_zero() || inside.is_zero() {
                break;
            }
            inside = quotient;
            outside *= &Integer::from(prime);
        }
    }
    if !inside.is_negative() {
        let root = inside.root(2);
        if &root * &root == inside {
            return (outside * &root, Integer::from(1));
        }
    }
    (outside, inside)
}

/// The words of 64 bits of an integer.
fn words(n: &Integer) -> usize {
    1 + (n.significant_bits() / 64) as usize
}

/// The words of 64 bits of a rational number.
pub fn size(value: &Rational) -> usize {
    words(value.numerator_ref()) + words(value.denominator_ref())
}

/// A quotient of two polynomials in lowest terms.
#[derive(Clone, Debug)]
pub struct Fraction(RationalPolynomial<IntegerRing, u16>);

impl Fraction {
    /// `numerator / denominator` in lowest terms; `None` when the denominator is 0.
    pub fn new(numerator: &Polynomial, denominator: &Polynomial) -> Option<Self> {
        (!denominator.is_zero()).then(|| {
            let [numerator, denominator] = numerator.unified(denominator).map(Cow::into_owned);
            Self(RationalPolynomial::from_num_den(numerator, denominator, &Z, true))
        })
    }

    /// Both in one ring.
    fn unified<'f>(&'f self, b: &'f Self) -> [Cow<'f, RationalPolynomial<IntegerRing, u16>>; 2] {
        let beside = |a: &'f Self, b: &Self| {
            let [numerator, denominator] = [&a.0.numerator, &a.0.denominator].map(|p| in_ring_of(p, &b.0.numerator));
            match (numerator, denominator) {
                (Cow::Owned(n), Cow::Owned(d)) => Cow::Owned(RationalPolynomial::from_num_den(n, d, &Z, false)),
                _ => Cow::Borrowed(&a.0),
            }
        };
        [beside(self, b), beside(b, self)]
    }

    /// The numerator.
    pub fn numerator(&self) -> Polynomial {
        Polynomial(self.0.numerator.clone())
    }

    /// The denominator.
    pub fn denominator(&self) -> Polynomial {
        Polynomial(self.0.denominator.clone())
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.0.numerator.is_zero()
    }

    /// Its value, where no variable occurs.
    pub fn as_constant(&self) -> Option<Rational> {
        let (n, d) = (&self.0.numerator, &self.0.denominator);
        (n.is_constant() && d.is_constant()).then(|| Rational::from((n.get_constant(), d.get_constant())))
    }

    /// The number of terms of numerator and denominator.
    pub fn len(&self) -> usize {
        self.0.numerator.nterms() + self.0.denominator.nterms()
    }

    /// The words of 64 bits of its coefficients.
    pub fn size(&self) -> usize {
        let coefficients = |p: &Inner| p.coefficients.iter().map(words).sum::<usize>();
        coefficients(&self.0.numerator) + coefficients(&self.0.denominator)
    }

    /// Whether it has no terms; never true, since a denominator has one.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// `a + b`.
    pub fn add(&self, b: &Self) -> Self {
        let [a, b] = self.unified(b);
        Self(&*a + &*b)
    }

    /// `a - b`.
    pub fn sub(&self, b: &Self) -> Self {
        let [a, b] = self.unified(b);
        Self(&*a - &*b)
    }

    /// `a · b`.
    pub fn mul(&self, b: &Self) -> Self {
        let [a, b] = self.unified(b);
        Self(&*a * &*b)
    }

    /// `-a`.
    pub fn neg(&self) -> Self {
        Self(-self.0.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn decimals_are_exact() {
        assert_eq!(decimal("1.25e1"), Some(Rational::from((25, 2))));
        assert_eq!(decimal("-1e-3"), Some(Rational::from((-1, 1000))));
        assert_eq!(rational(-0.75), Some(Rational::from((-3, 4))));
    }

    #[test]
    fn floats_have_all_digits_of_rational_numbers() {
        let three = Rational::from(3);
        for n in [-1i64, 1, 7, i64::MAX] {
            for power in [0, 1, 50, 200, 1000] {
                for value in [Rational::from(n) * three.pow(power), Rational::from(n) / three.pow(power)] {
                    let difference = float(&value).to_rational() / &value - Rational::from(1);
                    let size = if difference.is_negative() { -difference } else { difference };
                    assert!(size < Rational::from(2).pow(310).inv(), "{n} {power}");
                    assert!(float(&value).get_precision() >= PRECISION - 4, "{n} {power}");
                }
            }
        }
    }

    #[test]
    fn squares_come_out_of_roots() -> Result<(), SessionError> {
        session("tests", || {
            let ring = Ring::new();
            let (x, y) = (ring.variable(0), ring.variable(1));
            let p = x.mul(&x).mul(&y).mul(&ring.constant(Integer::from(12)));
            let (outside, inside) = p.square_parts();
            assert_eq!(outside.mul(&outside).mul(&inside), p);
            assert_eq!(inside, y.mul(&ring.constant(Integer::from(3))));
        })
    }

    #[test]
    fn sessions_of_many_threads_take_turns() {
        let busy = AtomicBool::new(false);
        let alone = || {
            let first = !busy.swap(true, Ordering::SeqCst);
            let zero = Ring::new().variable(0).is_zero();
            busy.store(false, Ordering::SeqCst);
            first && !zero
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert!(session("tests", alone).is_ok_and(|alone| alone)));
            }
        });
    }

    #[test]
    fn a_panic_is_an_error() {
        assert!(matches!(session("tests", || panic!("oops")), Err(SessionError::Panic(text)) if text == "oops"));
    }
}
