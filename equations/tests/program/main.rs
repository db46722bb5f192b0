//! The program `rankine`, started as a process: one binary, in which each file has one subject.
#![cfg(unix)]

mod json;
mod one_core;
mod shell;
mod signals;
