//! Results of earlier checks, kept on disk, so that an unchanged law is not checked again.
//!
//! The key is everything that the result depends on: this compiler, and the options and tokens of the block. It is kept
//! in the entry and compared whole. Entries become part of the user's program, so an entry counts only if nobody else
//! could have written it. A failure here costs only time: the law is checked as if there were no entry.

use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use proc_macro2::TokenStream;
use templates::check::{Diagnostic, Severity};
use templates::ir::{Span, Warning};

/// The most entries that are kept; each has some megabytes.
const ENTRIES: usize = 64;

/// A law that was compiled before: the additions to its module, and its warnings.
pub struct Earlier {
    pub additions: TokenStream,
    pub warnings: Vec<Diagnostic>,
}

/// The place of a law's result.
pub struct Key {
    text: String,
    path: PathBuf,
}

impl Key {
    /// The key of a block; `None` where results cannot be kept safely.
    pub fn new(options: &TokenStream, block: &TokenStream) -> Option<Self> {
        let folder = templates::turns::folder().join("laws");
        create_private(&folder).ok()?;
        if !is_own(&fs::symlink_metadata(&folder).ok()?) {
            return None;
        }
        let text = format!("{}\n{options}\n{block}", env!("RANKINE_COMPILER"));
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let path = folder.join(format!("{:016x}", hasher.finish()));
        Some(Self { text, path })
    }

    /// The result, where the law was compiled before.
    pub fn find(&self) -> Option<Earlier> {
        let mut file = File::open(&self.path).ok()?;
        if !is_own(&file.metadata().ok()?) {
            return None;
        }
        let mut entry = String::new();
        file.read_to_string(&mut entry).ok()?;
        // The time of the last use decides which entries are dropped.
        let _ = file.set_modified(SystemTime::now());
        let mut texts = Texts(&entry);
        if texts.next()? != self.text {
            return None;
        }
        let additions = texts.next()?.parse().ok()?;
        let mut warnings = Vec::new();
        while let Some(span) = texts.next() {
            let span = Span(span.parse().ok()?);
            let severity = Severity::Warning(Warning::from_name(texts.next()?)?);
            let (message, notes) = (texts.next()?.to_owned(), texts.next()?);
            let notes = notes.lines().map(str::to_owned).collect();
            warnings.push(Diagnostic { severity, span, message, notes });
        }
        texts.0.is_empty().then_some(Earlier { additions, warnings })
    }

    /// Keeps the result of a law without mistakes.
    pub fn keep(&self, additions: &TokenStream, warnings: &[Diagnostic]) {
        let mut entry = Vec::new();
        let mut add = |text: &str| entry.extend_from_slice(format!("{} {text}\n", text.len()).as_bytes());
        add(&self.text);
        add(&additions.to_string());
        for Diagnostic { severity, span, message, notes } in warnings {
            let Severity::Warning(warning) = severity else { continue };
            add(&span.0.to_string());
            add(warning.name());
            add(message);
            add(&notes.join("\n"));
        }
        let draft = self.path.with_extension(std::process::id().to_string());
        let written = create_own(&draft).and_then(|mut file| file.write_all(&entry));
        if written.and_then(|()| fs::rename(&draft, &self.path)).is_err() {
            let _ = fs::remove_file(&draft);
        }
        self.path.parent().map(drop_oldest);
    }
}

/// The texts of an entry: each is stored as its length in bytes, a space, the text and the end of the line.
struct Texts<'a>(&'a str);

impl<'a> Iterator for Texts<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (length, rest) = self.0.split_once(' ')?;
        let length: usize = length.parse().ok()?;
        let text = rest.get(..length)?;
        self.0 = rest.get(length..)?.strip_prefix('\n')?;
        Some(text)
    }
}

/// Removes the entries that have not been used for longest.
fn drop_oldest(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<_> =
        entries.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
    entries.sort();
    for (_, path) in entries.iter().rev().skip(ENTRIES) {
        let _ = fs::remove_file(path);
    }
}

#[cfg(unix)]
fn create_private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// A new file that nobody else can write, whatever the user's mask.
#[cfg(unix)]
fn create_own(path: &Path) -> std::io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    File::options().write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn create_own(path: &Path) -> std::io::Result<File> {
    File::create_new(path)
}

#[cfg(not(unix))]
fn create_private(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)
}

/// Whether a file or folder belongs to this user and nobody else can write to it.
#[cfg(unix)]
fn is_own(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    // SAFETY: `geteuid` has no conditions.
    metadata.uid() == unsafe { libc::geteuid() } && metadata.mode() & 0o022 == 0 && !metadata.is_symlink()
}

#[cfg(not(unix))]
fn is_own(_: &fs::Metadata) -> bool {
    true
}
