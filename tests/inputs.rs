//! Several inputs as one trace: each with processes of its own, on one time axis.
#![cfg(not(target_arch = "wasm32"))]

use flameline::import::{Import, ImportOptions, Imported, ProblemKind};
use flameline::trace::{Span, Trace};
use flameline::view::process_title;

/// Imports named texts, in pieces of `piece` bytes.
fn import(inputs: &[(&str, &[u8])], piece: usize) -> Imported {
    let mut import = Import::new(ImportOptions::default());
    for (name, text) in inputs {
        import.start_source(name);
        for bytes in text.chunks(piece) {
            if import.feed(bytes).is_err() {
                break;
            }
        }
    }
    import.finish().expect("one of them is a trace")
}

fn titles(trace: &Trace) -> Vec<String> {
    trace.ordered_processes().into_iter().map(|id| process_title(trace, id).text).collect()
}

const A: &[u8] = br#"[{"name":"read","ph":"X","pid":1,"tid":1,"ts":1,"dur":4,"args":{"file":"a"}},"#;
const B: &[u8] = br#"[{"name":"read","ph":"X","pid":1,"tid":1,"ts":2,"dur":4,"args":{"file":"b"}}]"#;

#[test]
fn the_same_ids_in_two_inputs_are_two_processes_named_after_them() {
    for piece in [1, 7, 4096] {
        let imported = import(&[("a.json", A), ("b.json", B)], piece);
        let trace = &imported.trace;
        assert_eq!(titles(trace), ["a.json · process 1", "b.json · process 1"]);
        assert_eq!(trace.span(), Some((1_000, 6_000)));
        assert_eq!((imported.events, imported.bytes), (2, (A.len() + B.len()) as u64));
        assert_eq!(imported.report.problems, [], "a second input is no second run");
    }
}

#[test]
fn arguments_say_in_which_input_they_stand() {
    let trace = import(&[("a.json", A), ("b.json", B)], 4096).trace;
    for (track, text, whole) in [(0, br#"{"file":"a"}"#, A), (1, br#"{"file":"b"}"#, B)] {
        let args = trace.tracks()[track].lanes[0].rows[0].args(0).unwrap();
        let Span { offset, len } = trace.args().parts(args).next().unwrap();
        let source = trace.source_at(offset).unwrap();
        let from = (offset - source.offset) as usize;
        assert_eq!((source.input, &whole[from..from + len as usize]), (track, &text[..]));
    }
}

#[test]
fn a_compressed_input_among_plain_ones_keeps_its_texts_and_only_its() {
    let gzip = include_bytes!("data/chrome/container_gzip.json.gz");
    let imported = import(&[("a.json", A), ("c.json.gz", gzip), ("b.json", B)], 5);
    let kept: Vec<_> = imported.trace.sources().iter().map(|source| source.is_kept).collect();
    assert_eq!(kept, [false, true, false]);
    let plain = [0, imported.trace.tracks().len() - 1].map(|track| {
        let args = imported.trace.tracks()[track].lanes[0].rows[0].args(0).unwrap();
        imported
            .trace
            .args()
            .parts(args)
            .map(|span| imported.trace.args().kept_text(span))
            .collect::<Vec<_>>()
    });
    assert_eq!(plain, [[None], [None]]);
}

#[test]
fn what_is_no_trace_is_left_out_and_named() {
    let inputs: [(&str, &[u8]); 4] =
        [("notes.txt", b"hello, this is a text\n"), ("a.json", A), ("b.json", br#"{"x":1}"#), ("c.json", B)];
    let imported = import(&inputs, 4096);
    let inputs: Vec<_> =
        imported.trace.sources().iter().map(|source| (source.input, source.name.as_str())).collect();
    assert!(inputs.contains(&(1, "a.json")) && inputs.contains(&(3, "c.json")), "{inputs:?}");
    assert_eq!(imported.report.count(ProblemKind::NoTrace), 2);
    let message = imported.report.of(ProblemKind::NoTrace).unwrap().message();
    assert!(message.contains("notes.txt: found"), "{message}");
    assert_eq!(imported.events, 3);
}

#[test]
fn none_of_them_a_trace_is_an_error_that_says_what_the_first_is() {
    let mut import = Import::new(ImportOptions::default());
    for text in ["hello\n", "{\"x\":1}"] {
        import.start_source("x");
        let _ = import.feed(text.as_bytes());
    }
    let error = import.finish().unwrap_err().to_string();
    assert!(error.contains("text"), "{error}");
}

#[test]
fn runs_and_cuts_and_empty_inputs_are_counted_by_input() {
    let two_runs = br#"[ {"ph":"i","pid":1,"tid":1,"ts":1}, [ {"ph":"i","pid":1,"tid":1,"ts":1}, "#;
    let cut = &B[..B.len() - 20];
    let lines = br#"{"ph":"i","pid":1,"tid":1,"ts":1}"#;
    let inputs: [(&str, &[u8]); 5] =
        [("empty", b""), ("two", two_runs), ("cut", cut), ("cut again", cut), ("lines", lines)];
    let imported = import(&inputs, 3);
    let expected = ["two · session 1 · process 1", "two · session 2 · process 1", "lines · process 1"];
    assert_eq!(titles(&imported.trace), expected);
    let count = |kind| imported.report.count(kind);
    assert_eq!((count(ProblemKind::Session), count(ProblemKind::Empty)), (1, 3));
    assert_eq!(count(ProblemKind::TruncatedFile), 2);
    let lost = format!("{} bytes", 2 * (cut.len() - 1));
    assert!(imported.report.of(ProblemKind::TruncatedFile).unwrap().message().contains(&lost));
}
