//! Formulas as statements of generated code: one constant for every operation, without nesting.
//!
//! Names of a formula become numbers, and numbers are written so that their bits survive: nothing in a case file
//! can become anything but arithmetic.

use std::fmt::Write as _;

use super::{Formulas, Node};

impl Formulas {
    /// Statements for the body of a function of `Point x` and `real t`, and the operands that then contain the values. The law's fields, if
    /// they may use these, are in an array `field`.
    pub(crate) fn code(&self) -> (String, Vec<String>) {
        let vocabulary = &*self.vocabulary;
        let axes = crate::law::AXES[..vocabulary.dim].iter().map(|axis| format!("x.{axis}"));
        let parameters = vocabulary.parameters().iter().map(|name| format!("splat(parameter_{name})"));
        let fields = (0..vocabulary.fields).map(|i| format!("field[{i}]"));
        let mut variables: Vec<_> = axes.chain(["t".to_owned()]).chain(parameters).chain(fields).collect();
        variables.resize(vocabulary.first_named() + vocabulary.named.len(), String::new());
        let mut writer = Writer { text: String::new(), variables, constants: 0 };
        for &i in &self.named {
            let operand = writer.operand(&vocabulary.named[i].root);
            writer.variables[vocabulary.first_named() + i] = operand;
        }
        let values = self.values.iter().map(|formula| writer.operand(&formula.root)).collect();
        (writer.text, values)
    }
}

impl Formulas {
    /// A function `void name(real value[], Sample sample, Point x, real t)` of the generated code, for formulas of the law's fields.
    pub(crate) fn quantities(&self, name: &str) -> String {
        let (statements, values) = self.code();
        let mut text = format!("DEVICE void {name}(real value[], Sample sample, Point x, real t)\n{{\n");
        text.push_str("    real field[FIELDS + OUTPUTS];\n    law_fields(field, sample.state);\n");
        let _ = writeln!(text, "    law_outputs(field + FIELDS, sample, x, t);\n{statements}");
        for (i, value) in values.iter().enumerate() {
            let _ = writeln!(text, "    value[{i}] = {value};");
        }
        text + "}\n"
    }
}

/// An operand as a mask in C.
pub(crate) fn mask(operand: &str) -> String {
    format!("mask_of({operand} != splat(R(0.0)))")
}

/// A number, with its exact bits.
fn number(number: f64) -> String {
    format!("splat(R({number:?}))")
}

struct Writer {
    text: String,
    /// The operand of each variable.
    variables: Vec<String>,
    constants: usize,
}

impl Writer {
    /// Adds the statements of a node and returns its operand.
    fn operand(&mut self, node: &Node) -> String {
        let value = match node {
            Node::Number(value) => return number(*value),
            Node::Variable(index) => return self.variables[*index].clone(),
            Node::Negative(operand) => format!("-{}", self.operand(operand)),
            Node::Power(base, exponent) => format!("real_powi({}, {exponent})", self.operand(base)),
            Node::Call(builtin, arguments) => {
                let arguments: Vec<_> = arguments.iter().map(|argument| self.operand(argument)).collect();
                format!("{}({})", builtin.code, arguments.join(", "))
            }
            Node::If(parts) => {
                let condition = self.condition(&parts[0]);
                format!("select({condition}, {}, {})", self.operand(&parts[1]), self.operand(&parts[2]))
            }
            Node::Binary(operator, _) if operator.compares => {
                format!("select({}, {}, {})", self.condition(node), number(1.0), number(0.0))
            }
            Node::Binary(operator, operands) => {
                let [a, b] = [&operands[0], &operands[1]].map(|operand| self.operand(operand));
                if operator.symbol == super::POWER.symbol {
                    format!("real_pow({a}, {b})")
                } else {
                    format!("{a} {} {b}", operator.symbol)
                }
            }
        };
        let name = format!("v{}", self.constants);
        self.constants += 1;
        let _ = writeln!(self.text, "    const real {name} = {value};");
        name
    }

    /// A mask where a node is not 0.
    fn condition(&mut self, node: &Node) -> String {
        match node {
            Node::Binary(operator, operands) if operator.compares => {
                let [a, b] = [&operands[0], &operands[1]].map(|operand| self.operand(operand));
                format!("mask_of({a} {} {b})", operator.symbol)
            }
            _ => mask(&self.operand(node)),
        }
    }
}
