//! A TOML document whose parts know their places, so that messages can point at mistakes.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::names::unknown;

/// A mistake in a case file or a setting, with its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Mistake {
    /// The case file.
    pub path: PathBuf,
    /// Whether it is in a setting, not in the file.
    pub in_setting: bool,
    /// The key with the tables around it: `mesh.cells`.
    pub key: Option<Box<str>>,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was found, and the remedy.
    pub message: String,
    /// The line, or the setting.
    pub text: Box<str>,
    /// Number of characters to underline.
    pub width: usize,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, in_setting, line, column, message, text, width, .. } = self;
        let label = if *in_setting { "--set".to_owned() } else { line.to_string() };
        let margin = " ".repeat(label.len());
        let (text, before, width) = excerpt(text, column - 1, *width);
        let indent = " ".repeat(before);
        if *in_setting {
            writeln!(f, "--set: {message}")?;
        } else {
            writeln!(f, "{}:{line}:{column}: {message}", path.display())?;
        }
        writeln!(f, "{margin} |")?;
        writeln!(f, "{label} | {text}")?;
        write!(f, "{margin} | {indent}{}", "^".repeat(width))
    }
}

/// A place in a case file, for mistakes found later.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place(Mistake);

impl Place {
    /// A mistake at this place.
    pub fn mistake(&self, message: impl Into<String>) -> Mistake {
        Mistake { message: shortened(message.into()), ..self.0.clone() }
    }

    /// Whether it is in a setting, not in the file.
    pub fn is_in_setting(&self) -> bool {
        self.0.in_setting
    }
}

/// The most characters of a message, which may quote the file.
const LONGEST: usize = 2000;

/// The message, shortened to a readable length.
fn shortened(message: String) -> String {
    match message.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message,
    }
}

/// The most characters shown of a line.
const WIDEST: usize = 160;

/// The excerpt of a line that a message shows, with `width` characters underlined after the first `before`: the part around them if
/// the line is long. Returned with both numbers relative to the excerpt.
fn excerpt(line: &str, before: usize, width: usize) -> (String, usize, usize) {
    let length = line.chars().count();
    if length <= WIDEST {
        return (line.to_owned(), before, width);
    }
    let start = before.saturating_sub(WIDEST / 4).min(length - WIDEST);
    let part: String = line.chars().skip(start).take(WIDEST).collect();
    let [head, tail] = [start > 0, start + WIDEST < length].map(|cut| if cut { "…" } else { "" });
    let within = before - start;
    (format!("{head}{part}{tail}"), within + head.chars().count(), width.min(WIDEST - within).max(1))
}

/// The origin of a document.
#[derive(Clone, Copy)]
pub(super) struct Origin<'d> {
    pub path: &'d Path,
    pub text: &'d Text,
}

impl<'d> Origin<'d> {
    /// A mistake at these bytes; of several lines only the first is shown.
    fn mistake(self, span: Range<usize>, key: Option<String>, message: impl Into<String>) -> Mistake {
        let whole = self.text.whole.as_str();
        let start = span.start.min(whole.len());
        let line_start = whole[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let text = whole[line_start..].lines().next().unwrap_or_default();
        let end = span.end.clamp(start, line_start + text.len().max(start - line_start));
        Mistake {
            path: self.path.to_owned(),
            in_setting: start > self.text.file,
            key: key.map(Into::into),
            line: whole[..line_start].matches('\n').count() + 1,
            column: whole[line_start..start].chars().count() + 1,
            message: shortened(message.into()),
            text: text.into(),
            width: whole[start..end].chars().count().max(1),
        }
    }

    /// The document's tables, with the settings in place of the file's values.
    pub fn parse(self) -> Result<Spanned<DeTable<'d>>, Mistake> {
        let parse = |text: &'d str, what: &str| {
            DeTable::parse(text).map_err(|error| {
                let message = format!("this is {what}: {}", error.message().replace('\n', "; "));
                self.mistake(error.span().unwrap_or_default(), None, message)
            })
        };
        let mut document = parse(&self.text.whole[..self.text.file], "not TOML")?;
        for setting in &self.text.settings {
            if !setting.contains('=') {
                let start = setting.len() - setting.trim_start().len();
                let message = "this sets nothing; write KEY=VALUE, as in time.final=2.0";
                return Err(self.mistake(start..setting.len(), None, message));
            }
            let setting = parse(setting, "no setting KEY=VALUE")?;
            replace(document.get_mut(), setting.into_inner(), &self.text.whole);
        }
        Ok(document)
    }
}

/// Replaces the value of a table by that of a setting. The tables that lead to its key keep their other keys; a setting with a table as its
/// value replaces the whole table.
fn replace<'d>(table: &mut DeTable<'d>, setting: DeTable<'d>, text: &str) {
    for (key, value) in setting {
        let leads_to_key = !text[value.span()].starts_with('{');
        match (table.get_mut(&key).map(Spanned::get_mut), value.get_ref()) {
            (Some(DeValue::Table(inner)), DeValue::Table(_)) if leads_to_key => {
                if let DeValue::Table(setting) = value.into_inner() {
                    replace(inner, setting, text);
                }
            }
            _ => {
                // The key is replaced too: its place is in the setting.
                table.remove(&key);
                table.insert(key, value);
            }
        }
    }
}

/// The text of a case file, and settings `key.path=value` that replace its values.
pub(super) struct Text {
    /// The file's text, followed by each setting on its own line.
    whole: String,
    /// Length of the file's text.
    file: usize,
    /// The settings, each padded with spaces up to its place in `whole`: so all offsets in the document count from the same beginning.
    settings: Vec<String>,
}

impl Text {
    pub fn new(file: &str, settings: &[String]) -> Self {
        let mut text = Self { whole: file.to_owned(), file: file.len(), settings: Vec::new() };
        for setting in settings {
            let setting = with_quotes(setting);
            text.whole.push('\n');
            text.settings.push(" ".repeat(text.whole.len()) + &setting);
            text.whole += &setting;
        }
        text
    }
}

/// A setting in TOML syntax: a shell removes quotes, so a bare word is a string.
fn with_quotes(setting: &str) -> Cow<'_, str> {
    match setting.split_once('=') {
        Some((key, value))
            if DeTable::parse(setting).is_err() && !value.trim_start().starts_with(['[', '{', '"', '\'']) =>
        {
            format!("{key}={}", serde_json::Value::from(value.trim())).into()
        }
        _ => setting.into(),
    }
}

/// A table of the document.
#[derive(Clone)]
pub(super) struct Section<'d> {
    origin: Origin<'d>,
    /// Its name in messages: "[mesh]", or "the case file" for the whole.
    name: String,
    /// Its path of keys: "mesh.curves", or nothing for the whole.
    key: String,
    span: Range<usize>,
    table: &'d DeTable<'d>,
}

impl<'d> Section<'d> {
    /// The whole document.
    pub fn root(origin: Origin<'d>, document: &'d Spanned<DeTable<'d>>) -> Self {
        Self { origin, name: "the case file".into(), key: String::new(), span: 0..0, table: document.get_ref() }
    }

    /// Refuses all keys but these.
    pub fn allow(&self, known: &[&str]) -> Result<(), Mistake> {
        match self.entries().find(|value| !known.contains(&value.key)) {
            None => Ok(()),
            Some(value) => Err(value.name_mistake(unknown(&format!("key in {}:", self.name), value.key, known))),
        }
    }

    /// All keys with their values, in the order of the file.
    pub fn entries(&self) -> impl Iterator<Item = Value<'d>> {
        let mut entries: Vec<_> = self.table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let (origin, parent) = (self.origin, self.key.clone());
        entries.into_iter().map(move |(key, value)| Value {
            origin,
            parent: parent.clone(),
            key: key.get_ref(),
            key_span: key.span(),
            span: value.span(),
            value: value.get_ref(),
        })
    }

    /// The value of a key, if present.
    pub fn get(&self, key: &str) -> Option<Value<'d>> {
        self.entries().find(|value| value.key == key)
    }

    /// The value of a required key; `meaning` explains it, with an example.
    pub fn require(&self, key: &str, meaning: &str) -> Result<Value<'d>, Mistake> {
        self.get(key).ok_or_else(|| {
            let message = format!("{} lacks `{key}`, {meaning}", self.name);
            self.origin.mistake(self.span.clone(), Some(join(&self.key, key)), message)
        })
    }

    /// The table of a key, if present.
    pub fn section(&self, key: &str) -> Result<Option<Section<'d>>, Mistake> {
        self.get(key).map(|value| value.section()).transpose()
    }

    /// The place of the table.
    pub fn place(&self) -> Place {
        Place(self.mistake(String::new()))
    }

    /// A mistake about the table as a whole.
    pub fn mistake(&self, message: impl Into<String>) -> Mistake {
        let key = (!self.key.is_empty()).then(|| self.key.clone());
        self.origin.mistake(self.span.clone(), key, message)
    }
}

/// A key, prefixed with the path of its table.
fn join(parent: &str, key: &str) -> String {
    if parent.is_empty() { key.to_owned() } else { format!("{parent}.{key}") }
}

/// A key and its value.
#[derive(Clone)]
pub(super) struct Value<'d> {
    origin: Origin<'d>,
    /// The path of its table.
    parent: String,
    pub key: &'d str,
    key_span: Range<usize>,
    span: Range<usize>,
    value: &'d DeValue<'d>,
}

impl<'d> Value<'d> {
    /// A mistake about the value.
    pub fn mistake(&self, message: impl Into<String>) -> Mistake {
        self.origin.mistake(self.span.clone(), Some(self.path()), message)
    }

    /// The key, prefixed with the path of its table.
    fn path(&self) -> String {
        join(&self.parent, self.key)
    }

    /// A mistake about a part of a string's content, in bytes of the content.
    pub fn mistake_within(&self, part: Range<usize>, message: impl Into<String>) -> Mistake {
        let source = &self.origin.text.whole[self.span.clone()];
        let verbatim = self.value.as_str().and_then(|content| source.find(content));
        let span = verbatim.map_or(self.span.clone(), |quote| {
            let start = self.span.start + quote;
            start + part.start..start + part.end
        });
        self.origin.mistake(span, Some(self.path()), message)
    }

    /// The place of the value.
    pub fn place(&self) -> Place {
        Place(self.mistake(String::new()))
    }

    /// The place of the key.
    pub fn name_place(&self) -> Place {
        Place(self.name_mistake(String::new()))
    }

    /// A mistake about the key.
    pub fn name_mistake(&self, message: impl Into<String>) -> Mistake {
        self.origin.mistake(self.key_span.clone(), Some(self.path()), message)
    }

    fn wrong_type(&self, wanted: &str) -> Mistake {
        self.mistake(format!("`{}` is to be {wanted}, found {}", self.key, kind(self.value)))
    }

    /// A string.
    pub fn text(&self) -> Result<&'d str, Mistake> {
        self.value.as_str().ok_or_else(|| self.wrong_type("a string"))
    }

    /// A formula: a string, or a number as it is written.
    pub fn formula(&self) -> Result<&'d str, Mistake> {
        match self.value {
            DeValue::Integer(integer) if integer.radix() == 10 => Ok(integer.as_str()),
            DeValue::Float(float) => Ok(float.as_str()),
            _ => self.value.as_str().ok_or_else(|| self.wrong_type("a formula, as a string or a number")),
        }
    }

    /// `true` or `false`.
    pub fn truth(&self) -> Result<bool, Mistake> {
        self.value.as_bool().ok_or_else(|| self.wrong_type("true or false"))
    }

    /// A finite number.
    pub fn number(&self) -> Result<f64, Mistake> {
        let digits = match self.value {
            DeValue::Float(float) => float.as_str(),
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str(),
            _ => return Err(self.wrong_type("a number")),
        };
        match digits.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(self.mistake(format!("`{}` is to be a finite number, found {digits}", self.key))),
        }
    }

    /// A finite number above zero.
    pub fn positive(&self) -> Result<f64, Mistake> {
        let number = self.number()?;
        if number > 0.0 {
            Ok(number)
        } else {
            Err(self.mistake(format!("`{}` is to be above zero, found {number}", self.key)))
        }
    }

    /// A whole number of at least `least`.
    pub fn whole(&self, least: usize) -> Result<usize, Mistake> {
        let DeValue::Integer(integer) = self.value else { return Err(self.wrong_type("a whole number")) };
        match usize::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(number) if number >= least => Ok(number),
            _ => {
                Err(self
                    .mistake(format!("`{}` is to be a whole number of at least {least}, found {integer}", self.key)))
            }
        }
    }

    /// A number of steps, at least 1.
    pub fn count(&self) -> Result<u64, Mistake> {
        Ok(self.whole(1)? as u64)
    }

    /// A list.
    pub fn list(&self) -> Result<Vec<Value<'d>>, Mistake> {
        let items = self.value.as_array().ok_or_else(|| self.wrong_type("a list"))?;
        Ok(items.iter().map(|item| Value { span: item.span(), value: item.get_ref(), ..self.clone() }).collect())
    }

    /// A list of exactly `N` items; `form` is an example for messages.
    pub fn items<T, const N: usize>(
        &self,
        form: &str,
        item: impl Fn(&Value<'d>) -> Result<T, Mistake>,
    ) -> Result<[T; N], Mistake> {
        let items = self.list()?.iter().map(item).collect::<Result<Vec<T>, Mistake>>()?;
        let found = items.len();
        items.try_into().map_err(|_| self.mistake(format!("`{}` is to be {form}, found a list of {found}", self.key)))
    }

    /// A table.
    pub fn section(&self) -> Result<Section<'d>, Mistake> {
        let table = self.value.as_table().ok_or_else(|| self.wrong_type("a table"))?;
        let key = self.path();
        let name = format!("[{key}]");
        Ok(Section { origin: self.origin, name, key, span: self.key_span.clone(), table })
    }

    /// Whether it is a list.
    pub fn is_list(&self) -> bool {
        self.value.is_array()
    }

    /// Whether it is a table.
    pub fn is_section(&self) -> bool {
        self.value.is_table()
    }

    /// The index of a string among these names; `what` is their kind, for messages.
    pub fn choice(&self, what: &str, known: &[&str]) -> Result<usize, Mistake> {
        let name = self.text()?;
        known.iter().position(|known| *known == name).ok_or_else(|| self.mistake(unknown(what, name, known)))
    }
}

/// The name of a value's type, in messages about a wrong one.
fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "a truth value",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
