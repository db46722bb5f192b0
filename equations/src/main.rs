//! The binary `rankine`: the command line over the laws of this crate.

fn main() -> std::process::ExitCode {
    dg_runtime::cli::main(equations::LAWS)
}
