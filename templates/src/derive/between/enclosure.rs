//! Laws evaluated over enclosures, which are formulas themselves: bounds on a number, and on its slope, along the straight way
//! from one state to another (R. E. Moore, Interval Analysis, Prentice-Hall 1966; slopes by forward differentiation, L. B. Rall,
//! LNCS 120, 1981).
//!
//! A number u(θ) on the way, 0 ≤ θ ≤ 1, has a range [least, most] and slopes du/dθ in a range. Both hold only where a quotient,
//! a logarithm and so on are defined on the whole way, which is a condition that the formulas carry along.

use crate::derive::draft::Draft;
use crate::derive::formula::Formulas;
use crate::derive::number::Stop;
use crate::ir::{BinaryOp, Domain, ExprId, ExprKind, MathFn, UnaryOp};

/// The ends of a range.
pub(super) type Range = [ExprId; 2];

/// A number along the way.
#[derive(Clone, Debug)]
pub(super) struct Enclosure {
    /// The number as a formula of the state, in `Enclosures::numbers`: equal formulas are equal numbers.
    number: ExprId,
    /// Bounds on the number.
    pub(super) range: Range,
    /// Bounds on its slope; `None` where it is the same at all states.
    pub(super) slope: Option<Range>,
    /// The condition under which `range` holds, unless it always does.
    pub(super) defined: Condition,
    /// The condition under which `slope` holds, where the range does.
    pub(super) smooth: Condition,
}

/// A condition, unless it always holds.
type Condition = Option<ExprId>;

/// A truth value along the way.
#[derive(Clone, Debug)]
pub(super) struct Truth {
    number: ExprId,
    /// Whether it is true all the way.
    yes: ExprId,
    /// Whether it is false all the way.
    no: ExprId,
    defined: Condition,
    /// Whether it is the same at all states, so that either `yes` or `no` holds.
    constant: bool,
}

/// The domain of enclosures.
pub(super) struct Enclosures<'a> {
    /// Formulas of the two ends of the way.
    pub(super) formulas: &'a mut Formulas,
    /// Formulas of the numbers themselves.
    numbers: Formulas,
}

/// What is known of the sign of a formula whatever its variables.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Unknown,
    Negative,
    NotNegative,
    Positive,
}

impl<'a> Enclosures<'a> {
    /// Enclosures by formulas; `numbers` is a function of a state where that is one of two.
    pub(super) fn new(formulas: &'a mut Formulas, numbers: Draft) -> Self {
        Self { formulas, numbers: Formulas::new(numbers) }
    }

    /// A number that is the same at all states: a component of an argument.
    pub(super) fn constant(&mut self, argument: usize, i: usize) -> Enclosure {
        let (number, value) = (self.numbers.component(argument, i), self.formulas.component(argument, i));
        self.point(number, value)
    }

    /// A component of the state, between its values in two arguments.
    pub(super) fn component(&mut self, i: usize, [from, to]: [usize; 2]) -> Result<Enclosure, Stop> {
        let number = self.numbers.component(from, i);
        let [from, to] = [from, to].map(|argument| self.formulas.component(argument, i));
        let slope = self.sub(to, from)?;
        let range = [self.least(from, to)?, self.most(from, to)?];
        Ok(Enclosure { range, slope: Some([slope, slope]), ..self.point(number, from) })
    }

    fn point(&self, number: ExprId, value: ExprId) -> Enclosure {
        Enclosure { number, range: [value, value], slope: None, defined: None, smooth: None }
    }

    /// What is known of a formula's sign.
    fn sign(&self, id: ExprId) -> Sign {
        use Sign::{Negative, NotNegative, Positive, Unknown};
        match self.formulas.expr(id) {
            ExprKind::Literal(text) if text.parse::<f64>().is_ok_and(|value| value > 0.0) => Positive,
            ExprKind::Literal(_) => NotNegative,
            ExprKind::Math(MathFn::Exp, _) => Positive,
            ExprKind::Math(MathFn::Sqrt, _) => NotNegative,
            ExprKind::Math(MathFn::Powi(n), _) if n % 2 == 0 => NotNegative,
            ExprKind::Math(MathFn::Max, args) => match [args[0], args[1]].map(|arg| self.sign(arg)) {
                [Positive, _] | [_, Positive] => Positive,
                [NotNegative, _] | [_, NotNegative] => NotNegative,
                _ => Unknown,
            },
            ExprKind::Unary(UnaryOp::Neg, a) if self.sign(*a) == Positive => Negative,
            ExprKind::Binary(op, a, b) if *op != BinaryOp::Sub => match (op, self.sign(*a), self.sign(*b)) {
                (BinaryOp::Mul, ..) if a == b => NotNegative,
                (_, Positive, Positive) => Positive,
                (BinaryOp::Add, Positive, NotNegative) | (BinaryOp::Add, NotNegative, Positive) => Positive,
                (_, NotNegative | Positive, NotNegative | Positive) => NotNegative,
                _ => Unknown,
            },
            _ => Unknown,
        }
    }

    fn is_not_negative(&self, id: ExprId) -> bool {
        matches!(self.sign(id), Sign::NotNegative | Sign::Positive)
    }

    fn literal_of(&mut self, text: &str) -> Result<ExprId, Stop> {
        self.formulas.literal(text)
    }

    fn add(&mut self, a: ExprId, b: ExprId) -> Result<ExprId, Stop> {
        self.formulas.arithmetic(BinaryOp::Add, &a, &b)
    }

    fn sub(&mut self, a: ExprId, b: ExprId) -> Result<ExprId, Stop> {
        self.formulas.arithmetic(BinaryOp::Sub, &a, &b)
    }

    fn times(&mut self, a: ExprId, b: ExprId) -> Result<ExprId, Stop> {
        self.formulas.arithmetic(BinaryOp::Mul, &a, &b)
    }

    fn over(&mut self, a: ExprId, b: ExprId) -> Result<ExprId, Stop> {
        self.formulas.arithmetic(BinaryOp::Div, &a, &b)
    }

    fn negative(&mut self, a: ExprId) -> Result<ExprId, Stop> {
        self.formulas.neg(&a)
    }

    /// `min(a, b)`.
    pub(super) fn least(&mut self, a: ExprId, b: ExprId) -> Result<ExprId, Stop> {
        if a == b { Ok(a) } else { self.formulas.math(MathFn::Min, &[a, b]) }
    }

    /// `max(a, b)`.
    pub(super) fn most(&mut self, a: ExprId, b: ExprId) -> Result<ExprId, Stop> {
        if a == b { Ok(a) } else { self.formulas.math(MathFn::Max, &[a, b]) }
    }

    fn hull(&mut self, [a, b]: Range, [c, d]: Range) -> Result<Range, Stop> {
        Ok([self.least(a, c)?, self.most(b, d)?])
    }

    fn apply(&mut self, f: MathFn, a: ExprId) -> Result<ExprId, Stop> {
        self.formulas.math(f, &[a])
    }

    fn is_less(&mut self, a: ExprId, b: ExprId) -> Result<ExprId, Stop> {
        self.formulas.compare(BinaryOp::Lt, &a, &b)
    }

    fn is_positive(&mut self, a: ExprId) -> Result<ExprId, Stop> {
        let zero = self.literal_of("0.0")?;
        self.is_less(zero, a)
    }

    fn both(&mut self, a: Condition, b: Condition) -> Result<Condition, Stop> {
        Ok(match (a, b) {
            (Some(a), Some(b)) if a != b => Some(self.formulas.logic(BinaryOp::And, &a, &b)?),
            (a, b) => a.or(b),
        })
    }

    fn either(&mut self, a: ExprId, b: ExprId) -> Result<ExprId, Stop> {
        self.formulas.logic(BinaryOp::Or, &a, &b)
    }

    /// `if condition { a } else { b }`.
    pub(super) fn choose(&mut self, condition: Condition, a: ExprId, b: ExprId) -> Result<ExprId, Stop> {
        condition.map_or(Ok(a), |condition| self.formulas.select(&condition, &a, &b))
    }

    fn scaled(&mut self, factor: ExprId, [a, b]: Range) -> Result<Range, Stop> {
        let [a, b] = [self.times(factor, a)?, self.times(factor, b)?];
        Ok(match self.sign(factor) {
            Sign::NotNegative | Sign::Positive => [a, b],
            Sign::Negative => [b, a],
            Sign::Unknown => [self.least(a, b)?, self.most(a, b)?],
        })
    }

    fn product(&mut self, a: Range, b: Range) -> Result<Range, Stop> {
        if a[0] == a[1] {
            return self.scaled(a[0], b);
        }
        if b[0] == b[1] {
            return self.scaled(b[0], a);
        }
        match (self.is_not_negative(a[0]), self.is_not_negative(b[0])) {
            (true, true) => Ok([self.times(a[0], b[0])?, self.times(a[1], b[1])?]),
            (false, true) => self.product(b, a),
            (a_is, _) => {
                let mut lower = [self.times(a[0], b[0])?, self.times(a[1], b[0])?];
                let mut upper = [self.times(a[0], b[1])?, self.times(a[1], b[1])?];
                if !a_is {
                    let [p, q] = [lower, upper];
                    lower = [self.least(p[0], p[1])?, self.least(q[0], q[1])?];
                    upper = [self.most(p[0], p[1])?, self.most(q[0], q[1])?];
                }
                Ok([self.least(lower[0], lower[1])?, self.most(upper[0], upper[1])?])
            }
        }
    }

    /// The slope of something whose derivative by a number of this slope lies in `derivative`.
    fn chained(&mut self, derivative: Range, slope: Option<Range>) -> Result<Option<Range>, Stop> {
        slope.map(|slope| self.product(derivative, slope)).transpose()
    }

    fn sum_of_slopes(&mut self, a: Option<Range>, b: Option<Range>) -> Result<Option<Range>, Stop> {
        Ok(match (a, b) {
            (Some(a), Some(b)) => Some([self.add(a[0], b[0])?, self.add(a[1], b[1])?]),
            (a, b) => a.or(b),
        })
    }

    fn negative_range(&mut self, [a, b]: Range) -> Result<Range, Stop> {
        Ok([self.negative(b)?, self.negative(a)?])
    }

    /// The ends of a range where it is positive, and numbers at which everything is defined elsewhere.
    fn guarded(&mut self, positive: Condition, [a, b]: Range) -> Result<Range, Stop> {
        let one = self.literal_of("1.0")?;
        Ok([self.choose(positive, a, one)?, self.choose(positive, b, one)?])
    }

    /// `1 / a` with the condition that `a` does not vanish.
    fn reciprocal(&mut self, a: Range) -> Result<(Range, Condition), Stop> {
        let one = self.literal_of("1.0")?;
        if a[0] == a[1] {
            let quotient = self.over(one, a[0])?;
            return Ok(([quotient, quotient], None));
        }
        let mut condition = None;
        if self.sign(a[0]) != Sign::Positive {
            let zero = self.literal_of("0.0")?;
            let (above, below) = (self.is_less(zero, a[0])?, self.is_less(a[1], zero)?);
            condition = Some(self.either(above, below)?);
        }
        let [low, high] = self.guarded(condition, a)?;
        Ok(([self.over(one, high)?, self.over(one, low)?], condition))
    }

    /// `a^n` for n > 0, of a range.
    fn power(&mut self, a: Range, n: i32) -> Result<Range, Stop> {
        if n == 1 {
            return Ok(a);
        }
        let f = MathFn::Powi(n);
        if n % 2 != 0 || self.is_not_negative(a[0]) {
            return Ok([self.apply(f, a[0])?, self.apply(f, a[1])?]);
        }
        let least = self.distance_from_zero(a)?;
        let [p, q] = [self.apply(f, a[0])?, self.apply(f, a[1])?];
        Ok([self.apply(f, least)?, self.most(p, q)?])
    }

    /// The least |a|.
    fn distance_from_zero(&mut self, [a, b]: Range) -> Result<ExprId, Stop> {
        let zero = self.literal_of("0.0")?;
        let below = self.negative(b)?;
        let apart = self.most(a, below)?;
        self.most(zero, apart)
    }

    /// `if first { a } else if second { b } else { hull }`, for conditions that exclude each other.
    fn decided(&mut self, first: ExprId, second: ExprId, [a, b]: [Option<Range>; 2]) -> Result<Option<Range>, Stop> {
        let zero = self.literal_of("0.0")?;
        if a.is_none() && b.is_none() {
            return Ok(None);
        }
        let [a, b] = [a, b].map(|slope| slope.unwrap_or([zero, zero]));
        let hull = self.hull(a, b)?;
        let mut ends = hull;
        for (i, end) in ends.iter_mut().enumerate() {
            let other = self.choose(Some(second), b[i], hull[i])?;
            *end = self.choose(Some(first), a[i], other)?;
        }
        Ok(Some(ends))
    }

    /// The larger of two numbers.
    fn larger(&mut self, number: ExprId, a: &Enclosure, b: &Enclosure) -> Result<Enclosure, Stop> {
        let range = [self.most(a.range[0], b.range[0])?, self.most(a.range[1], b.range[1])?];
        let (first, second) = (self.is_less(b.range[1], a.range[0])?, self.is_less(a.range[1], b.range[0])?);
        let slope = self.decided(first, second, [a.slope, b.slope])?;
        let defined = self.both(a.defined, b.defined)?;
        Ok(Enclosure { number, range, slope, defined, smooth: self.both(a.smooth, b.smooth)? })
    }

    /// A function of one number that grows with it.
    fn growing(&mut self, f: MathFn, [a, b]: Range) -> Result<Range, Stop> {
        Ok([self.apply(f, a)?, self.apply(f, b)?])
    }

    /// Sine or cosine, which change at most as fast as their argument: by the value in the middle.
    fn wave(&mut self, f: MathFn, [a, b]: Range) -> Result<Range, Stop> {
        let half = self.literal_of("0.5")?;
        let one = self.literal_of("1.0")?;
        let minus_one = self.negative(one)?;
        let (sum, difference) = (self.add(a, b)?, self.sub(b, a)?);
        let (middle, radius) = (self.times(half, sum)?, self.times(half, difference)?);
        let value = self.apply(f, middle)?;
        let (low, high) = (self.sub(value, radius)?, self.add(value, radius)?);
        Ok([self.most(minus_one, low)?, self.least(one, high)?])
    }

    fn raised(&mut self, number: ExprId, a: &Enclosure, n: i32) -> Result<Enclosure, Stop> {
        let (range, defined) = if n > 0 {
            (self.power(a.range, n)?, None)
        } else {
            let power = self.power(a.range, -n)?;
            self.reciprocal(power)?
        };
        // d(a^n) = n a^(n-1) da
        let (power, also) = match n - 1 {
            0 => {
                let one = self.literal_of("1.0")?;
                ([one, one], None)
            }
            less if less > 0 => (self.power(a.range, less)?, None),
            less => {
                let power = self.power(a.range, -less)?;
                self.reciprocal(power)?
            }
        };
        let factor = self.literal_of(&format!("{}.0", n.unsigned_abs()))?;
        let factor = if n < 0 { self.negative(factor)? } else { factor };
        let derivative = self.scaled(factor, power)?;
        let slope = self.chained(derivative, a.slope)?;
        let defined = self.both(a.defined, defined)?;
        Ok(Enclosure { number, range, slope, defined, smooth: self.both(a.smooth, also)? })
    }

    /// `a^e` with an exponent that is the same at all states.
    fn raised_to(&mut self, number: ExprId, a: &Enclosure, e: ExprId) -> Result<Enclosure, Stop> {
        let zero = self.literal_of("0.0")?;
        let one = self.literal_of("1.0")?;
        let grows = self.is_not_negative(e);
        let positive = match self.sign(a.range[0]) {
            Sign::Positive => None,
            _ => Some(self.is_positive(a.range[0])?),
        };
        let powers = |own: &mut Self, [a, b]: Range, e: ExprId| {
            let p = own.formulas.math(MathFn::Powf, &[a, e])?;
            let q = own.formulas.math(MathFn::Powf, &[b, e])?;
            Ok::<_, Stop>(if own.is_not_negative(e) { [p, q] } else { [own.least(p, q)?, own.most(p, q)?] })
        };
        let guarded = self.guarded(positive, a.range)?;
        let base = if grows { [self.most(zero, a.range[0])?, self.most(zero, a.range[1])?] } else { guarded };
        let range = powers(self, base, e)?;
        let less = self.sub(e, one)?;
        let derivative = powers(self, guarded, less)?;
        let derivative = self.scaled(e, derivative)?;
        let slope = self.chained(derivative, a.slope)?;
        let defined = self.both(a.defined, if grows { None } else { positive })?;
        Ok(Enclosure { number, range, slope, defined, smooth: self.both(a.smooth, positive)? })
    }

    /// `atan2(y, x)`, whose derivatives are at most 1 / √(x² + y²), away from the negative x-axis.
    fn angle(&mut self, number: ExprId, y: &Enclosure, x: &Enclosure) -> Result<Enclosure, Stop> {
        let positive = self.is_positive(x.range[0])?;
        let [x0, x1] = self.guarded(Some(positive), x.range)?;
        let mut corners = Vec::new();
        for y in y.range {
            for x in [x0, x1] {
                corners.push(self.formulas.math(MathFn::Atan2, &[y, x])?);
            }
        }
        let mut range = [corners[0]; 2];
        for &corner in &corners[1..] {
            range = self.hull(range, [corner, corner])?;
        }
        let (xx, yy) = (self.power([x0, x1], 2)?, self.power(y.range, 2)?);
        let square = [self.add(xx[0], yy[0])?, self.add(xx[1], yy[1])?];
        let (inverse, _) = self.reciprocal(square)?;
        let by_y = self.product(x.range, inverse)?;
        let by_x = self.product(y.range, inverse)?;
        let by_x = self.negative_range(by_x)?;
        let (by_y, by_x) = (self.chained(by_y, y.slope)?, self.chained(by_x, x.slope)?);
        let slope = self.sum_of_slopes(by_y, by_x)?;
        let defined = self.both(y.defined, x.defined)?;
        let defined = self.both(defined, Some(positive))?;
        Ok(Enclosure { number, range, slope, defined, smooth: self.both(y.smooth, x.smooth)? })
    }

    fn is_constant(a: &Enclosure) -> bool {
        a.slope.is_none() && a.range[0] == a.range[1]
    }
}

impl Domain for Enclosures<'_> {
    type Real = Enclosure;
    type Bool = Truth;
    type Error = Stop;

    fn name(&mut self, name: &str, a: &Enclosure) {
        if !Self::is_constant(a) {
            for (end, side) in a.range.iter().zip(["least", "most"]) {
                self.formulas.name(&format!("{name}_{side}"), end);
            }
        }
    }

    fn is_zero(&self, a: &Enclosure) -> bool {
        Self::is_constant(a) && self.formulas.is_zero(&a.range[0])
    }

    fn literal(&mut self, text: &str) -> Result<Enclosure, Stop> {
        let (number, value) = (self.numbers.literal(text)?, self.formulas.literal(text)?);
        Ok(self.point(number, value))
    }

    fn bool(&mut self, value: bool) -> Truth {
        let (yes, no) = (self.formulas.bool(value), self.formulas.bool(!value));
        Truth { number: self.numbers.bool(value), yes, no, defined: None, constant: true }
    }

    fn neg(&mut self, a: &Enclosure) -> Result<Enclosure, Stop> {
        let number = self.numbers.neg(&a.number)?;
        let range = self.negative_range(a.range)?;
        let slope = a.slope.map(|slope| self.negative_range(slope)).transpose()?;
        Ok(Enclosure { number, range, slope, ..a.clone() })
    }

    fn arithmetic(&mut self, op: BinaryOp, a: &Enclosure, b: &Enclosure) -> Result<Enclosure, Stop> {
        let number = self.numbers.arithmetic(op, &a.number, &b.number)?;
        if Self::is_constant(a) && Self::is_constant(b) {
            let value = self.formulas.arithmetic(op, &a.range[0], &b.range[0])?;
            return Ok(self.point(number, value));
        }
        if a.number == b.number {
            match op {
                BinaryOp::Sub => return self.literal("0.0"),
                BinaryOp::Mul => return self.raised(number, a, 2),
                BinaryOp::Div => return self.literal("1.0"),
                _ => {}
            }
        }
        let defined = self.both(a.defined, b.defined)?;
        let smooth = self.both(a.smooth, b.smooth)?;
        Ok(match op {
            BinaryOp::Add => {
                let range = [self.add(a.range[0], b.range[0])?, self.add(a.range[1], b.range[1])?];
                Enclosure { number, range, slope: self.sum_of_slopes(a.slope, b.slope)?, defined, smooth }
            }
            BinaryOp::Sub => {
                let b = self.neg(b)?;
                Enclosure { number, ..self.arithmetic(BinaryOp::Add, a, &b)? }
            }
            BinaryOp::Mul => {
                let range = self.product(a.range, b.range)?;
                let (left, right) = (self.chained(b.range, a.slope)?, self.chained(a.range, b.slope)?);
                Enclosure { number, range, slope: self.sum_of_slopes(left, right)?, defined, smooth }
            }
            _ => {
                let (inverse, nonzero) = self.reciprocal(b.range)?;
                let range = self.product(a.range, inverse)?;
                // (a / b)' = (a' - (a / b) b') / b
                let other = self.chained(range, b.slope)?;
                let other = other.map(|other| self.negative_range(other)).transpose()?;
                let numerator = self.sum_of_slopes(a.slope, other)?;
                let slope = self.chained(inverse, numerator)?;
                Enclosure { number, range, slope, defined: self.both(defined, nonzero)?, smooth }
            }
        })
    }

    fn compare(&mut self, op: BinaryOp, a: &Enclosure, b: &Enclosure) -> Result<Truth, Stop> {
        let number = self.numbers.compare(op, &a.number, &b.number)?;
        let (less, opposite) = match op {
            BinaryOp::Lt => (a, BinaryOp::Ge),
            BinaryOp::Le => (a, BinaryOp::Gt),
            BinaryOp::Gt => (b, BinaryOp::Le),
            _ => (b, BinaryOp::Lt),
        };
        // a < b is true all the way if the most of a is less than the least of b.
        let [mut x, mut y] = [[a.range[1], a.range[0]], [b.range[0], b.range[1]]];
        if std::ptr::eq(less, b) {
            (x, y) = ([a.range[0], a.range[1]], [b.range[1], b.range[0]]);
        }
        let yes = self.formulas.compare(op, &x[0], &y[0])?;
        let no = self.formulas.compare(opposite, &x[1], &y[1])?;
        let constant = Self::is_constant(a) && Self::is_constant(b);
        Ok(Truth { number, yes, no, defined: self.both(a.defined, b.defined)?, constant })
    }

    fn logic(&mut self, op: BinaryOp, a: &Truth, b: &Truth) -> Result<Truth, Stop> {
        let other = if op == BinaryOp::And { BinaryOp::Or } else { BinaryOp::And };
        Ok(Truth {
            number: self.numbers.logic(op, &a.number, &b.number)?,
            yes: self.formulas.logic(op, &a.yes, &b.yes)?,
            no: self.formulas.logic(other, &a.no, &b.no)?,
            defined: self.both(a.defined, b.defined)?,
            constant: a.constant && b.constant,
        })
    }

    fn not(&mut self, a: &Truth) -> Result<Truth, Stop> {
        Ok(Truth { number: self.numbers.not(&a.number)?, yes: a.no, no: a.yes, ..a.clone() })
    }

    fn math(&mut self, f: MathFn, args: &[Enclosure]) -> Result<Enclosure, Stop> {
        let numbers: Vec<_> = args.iter().map(|arg| arg.number).collect();
        let number = self.numbers.math(f, &numbers)?;
        let a = &args[0];
        if args.iter().all(Self::is_constant) {
            let values: Vec<_> = args.iter().map(|arg| arg.range[0]).collect();
            let value = self.formulas.math(f, &values)?;
            return Ok(self.point(number, value));
        }
        let one = self.literal_of("1.0")?;
        let (range, derivative, defined, smooth) = match f {
            MathFn::Powi(0) => return self.literal("1.0"),
            MathFn::Powi(n) => return self.raised(number, a, n),
            MathFn::Max => return self.larger(number, a, &args[1]),
            MathFn::Min => {
                let (a, b) = (self.neg(a)?, self.neg(&args[1])?);
                let larger = self.larger(number, &a, &b)?;
                return Ok(Enclosure { number, ..self.neg(&larger)? });
            }
            MathFn::Abs => {
                let negative = self.neg(a)?;
                let larger = self.larger(number, a, &negative)?;
                let least = self.distance_from_zero(a.range)?;
                return Ok(Enclosure { range: [least, larger.range[1]], ..larger });
            }
            MathFn::Powf if Self::is_constant(&args[1]) => return self.raised_to(number, a, args[1].range[0]),
            MathFn::Powf => {
                let ln = self.math(MathFn::Ln, &args[..1])?;
                let exponent = self.arithmetic(BinaryOp::Mul, &args[1], &ln)?;
                return Ok(Enclosure { number, ..self.math(MathFn::Exp, &[exponent])? });
            }
            MathFn::Atan2 => return self.angle(number, a, &args[1]),
            MathFn::Sqrt => {
                let zero = self.literal_of("0.0")?;
                let clamped = if self.is_not_negative(a.range[0]) {
                    a.range
                } else {
                    [self.most(zero, a.range[0])?, self.most(zero, a.range[1])?]
                };
                let range = self.growing(f, clamped)?;
                let positive = match self.sign(a.range[0]) {
                    Sign::Positive => None,
                    _ => Some(self.is_positive(a.range[0])?),
                };
                let half = self.literal_of("0.5")?;
                let [low, high] = self.guarded(positive, range)?;
                ([range[0], range[1]], [self.over(half, high)?, self.over(half, low)?], None, positive)
            }
            MathFn::Cbrt => {
                let range = self.growing(f, a.range)?;
                // d∛a = da / (3 ∛a²), which is infinite at 0.
                let square = self.power(range, 2)?;
                let three = self.literal_of("3.0")?;
                let divisor = self.scaled(three, square)?;
                let (derivative, nonzero) = self.reciprocal(divisor)?;
                (range, derivative, None, nonzero)
            }
            MathFn::Exp => {
                let range = self.growing(f, a.range)?;
                (range, range, None, None)
            }
            MathFn::Ln => {
                let positive = match self.sign(a.range[0]) {
                    Sign::Positive => None,
                    _ => Some(self.is_positive(a.range[0])?),
                };
                let [low, high] = self.guarded(positive, a.range)?;
                let derivative = [self.over(one, high)?, self.over(one, low)?];
                (self.growing(f, [low, high])?, derivative, positive, None)
            }
            MathFn::Sin => (self.wave(f, a.range)?, self.wave(MathFn::Cos, a.range)?, None, None),
            MathFn::Cos => {
                let sine = self.wave(MathFn::Sin, a.range)?;
                (self.wave(f, a.range)?, self.negative_range(sine)?, None, None)
            }
            MathFn::Tan => {
                let (sine, cosine) = (self.wave(MathFn::Sin, a.range)?, self.wave(MathFn::Cos, a.range)?);
                let (inverse, defined) = self.reciprocal(cosine)?;
                let range = self.product(sine, inverse)?;
                let square = self.power(range, 2)?;
                (range, [self.add(one, square[0])?, self.add(one, square[1])?], defined, None)
            }
            MathFn::Tanh => {
                let range = self.growing(f, a.range)?;
                let square = self.power(range, 2)?;
                (range, [self.sub(one, square[1])?, self.sub(one, square[0])?], None, None)
            }
        };
        let slope = self.chained(derivative, a.slope)?;
        let (defined, smooth) = (self.both(a.defined, defined)?, self.both(a.smooth, smooth)?);
        Ok(Enclosure { number, range, slope, defined, smooth })
    }

    fn decide(&mut self, condition: &Truth) -> Option<bool> {
        match *self.formulas.expr(condition.yes) {
            ExprKind::Bool(value) => Some(value),
            _ => None,
        }
    }

    fn select(&mut self, condition: &Truth, a: &Enclosure, b: &Enclosure) -> Result<Enclosure, Stop> {
        if a.number == b.number {
            return Ok(a.clone());
        }
        let number = self.numbers.select(&condition.number, &a.number, &b.number)?;
        let Truth { yes, no, constant, .. } = *condition;
        let range = self.decided(yes, no, [Some(a.range), Some(b.range)])?.unwrap_or(a.range);
        let slope = self.decided(yes, no, [a.slope, b.slope])?;
        // What is known of a side holds where the side is taken.
        let mut of_sides = |sides: [Condition; 2], undecided: bool| {
            let [here, there] = sides;
            if here.is_none() && there.is_none() && undecided {
                return Ok(None);
            }
            let here = self.both(Some(yes), here)?.unwrap_or(yes);
            let there = self.both(Some(no), there)?.unwrap_or(no);
            let mut known = self.either(here, there)?;
            if undecided && let Some(both) = self.both(sides[0], sides[1])? {
                known = self.either(known, both)?;
            }
            Ok::<_, Stop>(Some(known))
        };
        let defined = of_sides([a.defined, b.defined], true)?;
        // A number may jump from one side to the other.
        let smooth =
            if constant { of_sides([a.smooth, b.smooth], true)? } else { of_sides([a.smooth, b.smooth], false)? };
        Ok(Enclosure { number, range, slope, defined: self.both(defined, condition.defined)?, smooth })
    }
}
