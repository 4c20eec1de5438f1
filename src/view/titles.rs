//! What processes, threads and counters are called on screen.
//!
//! Promises: every one has a title; with several runs in a file each process says which one it belongs to.

use crate::trace::{CounterId, ProcessId, Trace, TrackId};

/// A title, and what may stand fainter beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title {
    /// The name, or what stands for it.
    pub text: String,
    /// Ids and labels; empty when the title says it all.
    pub note: String,
}

/// "process 1", "session 2 · process 1", "a.json · process 1", "spark executor" with "pid 17".
pub fn process_title(trace: &Trace, id: ProcessId) -> Title {
    let process = trace.process(id);
    let pid = trace.id_text(process.pid);
    let name = process.name.map(|name| trace.names().text(name)).filter(|name| !name.is_empty());
    let mut text = match name {
        Some(name) => name.to_owned(),
        None => format!("process {pid}"),
    };
    let (source, session) = run_of(trace, process.session);
    for part in [session, source].into_iter().flatten() {
        text = format!("{part} · {text}");
    }
    let mut notes: Vec<String> = name.map(|_| format!("pid {pid}")).into_iter().collect();
    notes.extend(process.labels.map(|labels| trace.names().text(labels).to_owned()));
    Title { text, note: notes.join(" · ") }
}

/// Which of several inputs a session belongs to, and which of several runs in that one it is.
fn run_of(trace: &Trace, session: u32) -> (Option<String>, Option<String>) {
    let sources = trace.sources();
    let own = sources.partition_point(|source| source.first_session <= session).saturating_sub(1);
    let first = sources.get(own).map_or(0, |source| source.first_session);
    let after = sources.get(own + 1).map_or(trace.sessions(), |next| next.first_session);
    let source = sources.get(own).filter(|_| sources.len() > 1).map(|source| source.name.clone());
    (source, (after - first > 1).then(|| format!("session {}", session - first + 1)))
}

/// "thread 7", or the name with "tid 7".
pub fn track_title(trace: &Trace, id: TrackId) -> Title {
    let track = trace.track(id);
    let tid = trace.id_text(track.tid);
    match track.name.map(|name| trace.names().text(name)).filter(|name| !name.is_empty()) {
        Some(name) => Title { text: name.to_owned(), note: format!("tid {tid}") },
        None => Title { text: format!("thread {tid}"), note: String::new() },
    }
}

/// "thread 7", "thread main", "Thread pool": as it is said in a sentence.
pub fn spoken_track(trace: &Trace, id: TrackId) -> String {
    let title = track_title(trace, id).text;
    let says_so = title.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("thread"));
    if says_so { title } else { format!("thread {title}") }
}

/// The label of a series.
pub fn counter_title(trace: &Trace, id: CounterId) -> Title {
    Title { text: trace.counter_label(&trace.counters()[id.index()]), note: String::new() }
}

/// "5 counters".
pub fn counters_title(trace: &Trace, id: ProcessId) -> Title {
    let count = trace.process(id).counters.len();
    Title { text: counted(count as u64, "counter"), note: String::new() }
}

/// "1 slice", "37 slices", "1,250 slices".
pub fn counted(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", crate::units::grouped(i128::from(count)))
}
