//! `completions` and `man`: the program's data for shells and manuals.

use std::path::PathBuf;

use clap_complete::Shell;
use clap_mangen::Man as Page;
use serde_json::json;

use super::{Error, Report};
use crate::io::{self, atomic};

/// Arguments of `completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  {bin} completions bash > ~/.local/share/bash-completion/completions/{bin}
  {bin} completions zsh > ~/.zfunc/_{bin}
  {bin} completions fish > ~/.config/fish/completions/{bin}.fish")]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

/// Arguments of `man`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  {bin} man > {bin}.1\n  {bin} man --out ~/.local/share/man/man1")]
pub(super) struct Man {
    /// Write a page for the program and one for each subcommand into this directory, instead of printing the program's
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The script with which a shell completes this command line, for a program with this name.
pub(super) fn completions(arguments: &Completions, mut command: clap::Command, program: &str) -> Report {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, program, &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    Report::new(json!({ "shell": arguments.shell.to_string(), "script": script }), script)
}

/// The manual's pages, in the language of `man`.
pub(super) fn man(arguments: &Man, command: clap::Command, program: &str) -> Result<Report, Error> {
    let mut command = command.display_name(program.to_owned()).disable_help_subcommand(true);
    command.build();
    let page = |command: &clap::Command| {
        let mut text = Vec::new();
        let page = Page::new(command.clone());
        let rendered = page.render(&mut text).map_err(io::Error::system("write", "the manual".as_ref()));
        rendered.map(|()| (page.get_filename(), String::from_utf8_lossy(&text).into_owned()))
    };
    let Some(directory) = &arguments.out else {
        let (_, text) = page(&command)?;
        return Ok(Report::new(json!({ "page": text }), text));
    };
    std::fs::create_dir_all(directory).map_err(io::Error::system("write", directory))?;
    let mut files = Vec::new();
    for command in std::iter::once(&command).chain(command.get_subcommands()) {
        let (name, text) = page(command)?;
        let path = directory.join(name);
        atomic::write(&path, |file| file.write_all(text.as_bytes()))?;
        files.push(path);
    }
    let list: Vec<_> = files.iter().map(|path| path.display().to_string()).collect();
    Ok(Report::new(json!({ "files": files }), list.join("\n")))
}
