//! The command line over a list of laws.
//!
//! A crate with laws of its own gets it in one line:
//!
//! ```ignore
//! fn main() -> std::process::ExitCode {
//!     dg_runtime::cli::main(&[&my_law::LAW])
//! }
//! ```
//!
//! Each subcommand is a file here with its arguments and a function from them to a [`Report`], which is printed as text
//! or as one JSON object. Standard output holds results only; progress and errors go to standard error.

mod announce;
mod bench;
mod convergence;
mod describe;
mod drawing;
mod dry_run;
mod due;
mod entering;
mod error;
mod files;
mod kernels;
mod laws;
mod march;
mod measurements;
mod mesh;
mod new;
mod orders;
mod pictures;
mod plot;
mod position;
mod progress;
mod receivers;
mod run;
mod scales;
mod schedule;
mod shapes;
mod shell;
mod signals;
mod smallest;
mod solutions;
mod speed;
mod table;
#[cfg(test)]
mod tests;
mod verify;

use std::ffi::OsString;
use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;
use std::sync::LazyLock;
use std::time::Instant;

use clap::builder::RangedU64ValueParser;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use serde_json::{Value, json};

use crate::law::Law;
use crate::notice::{Verbosity, notice};
use crate::plain::{plain, plain_json};
pub use error::Error;

/// Solves conservation laws by a discontinuous Galerkin method, with code generated for each law.
#[derive(Debug, Parser)]
#[command(name = "rankine", version, arg_required_else_help = true, max_term_width = 100)]
struct Cli {
    /// How to print results: text, or json for one object on standard output, errors too
    #[arg(long, global = true, value_enum, default_value_t = Format::Text, hide_possible_values = true)]
    format: Format,
    /// Threads to compute with on the CPU; as many as there are cores if not given
    #[arg(long, global = true, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    threads: Option<usize>,
    /// Say nothing on standard error but warnings and errors
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Say more often how a run goes, also beside a progress bar
    #[arg(long, short, global = true, conflicts_with = "quiet")]
    verbose: bool,
    #[command(subcommand)]
    command: Command,
}

impl Cli {
    fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        }
    }
}

/// How to print results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Text for people.
    Text,
    /// One JSON object on standard output, also for an error.
    Json,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a case and write its files
    Run(run::Run),
    /// Measure errors and rates of convergence of a case with an exact solution
    Convergence(convergence::Convergence),
    /// Show what is in a mesh: groups, boundaries, sizes, quality, what a run on it takes; and draw it
    Mesh(mesh::Mesh),
    /// Print the code generated for a law and an order
    Kernels(kernels::Kernels),
    /// List the laws
    Laws(laws::Laws),
    /// Show what is known of a law: state, Jacobian, eigenvalues, proofs, work per order
    Describe(describe::Describe),
    /// Compare exact arithmetic, the law's Rust and the generated code with each other
    Verify(verify::Verify),
    /// Measure the speed of the generated code
    Bench(bench::Bench),
    /// Draw the history of a run, or errors over the size of elements, unknowns and seconds
    Plot(plot::Plot),
    /// Start a crate with a law of your own, a case and a test
    New(new::New),
    /// Print the script with which a shell completes this program's arguments
    Completions(shell::Completions),
    /// Print this program's page of the manual
    Man(shell::Man),
}

/// The product of a subcommand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Product {
    /// Files: the printed text is about them.
    Files,
    /// The printed text.
    Text,
}

impl Command {
    fn product(&self) -> Product {
        match self {
            Self::Run(_) | Self::Plot(_) | Self::New(_) => Product::Files,
            _ => Product::Text,
        }
    }
}

/// The result of a subcommand.
#[derive(Debug)]
pub struct Report {
    /// For `--format json`.
    pub json: Value,
    /// For people.
    pub text: String,
    /// Exit status of the process.
    pub status: u8,
}

impl Report {
    /// The report of a success.
    fn new(json: Value, text: impl Into<String>) -> Self {
        Self { json, text: text.into(), status: 0 }
    }
}

/// The start of the process.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The `main` function of a solver: reads the process's arguments, executes them, prints the result or the error.
pub fn main(laws: &[&'static Law]) -> ExitCode {
    LazyLock::force(&START);
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let cli = match parse(&arguments) {
        Ok(cli) => cli,
        Err(error) => return print_usage(error, &arguments),
    };
    cli.verbosity().set();
    signals::let_large_files_fail();
    let (format, product) = (cli.format, cli.command.product());
    let result = use_threads(cli.threads).and_then(|()| {
        // On one of rayon's own threads a launch need not wake the others first.
        rayon::scope(|_| execute(cli.command, laws, &program(&arguments)))
    });
    match result {
        Ok(report) => {
            let printed = match format {
                Format::Text => print(&plain(report.text.trim_end())),
                Format::Json => print_json(&report.json),
            };
            printed.status(product).map_or(ExitCode::from(report.status), ExitCode::from)
        }
        Err(Error::Usage(error)) => print_usage(error, &arguments),
        Err(error) => {
            if format == Format::Json {
                print_json(&error.to_json());
            }
            notice(format_args!("error: {}", error.chain()));
            if signals::explain(&error) { ExitCode::from(signals::INTERRUPTED) } else { ExitCode::FAILURE }
        }
    }
}

/// Executes `arguments`, the first of which is the program's name, and returns the result without printing it.
///
/// # Errors
///
/// Wrong usage, and any error of the subcommand.
pub fn run(arguments: &[OsString], laws: &[&'static Law]) -> Result<Report, Error> {
    LazyLock::force(&START);
    let (cli, program) = (parse(arguments)?, program(arguments));
    cli.verbosity().set();
    match cli.threads {
        Some(count) => threads(count).build().map_err(Error::Threads)?.install(|| execute(cli.command, laws, &program)),
        None => execute(cli.command, laws, &program),
    }
}

fn threads(count: usize) -> rayon::ThreadPoolBuilder {
    rayon::ThreadPoolBuilder::new().num_threads(count)
}

/// Sets the number of threads of the whole process, if one is given.
fn use_threads(count: Option<usize>) -> Result<(), Error> {
    count.map_or(Ok(()), |count| threads(count).build_global().map_err(Error::Threads))
}

fn execute(command: Command, laws: &[&'static Law], program: &str) -> Result<Report, Error> {
    match command {
        Command::Run(arguments) => run::run(&arguments, laws),
        Command::Convergence(arguments) => convergence::convergence(&arguments, laws),
        Command::Mesh(arguments) => mesh::mesh(&arguments, laws),
        Command::Kernels(arguments) => kernels::kernels(&arguments, laws),
        Command::Laws(_) => Ok(laws::laws(laws)),
        Command::Describe(arguments) => describe::describe(&arguments, laws),
        Command::Verify(arguments) => verify::verify(&arguments, laws),
        Command::Bench(arguments) => bench::bench(&arguments, laws),
        Command::Plot(arguments) => plot::plot(&arguments),
        Command::New(arguments) => new::new(&arguments),
        Command::Completions(arguments) => Ok(shell::completions(&arguments, command_line(program), program)),
        Command::Man(arguments) => shell::man(&arguments, command_line(program), program),
    }
}

/// The name of the program.
fn program(arguments: &[OsString]) -> String {
    let program = arguments.first().map(std::path::Path::new).and_then(|path| path.file_stem());
    program.map_or("rankine".into(), |stem| stem.to_string_lossy().into_owned())
}

/// The command line for clap; `{bin}` in help texts becomes the program's name.
fn command_line(program: &str) -> clap::Command {
    Cli::command().mut_subcommands(|subcommand| {
        let help = subcommand.get_after_help().map(|help| help.to_string().replace("{bin}", program));
        subcommand.after_help(help.unwrap_or_default())
    })
}

fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    Cli::from_arg_matches(&command_line(&program(arguments)).try_get_matches_from(arguments)?)
}

/// Whether arguments refused by clap ask for JSON.
fn asks_for_json(arguments: &[OsString]) -> bool {
    arguments.iter().any(|argument| argument == "--format=json")
        || arguments.windows(2).any(|pair| pair[0] == "--format" && pair[1] == "json")
}

/// Prints a usage error, or the requested help or version.
fn print_usage(error: clap::Error, arguments: &[OsString]) -> ExitCode {
    let (status, text, json) = (error.exit_code(), error.render().to_string(), asks_for_json(arguments));
    let answer = match error.kind() {
        clap::error::ErrorKind::DisplayVersion => {
            Some(json!({ "program": program(arguments), "version": env!("CARGO_PKG_VERSION") }))
        }
        clap::error::ErrorKind::DisplayHelp => Some(json!({ "help": text.trim_end() })),
        _ => None,
    };
    let printed = match answer {
        Some(answer) if json => print_json(&answer),
        _ if plain(&text) != text => {
            notice(text.trim_end());
            Printed::Whole
        }
        // With colours.
        _ => Printed::of(error.print()),
    };
    if json && status != 0 {
        print_json(&Error::from(error).to_json());
    }
    let status = printed.status(Product::Text).filter(|_| status == 0).unwrap_or(u8::try_from(status).unwrap_or(1));
    ExitCode::from(status)
}

/// Prints an object on a line of its own.
fn print_json(json: &Value) -> Printed {
    print(&plain_json(&json.to_string()))
}

/// Prints to standard output, and reports a failure.
fn print(text: &str) -> Printed {
    let mut stdout = std::io::stdout();
    Printed::of(writeln!(stdout, "{text}").and_then(|()| stdout.flush()))
}

/// The outcome of printing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Printed {
    Whole,
    /// The reader closed the pipe before the end (`| head`).
    Unread,
    Failed,
}

/// Exit status if the reader closed the pipe, by the shell's convention of 128 + SIGPIPE.
const UNREAD: u8 = 141;

impl Printed {
    fn of(result: std::io::Result<()>) -> Self {
        match result {
            Ok(()) => Self::Whole,
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Self::Unread,
            Err(error) => {
                notice(format_args!("error: cannot write to standard output: {error}"));
                Self::Failed
            }
        }
    }

    /// The exit status, if printing changes it.
    fn status(self, product: Product) -> Option<u8> {
        match (self, product) {
            (Self::Whole, _) | (Self::Unread, Product::Files) => None,
            (Self::Unread, Product::Text) => Some(UNREAD),
            (Self::Failed, _) => Some(1),
        }
    }
}

/// The law of this name.
fn find_law(name: &str, laws: &[&'static Law]) -> Result<&'static Law, Error> {
    laws.iter().copied().find(|law| law.name == name).ok_or_else(|| {
        let names: Vec<_> = laws.iter().map(|law| law.name).collect();
        Error::Name(crate::names::unknown("law", name, &names))
    })
}

/// The law of this name, or all of them.
fn selected_laws(name: Option<&str>, laws: &[&'static Law]) -> Result<Vec<&'static Law>, Error> {
    name.map_or(Ok(laws.to_vec()), |name| Ok(vec![find_law(name, laws)?]))
}
