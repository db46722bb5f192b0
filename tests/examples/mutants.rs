//! Mutation testing of the compiler's checks: `cargo run -p tests --example mutants -- [OPTION…] [FILE…]`.
//!
//! Prints the survivors among the mutants of the laws in the files, by default those of `equations`, and the score of each role.
//! `--every N` takes one mutant in N, `--role ROLE` those of a role of the table, and `--all` prints the others, too.

use std::path::PathBuf;
use std::time::Duration;

use tests::mutants::{Fate, Group, Mutant, Mutants, Original, Score};

fn main() {
    let (mut every, mut all, mut role, mut files) = (1, false, None, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--every" => every = arguments.next().and_then(|n| n.parse().ok()).expect("a number after --every"),
            "--role" => role = Some(arguments.next().expect("a role after --role")),
            "--all" => all = true,
            file => files.push(PathBuf::from(file)),
        }
    }
    if files.is_empty() {
        let laws = ["advection", "burgers", "euler", "mhd"];
        files.extend(laws.map(|law| tests::root().join(format!("equations/src/{law}.rs"))));
    }
    let mut score = Score::default();
    for original in files.iter().flat_map(|file| Original::all(file)) {
        let is_wanted = |group: Group| role.as_ref().is_none_or(|role| group.to_string() == *role);
        let Mutants { mutants, invalid } = original.mutants(|group, _, _| is_wanted(group));
        score.invalid += invalid;
        let tell = |mutant: &Mutant, fate: &Fate, time: Duration| {
            score.add(mutant.group, fate, time);
            let what = match fate {
                Fate::Survived => "survived".to_owned(),
                Fate::Warned(message) => format!("warned of: {message}"),
                _ if !all => return,
                Fate::Right => "right".to_owned(),
                Fate::Killed(message) => format!("killed: {message}"),
            };
            let Mutant { group, function, path, line, lines: [before, after], .. } = mutant;
            let file = path.file_name().unwrap_or_default().display();
            println!("{file}:{line}: {group}, `{function}`, {time:.1?}, {what}\n    - {before}\n    + {after}");
        };
        original.fates(mutants.iter().step_by(every), tell);
    }
    let (time, checks) = score.time;
    println!("\n{score}\n{} changes are no law. A check took {:.2?}.", score.invalid, time / checks.max(1));
}
