//! Mutation testing of the compiler's checks: laws with a single wrong token, of which each should be refused.
//!
//! A change is *invalid* if it gives no law (rustc refuses it, too). A mutant is *right* if it is a right law as well: it has the values of
//! the original at all states that are tried, or another solution, or a minimum principle of the same quantity. Others are *killed* by
//! an error or *warned of* by a warning that the original has not, or they *survive*.

mod change;
mod right;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dg_language::ast;
use proc_macro2::extra::invalidate_current_thread_spans;
use quote::ToTokens as _;
use templates::algebra;
use templates::check::{Diagnostic, Severity, diagnose};
use templates::ir::{ExprKind, FunctionId, Law, Role, Type};

use right::Samples;

use crate::helpers;

/// How long mutants are checked in one turn of the algebra.
const TURN: Duration = Duration::from_secs(3);

/// What the functions that contain a change are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// The flux.
    Flux,
    /// Its eigenvalues, or a bound on them.
    Eigenvalues,
    /// A numerical flux.
    NumericalFlux,
    /// A minimum principle.
    MinimumPrinciple,
    /// A solution of the law.
    Exact,
    /// A boundary that promises to be impermeable.
    ImpermeableBoundary,
    /// Conditions of admissible states.
    Admissible,
    /// Another boundary: any ghost state may be meant.
    Boundary,
    /// A source, unless an exact solution depends on it.
    Source,
    /// What nothing is promised of: initial data, outputs, variables, manufactured solutions.
    Other,
}

impl Group {
    /// All groups.
    pub const ALL: [Self; 10] = [
        Self::Flux,
        Self::Eigenvalues,
        Self::NumericalFlux,
        Self::MinimumPrinciple,
        Self::Exact,
        Self::ImpermeableBoundary,
        Self::Admissible,
        Self::Boundary,
        Self::Source,
        Self::Other,
    ];

    /// Whether functions with other roles are compared to these, also those that do not call them.
    fn is_standard(self) -> bool {
        matches!(self, Self::Flux | Self::Eigenvalues | Self::Admissible | Self::Source)
    }

    fn of(role: &Role) -> Option<Self> {
        Some(match role {
            Role::Helper => return None,
            Role::Flux | Role::Nonconservative | Role::ViscousFlux => Self::Flux,
            Role::Eigenvalues | Role::WaveSpeed => Self::Eigenvalues,
            Role::NumericalFlux(_) | Role::Jump => Self::NumericalFlux,
            Role::MinimumPrinciple => Self::MinimumPrinciple,
            Role::Exact { manufactured: false } => Self::Exact,
            Role::Boundary { impermeable } if !impermeable.is_empty() => Self::ImpermeableBoundary,
            Role::Admissible => Self::Admissible,
            Role::Boundary { .. } | Role::BoundaryFlux { .. } => Self::Boundary,
            Role::Source => Self::Source,
            Role::Exact { manufactured: true }
            | Role::ManufacturedSource { .. }
            | Role::Initial
            | Role::Medium
            | Role::Variables
            | Role::Output => Self::Other,
        })
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Flux => "flux",
            Self::Eigenvalues => "eigenvalues",
            Self::NumericalFlux => "numerical flux",
            Self::MinimumPrinciple => "minimum principle",
            Self::Exact => "exact solution",
            Self::ImpermeableBoundary => "impermeable boundary",
            Self::Admissible => "admissible",
            Self::Boundary => "other boundary",
            Self::Source => "source",
            Self::Other => "initial, output, …",
        })
    }
}

/// A text with its place.
#[derive(Clone)]
struct File {
    path: PathBuf,
    text: String,
}

/// A law with its text.
pub struct Original {
    /// Its file, then those of its modules of helpers.
    files: Vec<File>,
    /// The number of the law among those of the text.
    index: usize,
    law: Law,
    samples: Samples,
    warnings: BTreeSet<String>,
}

/// A text with one changed token, which is a law.
pub struct Mutant {
    /// The function with the change.
    pub function: String,
    /// What it is for.
    pub group: Group,
    /// The file of the change.
    pub path: PathBuf,
    /// The line of the change.
    pub line: usize,
    /// The line as it was, and as it is.
    pub lines: [String; 2],
    /// Whether the function is in a module of helpers.
    shared: bool,
    law: Law,
}

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is as right as the original.
    Right,
    /// An error, with this message.
    Killed(String),
    /// A warning that the original has not.
    Warned(String),
    /// No message.
    Survived,
}

/// The mutants of a law, and how many changes of it are no law.
pub struct Mutants {
    /// Those that are laws.
    pub mutants: Vec<Mutant>,
    /// The number of others.
    pub invalid: usize,
}

/// A law of a file, with those of its helpers; where it is none, what the compiler says, which is empty for mistakes that only rustc reports.
fn read(files: &[File], index: usize) -> Result<Law, String> {
    let laws = dg_language::laws(&files[0].text).map_err(|error| error.to_string())?;
    let (options, module) = laws.get(index).ok_or("there are fewer laws")?;
    let shared = files[1..].iter().map(|file| helpers::module(&file.text)).collect::<Result<Vec<_>, _>>()?;
    let reading = dg_language::read_with(options.clone(), module, &shared);
    let law = reading.law.ok_or_else(|| reading.diagnostics.to_token_stream().to_string());
    invalidate_current_thread_spans();
    law
}

/// The mistakes and warnings of a law with the sources of its manufactured solutions.
fn check(mut law: Law) -> Vec<Diagnostic> {
    match templates::derive::sources(&law) {
        Ok(sources) => law.functions.extend(sources),
        Err((id, stop)) => {
            let (span, message) = (law.function(id).span, stop.to_string());
            return vec![Diagnostic { severity: Severity::Error, span, message, notes: Vec::new() }];
        }
    }
    diagnose(&law)
}

impl Original {
    /// The laws of a file.
    ///
    /// # Panics
    /// If it cannot be read, or one of its laws is wrong.
    pub fn all(path: &Path) -> Vec<Self> {
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let count = dg_language::laws(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())).len();
        (0..count).map(|index| Self::new(path, &text, index)).collect()
    }

    fn new(path: &Path, text: &str, index: usize) -> Self {
        let mut files = vec![File { path: path.to_owned(), text: text.to_owned() }];
        if let Some((options, _)) = dg_language::laws(text).unwrap_or_default().get(index) {
            let texts = helpers::files_of_law(options).into_iter();
            files.extend(texts.map(|(path, text)| File { path, text }));
        }
        let law = read(&files, index).unwrap_or_else(|said| panic!("{}: its law is wrong: {said}", path.display()));
        let diagnostics = algebra::session(&law.name, || check(law.clone())).unwrap_or_else(|error| panic!("{error}"));
        let wrong = diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
        assert!(wrong.is_none(), "{}: {wrong:?}", path.display());
        let warnings = diagnostics.into_iter().map(|diagnostic| diagnostic.message).collect();
        let samples = Samples::new(&law);
        Self { files, index, law, samples, warnings }
    }

    /// The name of the law.
    pub fn name(&self) -> &str {
        &self.law.name
    }

    /// The mutants of which the group, the function, and the line as it was and as it is are wanted, in the order of the text. Only their
    /// texts are read.
    pub fn mutants(&self, is_wanted: impl Fn(Group, &str, &[String; 2]) -> bool) -> Mutants {
        let mut found = Mutants { mutants: Vec::new(), invalid: 0 };
        for (function, file, places) in self.places() {
            let group = self.group(&function, file > 0);
            for place in places {
                let mut worth = place.most;
                for instead in &place.instead {
                    if worth == 0 {
                        break;
                    }
                    let (line, lines) = self.lines(file, &place.range, instead);
                    if !is_wanted(group, &function, &lines) {
                        continue;
                    }
                    match self.changed(file, &place.range, instead) {
                        Some(law) => {
                            let (function, path) = (function.clone(), self.files[file].path.clone());
                            let mutant = Mutant { function, group, path, line, lines, shared: file > 0, law };
                            found.mutants.push(mutant);
                            worth -= 1;
                        }
                        None => found.invalid += 1,
                    }
                }
            }
        }
        found
    }

    /// The places of each function that may change, with the number of its file.
    fn places(&self) -> Vec<(String, usize, Vec<change::Place>)> {
        let laws = dg_language::laws(&self.files[0].text).unwrap_or_default();
        let Some((options, module)) = laws.get(self.index) else { return Vec::new() };
        let helpers = helpers::of_law(options);
        let Some(block) = dg_language::read_with(options.clone(), module, &helpers).block else { return Vec::new() };
        let places = |ast::Function { item, home, .. }: &ast::Function<'_>| {
            let name = item.sig.ident.to_string();
            let file = match home {
                ast::Home::Law => 0,
                ast::Home::Helpers(i) => 1 + i,
            };
            let function = self.law.function(position(&self.law, &name, file > 0)?);
            Some((name, file, change::places(&self.law, function, item.block.to_token_stream())))
        };
        let places = block.functions.iter().filter_map(places).collect();
        invalidate_current_thread_spans();
        places
    }

    /// The law with another text in a range of a file, if it is one.
    fn changed(&self, file: usize, range: &Range<usize>, instead: &str) -> Option<Law> {
        let mut files = self.files.clone();
        files[file].text.replace_range(range.clone(), instead);
        read(&files, self.index).ok()
    }

    /// The number of the line with a range of a file, and the line as it is, and with another text there.
    fn lines(&self, file: usize, range: &Range<usize>, instead: &str) -> (usize, [String; 2]) {
        let text = &self.files[file].text;
        let (before, after) = (&text[..range.start], &text[range.end..]);
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let end = after.find('\n').map_or(text.len(), |at| range.end + at);
        let lines = [
            text[start..end].trim().to_owned(),
            format!("{}{instead}{}", &text[start..range.start], &text[range.end..end]).trim().to_owned(),
        ];
        (before.matches('\n').count() + 1, lines)
    }

    /// What a function is for: its own role, or the first of the groups that reach it.
    fn group(&self, name: &str, shared: bool) -> Group {
        let law = &self.law;
        let Some(id) = position(law, name, shared) else { return Group::Other };
        let own = Group::of(&law.function(id).role);
        let reaching = || {
            let with_role =
                law.functions.iter().enumerate().filter_map(|(i, f)| Some((FunctionId(i), Group::of(&f.role)?)));
            with_role.filter(|(from, _)| reaches(law, *from, id)).map(|(_, group)| group).min()
        };
        own.or_else(reaching).unwrap_or(Group::Other)
    }

    /// What becomes of mutants, in their order, with the time that each took.
    ///
    /// # Panics
    /// If the checks panic, which is a defect of theirs.
    pub fn fates<'m>(
        &self,
        mutants: impl IntoIterator<Item = &'m Mutant>,
        mut tell: impl FnMut(&Mutant, &Fate, Duration) + Send,
    ) {
        let mut mutants = mutants.into_iter().collect::<Vec<_>>().into_iter().peekable();
        while mutants.peek().is_some() {
            // Several in one turn of the algebra: others wait for turns, too.
            algebra::session(&format!("mutants of {}", self.name()), || {
                let turn = Instant::now();
                while turn.elapsed() < TURN
                    && let Some(mutant) = mutants.next()
                {
                    let since = Instant::now();
                    let fate = self.fate(mutant);
                    tell(mutant, &fate, since.elapsed());
                }
            })
            .unwrap_or_else(|error| panic!("{error}"));
        }
    }

    /// What becomes of a mutant, in a session of the algebra.
    fn fate(&self, mutant: &Mutant) -> Fate {
        if self.samples.are_right(&self.law, &mutant.law) {
            return Fate::Right;
        }
        // Most mistakes show among the functions of one group, and then the others need no check.
        let narrow = narrowed(mutant);
        let fate = self.judge(narrow.clone());
        let is_left_out = |id: &FunctionId| narrow.function(*id).role != mutant.law.function(*id).role;
        let mut left_out = (0..narrow.functions.len()).map(FunctionId).filter(is_left_out);
        // Exact solutions hold in the medium, and call none of its functions.
        let is_medium = mutant.law.with_role(|role| *role == Role::Medium).any(|id| calls(&narrow, id, mutant));
        let mut may_show_elsewhere =
            || left_out.any(|id| is_medium || mutant.group.is_standard() || calls(&narrow, id, mutant));
        if fate == Fate::Survived && may_show_elsewhere() { self.judge(mutant.law.clone()) } else { fate }
    }

    fn judge(&self, law: Law) -> Fate {
        let mut warned = None;
        for Diagnostic { severity, message, .. } in check(law) {
            if severity == Severity::Error {
                return Fate::Killed(message);
            }
            if !self.warnings.contains(&message) {
                warned.get_or_insert(message);
            }
        }
        warned.map_or(Fate::Survived, Fate::Warned)
    }
}

/// The law of a mutant without the roles that no rule needs for its change.
fn narrowed(mutant: &Mutant) -> Law {
    let Mutant { law, group, .. } = mutant;
    let mut narrow = law.clone();
    let Some(changed) = position(law, &mutant.function, mutant.shared) else { return narrow };
    let parameters = parameters(law);
    for id in (0..law.functions.len()).map(FunctionId) {
        let role = &law.function(id).role;
        let is_needed = match role {
            Role::Helper
            | Role::Flux
            | Role::Nonconservative
            | Role::ViscousFlux
            | Role::Eigenvalues
            | Role::WaveSpeed
            | Role::Admissible
            | Role::Source
            | Role::Initial => true,
            role => Group::of(role) == Some(*group) && reaches(law, id, changed),
        };
        if !is_needed {
            narrow.functions[id.0].role = Role::Helper;
            // Or the rules would miss a use of a parameter.
            if self::parameters(&narrow) != parameters {
                narrow.functions[id.0].role = role.clone();
            }
        }
    }
    narrow
}

/// The parameters that functions with a role use.
fn parameters(law: &Law) -> BTreeSet<usize> {
    let ids = || (0..law.functions.len()).map(FunctionId);
    let roles: Vec<_> = ids().filter(|id| law.function(*id).role != Role::Helper).collect();
    let used = ids().filter(|id| roles.iter().any(|role| reaches(law, *role, *id)));
    let of = |id: FunctionId| {
        let function = law.function(id);
        function.exprs.iter().filter_map(|expr| match expr.kind {
            ExprKind::Field(of, i) if function.expr(of).ty == Type::Parameters => Some(i),
            _ => None,
        })
    };
    used.flat_map(of).collect()
}

/// The function of a name, in the law's module or in one of helpers.
fn position(law: &Law, name: &str, shared: bool) -> Option<FunctionId> {
    law.functions.iter().position(|function| function.name == name && function.shared == shared).map(FunctionId)
}

/// Whether a function evaluates the one that a mutant changes.
fn calls(law: &Law, from: FunctionId, mutant: &Mutant) -> bool {
    position(law, &mutant.function, mutant.shared).is_some_and(|to| reaches(law, from, to))
}

fn reaches(law: &Law, from: FunctionId, to: FunctionId) -> bool {
    from == to
        || law.function(from).exprs.iter().any(|expr| match expr.kind {
            ExprKind::Call(callee, _) => reaches(law, callee, to),
            _ => false,
        })
}

/// Counts of one group.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    /// Refused by an error.
    pub killed: usize,
    /// Accepted with a new warning.
    pub warned: usize,
    /// Accepted without a word.
    pub survived: usize,
    /// As right as the original.
    pub right: usize,
}

/// The score of many mutants.
#[derive(Default)]
pub struct Score {
    groups: BTreeMap<Group, Count>,
    /// Changes that are no law.
    pub invalid: usize,
    /// The time of checks and their number.
    pub time: (Duration, u32),
}

impl Score {
    /// Adds a mutant.
    pub fn add(&mut self, group: Group, fate: &Fate, time: Duration) {
        let count = self.groups.entry(group).or_default();
        match fate {
            Fate::Right => count.right += 1,
            Fate::Killed(_) => count.killed += 1,
            Fate::Warned(_) => count.warned += 1,
            Fate::Survived => count.survived += 1,
        }
        if *fate != Fate::Right {
            self.time.0 += time;
            self.time.1 += 1;
        }
    }
}

impl fmt::Display for Score {
    /// A table, as in the documents.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| role | wrong | killed | warned of | survived | score | right |")?;
        writeln!(f, "|---|---|---|---|---|---|---|")?;
        for (group, Count { killed, warned, survived, right }) in &self.groups {
            let wrong = killed + warned + survived;
            let score = match wrong {
                0 => String::new(),
                _ => format!("{:.1} %", 100.0 * (killed + warned) as f64 / wrong as f64),
            };
            writeln!(f, "| {group} | {wrong} | {killed} | {warned} | {survived} | {score} | {right} |")?;
        }
        Ok(())
    }
}
