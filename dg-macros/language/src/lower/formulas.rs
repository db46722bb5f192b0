//! Methods of `f64` that are formulas of others, so that everything that is known of those holds for them.

use quote::ToTokens;
use templates::ir::{BinaryOp, Block, ExprId, ExprKind, Let, LocalId, MathFn, Pattern, Type, UnaryOp};

use super::body::Body;

/// A method of `f64` that is a formula of others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Formula {
    /// `√(a² + b²)`. The squares can overflow, beyond 1e154 in double and 1e19 in single precision, where Rust's do not.
    Hypot,
    /// `a b + c`; compilers fuse it where that pays.
    MulAdd,
    /// `min(max(a, low), high)`.
    Clamp,
    /// -1 below 0, otherwise 1.
    Signum,
    /// `|a|` with the sign of b, that of 0 being positive.
    Copysign,
    /// `tanh(a) cosh(a)`, to rounding also near 0, where the difference of two exponentials is not.
    Sinh,
    /// `(exp(a) + exp(-a)) / 2`.
    Cosh,
    /// `atan2(a, √((1 - a) (1 + a)))`.
    Asin,
    /// `atan2(√((1 - a) (1 + a)), a)`.
    Acos,
    /// `atan2(a, 1)`.
    Atan,
    /// `(sin(a), cos(a))`.
    SinCos,
}

impl Formula {
    /// Number of operands, the receiver included.
    pub fn arity(self) -> usize {
        match self {
            Self::MulAdd | Self::Clamp => 3,
            Self::Hypot | Self::Copysign => 2,
            _ => 1,
        }
    }
}

/// Writes a formula at a place.
struct Writer<'b, 'a, N> {
    body: &'b mut Body<'a>,
    node: &'b N,
}

impl<N: ToTokens> Writer<'_, '_, N> {
    fn real(&mut self, kind: ExprKind) -> ExprId {
        self.body.push(kind, Type::Real, self.node)
    }

    fn number(&mut self, digits: &str) -> ExprId {
        self.real(ExprKind::Literal(digits.to_string()))
    }

    fn read(&mut self, local: LocalId) -> ExprId {
        self.body.read(local, self.node)
    }

    fn math(&mut self, f: MathFn, args: &[ExprId]) -> ExprId {
        self.real(ExprKind::Math(f, args.to_vec()))
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.real(ExprKind::Binary(op, a, b))
    }

    fn neg(&mut self, a: ExprId) -> ExprId {
        self.real(ExprKind::Unary(UnaryOp::Neg, a))
    }

    fn square(&mut self, a: LocalId) -> ExprId {
        let (a, b) = (self.read(a), self.read(a));
        self.binary(BinaryOp::Mul, a, b)
    }

    /// `√((1 - a) (1 + a))`
    fn other_leg(&mut self, a: LocalId) -> ExprId {
        let [minus, plus] = [BinaryOp::Sub, BinaryOp::Add].map(|op| {
            let (one, a) = (self.number("1.0"), self.read(a));
            self.binary(op, one, a)
        });
        let square = self.binary(BinaryOp::Mul, minus, plus);
        self.math(MathFn::Sqrt, &[square])
    }

    /// `if sign < 0 { -size } else { size }`
    fn with_sign_of(&mut self, sign: ExprId, size: impl Fn(&mut Self) -> ExprId) -> ExprId {
        let zero = self.number("0.0");
        let condition = self.body.push(ExprKind::Binary(BinaryOp::Lt, sign, zero), Type::Bool, self.node);
        let (a, b) = (size(self), size(self));
        let a = self.neg(a);
        let [a, b] = [a, b].map(|value| Box::new(Block { lets: Vec::new(), value }));
        self.real(ExprKind::If(condition, a, b))
    }

    /// `(exp(a) + exp(-a)) / 2`
    fn cosh(&mut self, a: LocalId) -> ExprId {
        let (positive, negative) = (self.read(a), self.read(a));
        let negative = self.neg(negative);
        let [grows, falls] = [positive, negative].map(|a| self.math(MathFn::Exp, &[a]));
        let (half, sum) = (self.number("0.5"), self.binary(BinaryOp::Add, grows, falls));
        self.binary(BinaryOp::Mul, half, sum)
    }
}

impl Body<'_> {
    /// The formula of a method of `f64`; operands that it uses twice are bound to variables.
    pub(super) fn formula(&mut self, formula: Formula, operands: &[ExprId], node: &impl ToTokens) -> ExprId {
        let mut lets = Vec::new();
        if let Formula::MulAdd | Formula::Clamp = formula {
            let mut writer = Writer { body: self, node };
            let [a, b, c] = [0, 1, 2].map(|i| operands[i]);
            return if formula == Formula::MulAdd {
                let product = writer.binary(BinaryOp::Mul, a, b);
                writer.binary(BinaryOp::Add, product, c)
            } else {
                let larger = writer.math(MathFn::Max, &[a, b]);
                writer.math(MathFn::Min, &[larger, c])
            };
        }
        let mut locals = Vec::new();
        for &value in operands {
            locals.push(match self.kind(value) {
                ExprKind::Local(local) => *local,
                _ => {
                    let local = self.local("operand".to_string(), node, Type::Real);
                    lets.push(Let { pattern: Pattern::Local(local), value });
                    local
                }
            });
        }
        let mut w = Writer { body: self, node };
        let a = locals[0];
        let value = match formula {
            Formula::MulAdd | Formula::Clamp => unreachable!("written above"),
            Formula::Hypot => {
                let (x, y) = (w.square(a), w.square(locals[1]));
                let sum = w.binary(BinaryOp::Add, x, y);
                w.math(MathFn::Sqrt, &[sum])
            }
            Formula::Signum => {
                let sign = w.read(a);
                w.with_sign_of(sign, |w| w.number("1.0"))
            }
            Formula::Copysign => {
                let sign = w.read(locals[1]);
                w.with_sign_of(sign, |w| {
                    let a = w.read(a);
                    w.math(MathFn::Abs, &[a])
                })
            }
            Formula::Sinh => {
                let read = w.read(a);
                let (tanh, cosh) = (w.math(MathFn::Tanh, &[read]), w.cosh(a));
                w.binary(BinaryOp::Mul, tanh, cosh)
            }
            Formula::Cosh => w.cosh(a),
            Formula::Asin => {
                let (y, x) = (w.read(a), w.other_leg(a));
                w.math(MathFn::Atan2, &[y, x])
            }
            Formula::Acos => {
                let (y, x) = (w.other_leg(a), w.read(a));
                w.math(MathFn::Atan2, &[y, x])
            }
            Formula::Atan => {
                let (y, x) = (w.read(a), w.number("1.0"));
                w.math(MathFn::Atan2, &[y, x])
            }
            Formula::SinCos => {
                let both = [MathFn::Sin, MathFn::Cos].map(|f| {
                    let a = w.read(a);
                    w.math(f, &[a])
                });
                w.body.push(ExprKind::Tuple(both.to_vec()), Type::Tuple(vec![Type::Real; 2]), node)
            }
        };
        self.within(lets, value, node)
    }
}
