//! Scanner and import in MB/s, beside `serde_json` on the same bytes in the same run.
//!
//! `cargo bench --bench import --features bench [-- SIZE_MB]`

use std::hint::black_box;
use std::time::Instant;

use flameline::generate::comet::{CometOptions, CometTrace};
use flameline::measure;

/// Rounds; all candidates take turns in each, so that a slow phase of the machine hits them alike.
const ROUNDS: usize = 7;

fn main() {
    let size = std::env::args().filter_map(|arg| arg.parse::<u64>().ok()).next_back().unwrap_or(100);
    let mut text = Vec::new();
    let options = CometOptions { size: size * 1_000_000, ..CometOptions::default() };
    let mut trace = CometTrace::new(1, options);
    while trace.next_block(&mut text) {}
    assert_eq!(measure::scan(&text), measure::serde_json(&text), "both read the same");
    type Candidate = (&'static str, fn(&[u8]) -> u64);
    let candidates: [Candidate; 3] = [
        ("scan", |text| measure::scan(text).events),
        ("import", measure::import),
        ("serde_json typed, borrowed", |text| measure::serde_json(text).events),
    ];
    let mut rates = vec![Vec::new(); candidates.len()];
    for _ in 0..ROUNDS {
        for (rates, (_, run)) in rates.iter_mut().zip(&candidates) {
            let start = Instant::now();
            black_box(run(black_box(&text)));
            rates.push(text.len() as f64 / 1e6 / start.elapsed().as_secs_f64());
        }
    }
    let medians: Vec<f64> = rates.iter_mut().map(|rates| median(rates)).collect();
    println!("Comet-like trace of {} bytes, median of {ROUNDS} rounds", text.len());
    for ((name, _), median) in candidates.iter().zip(&medians) {
        println!("{name:<28} {median:>7.0} MB/s   {:>5.2} x serde_json", median / medians[2]);
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
