//! How long a large design takes, in milliseconds: `cargo bench -p keywright-design`.
//!
//! 500 entities and 2,000 patterns, in one table and over 25 tables. Each figure is the fastest of ten runs: the machine's noise
//! only ever adds.
#![expect(clippy::print_stdout, reason = "the figures are the output")]
#![expect(clippy::unwrap_used, reason = "the designs are written below")]

mod large;

use std::hint::black_box;
use std::time::Instant;

use bumpalo::Bump;
use keywright_design::cost::Costs;
use keywright_design::report::{Layout, Report};
use keywright_design::verify::verify;
use keywright_design::{DesignFile, Facts, Shapes};

fn main() {
    println!(
        "{:<10} {:>7} {:>7} {:>7} {:>7} {:>7} {:>9}",
        "design", "parse", "verify", "costs", "report", "text", "findings"
    );
    for (name, tables) in [("1 table", 1), ("25 tables", 25)] {
        let text = large::design(tables);
        let file = DesignFile::parse(&text).unwrap();
        let design = file.design();
        let report = Report::of("keywright.toml", &text);
        println!(
            "{name:<10} {:>7.1} {:>7.1} {:>7.1} {:>7.1} {:>7.1} {:>9}",
            milliseconds(|| DesignFile::parse(black_box(&text)).is_ok()),
            milliseconds(|| verify(black_box(design)).len()),
            milliseconds(|| {
                let arena = Bump::new();
                let shapes = Shapes::new(design, &arena);
                Costs::new(&Facts::new(design, &shapes)).heats().len()
            }),
            milliseconds(|| Report::of("keywright.toml", black_box(&text)).counts()),
            milliseconds(|| report.text(Layout::default()).len()),
            verify(design).len(),
        );
    }
}

/// Of one run, the fastest of ten.
fn milliseconds<Output>(run: impl Fn() -> Output) -> f64 {
    // The test command runs it as well, to see that it still does; only `cargo bench` measures.
    let runs = if std::env::args().any(|argument| argument == "--bench") { 10 } else { 1 };
    let one = || {
        let started = Instant::now();
        black_box(run());
        started.elapsed().as_secs_f64() * 1000.0
    };
    (0..runs).map(|_| one()).fold(f64::INFINITY, f64::min)
}
