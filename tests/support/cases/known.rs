//! Cases in which we differ by a rule of ours, and cases that can't be compared.

/// A case, all that differs, and the rule that makes it so.
pub struct Difference {
    pub case: &'static str,
    /// Every difference, as the comparison words it: what is ours.
    pub ours: &'static [&'static str],
    /// The section of the import rules and what it says.
    pub rule: &'static str,
}

/// Why a case can't be compared.
#[derive(Clone, Copy, Debug)]
pub enum Reason {
    /// It is about events of these phases only, which are counted and not read.
    Phases(&'static str),
    /// What it asserts has no place in a trace of ours.
    NoPlace(&'static str),
    /// It is no trace, and we say so.
    NoTrace(&'static str),
}

/// In the order of the cases.
pub const DIFFERENCES: &[Difference] = &[
    Difference {
        case: "perfetto/015-invalid-string-ts-and-dur",
        ours: &["on threads has also pid 10, tid 13, ts_ns 300000, dur_ns null"],
        rule: "A.2: an X whose length is no number is unfinished, and not dropped",
    },
    Difference {
        case: "perfetto/019-string-ts-trailing-chars",
        ours: &["on threads has also pid 10, tid 17, ts_ns 200000, dur_ns null"],
        rule: "A.2: an X whose length is no number is unfinished, and not dropped",
    },
    Difference {
        case: "perfetto/023-json-sort-index-ordering",
        ours: &["processes[1] is missing", "threads[1] is missing"],
        rule: "A.4: a process or thread is there when a record names it: Perfetto has a process 0 and a main thread of its own",
    },
    Difference {
        case: "perfetto/091-slice-endeventoutoforder",
        ours: &["on threads[1].depth = 0", "on threads[1].dur_ns = 400000"],
        rule: "A.2: an E closes the B that agrees with it, past the end of an X: that slice goes to a lane of its own and is not cut",
    },
    Difference {
        case: "perfetto/092-slice-maxdepthexceeded",
        ours: &["on threads has also pid 1, tid 22, ts_ns 1000000, dur_ns null"],
        rule: "A.2: there is no limit of depth",
    },
    Difference {
        case: "perfetto/103-systrace-in-json",
        ours: &["on threads[1] is missing"],
        rule: "A.1: unknown keys of the outer object are skipped",
    },
    Difference {
        case: "catapult/007-category-begin-end-mismatch-prefers-begin",
        ours: &["on threads[0].dur_ns = null", "on threads[0].is_unfinished = true"],
        rule: "A.2: an E of another category closes nothing",
    },
    Difference {
        case: "catapult/135-import-duration-events-with-stack-frames",
        ours: &["on threads[0].dur_ns = null", "on threads[0].is_unfinished = true"],
        rule: "A.2: an E of another name closes nothing",
    },
    Difference {
        case: "catapult/138-metadata-parsing",
        ours: &["on threads[0].dur_ns = null", "on threads[0].is_unfinished = true"],
        rule: "A.2: an E of another name closes nothing",
    },
    Difference {
        case: "catapult/165-data-simple-trace-gz",
        ours: &[
            "on threads[2].self_ns = 6000",
            "on threads[3].dur_ns = null",
            "on threads[3].is_unfinished = true",
            "on threads[4].dur_ns = 6000",
            "on threads[4].self_ns = 3000",
            "on threads[5].depth = 3",
        ],
        rule: "A.2: an E closes the B that agrees with it in name: the first one here closes nothing, the one without a name closes what that left open, and the outermost B has no end of its own",
    },
    Difference {
        case: "catapult/166-data-trace-with-bad-world-bounds",
        ours: &[
            "shown threads[0].process = null",
            "shown threads[1].process = null",
            "shown threads[2].process = null",
            "shown threads[4].process = null",
            "shown threads[5].process = null",
            "shown threads[6].process = null",
            "shown threads[7].process = null",
            "shown threads[8].process = null",
            "processes[0].process = null",
            "processes[2].process = null",
            "processes[3].process = null",
        ],
        rule: "A.4: a process has the name that `process_name` gives it: catapult makes one from the names of threads",
    },
    Difference {
        case: "speedscope/003-multiprocess",
        ours: &[
            "order of threads[0].pid = 2",
            "order of threads[1].pid = 2",
            "order of threads[2].pid = 0",
            "order of threads[3].pid = 0",
            "order of threads[4].pid = 1",
            "order of threads[5].pid = 1",
        ],
        rule: "A.4: processes stand by sort index, then by name, one without a name first, then by id: speedscope goes by id",
    },
    Difference {
        case: "speedscope/019-unbalanced-name",
        ours: &["stacks[1].weight_ns = 8000"],
        rule: "A.2: a B above the one that an E closes ends with it: speedscope lets the inner one run to its own E",
    },
    Difference {
        case: "speedscope/027-bex-interaction",
        ours: &["stacks[2].stack = \"3.2\""],
        rule: "A.2: at one start the longer slice comes first, and ties keep the order of the file: speedscope puts a B around an X",
    },
    Difference {
        case: "speedscope/028-invalid-x-nesting",
        ours: &["stacks[1].weight_ns = 5000", "stacks has also stack \"1\", weight_ns 5000"],
        rule: "A.2: a slice that does not fit goes to a lane of its own: speedscope stretches the outer one",
    },
    Difference {
        case: "speedscope/029-event-reordering-name-match",
        ours: &["stacks[1].stack = \"0.?.2\""],
        rule: "A.2: arguments of B and E are merged, and those of E stand: speedscope shows those of B",
    },
];

/// In the order of the cases.
pub const NOT_APPLICABLE: &[(&str, Reason)] = &[
    ("perfetto/002-args-ordered", Reason::Phases("b")),
    (
        "perfetto/008-json-trace-metadata",
        Reason::NoPlace("it asks for the outer object's metadata, a key that is skipped"),
    ),
    ("perfetto/017-json-id2-global-string-id", Reason::Phases("be")),
    ("perfetto/018-json-id2-local-string-id", Reason::Phases("be")),
    ("perfetto/024-json-pid-tid-zero", Reason::Phases("be")),
    ("perfetto/033-flow-events-json-v2", Reason::NoPlace("arrows by `bind_id` are to come")),
    ("perfetto/042-gecko-markers", Reason::NoTrace("a profile of another format")),
    (
        "perfetto/049-tok-readkeyneedmoredatamiddlestring",
        Reason::NoPlace(
            "when a reader asks for more bytes is its own affair: any split gives the same trace",
        ),
    ),
    ("perfetto/052-tok-readsystraceline", Reason::NoPlace("`systemTraceEvents` is a key that is skipped")),
    (
        "perfetto/053-tok-readsystracelineescaped",
        Reason::NoPlace("`systemTraceEvents` is a key that is skipped"),
    ),
    (
        "perfetto/054-tok-readsystraceneedmoredataonlyescape",
        Reason::NoPlace("`systemTraceEvents` is a key that is skipped"),
    ),
    (
        "perfetto/055-tok-readsystraceendofdata",
        Reason::NoPlace("`systemTraceEvents` is a key that is skipped"),
    ),
    ("perfetto/094-flow-singlefloweventexplicitinslicebinding", Reason::Phases("fs")),
    ("perfetto/095-flow-singlefloweventwaitfornextslice", Reason::Phases("fs")),
    ("perfetto/096-flow-singlefloweventwaitfornextslicescoped", Reason::Phases("fs")),
    ("perfetto/097-flow-twofloweventswaitfornextslice", Reason::Phases("fs")),
    ("perfetto/098-flow-twofloweventssliceinslice", Reason::Phases("fs")),
    ("perfetto/100-flow-flowdirectioncorrectedbytimestamp", Reason::Phases("fst")),
    ("catapult/026-object-color-argument", Reason::Phases("DNO")),
    ("catapult/027-object-color-end", Reason::Phases("DNO")),
    ("catapult/032-process-uptime", Reason::NoPlace("the uptime of a process is metadata that is not shown")),
    ("catapult/052-start-finish-one-slice-one-thread", Reason::Phases("FS")),
    ("catapult/056-async-end-arg-overwrites-original-arg-value-if-duplicated", Reason::Phases("FS")),
    ("catapult/057-async-steps-in-one-thread", Reason::Phases("FST")),
    ("catapult/060-async-step-end-event", Reason::Phases("FSp")),
    ("catapult/061-async-step-mismatch", Reason::Phases("FSTp")),
    ("catapult/062-async-slice-without-cpuduration", Reason::Phases("be")),
    ("catapult/063-async-slice-with-cpuduration", Reason::Phases("be")),
    ("catapult/067-nestable-async-many-levels", Reason::Phases("be")),
    ("catapult/068-nestable-async-instant-event", Reason::Phases("ben")),
    ("catapult/069-nestable-async-unmatched-outer-begin-event", Reason::Phases("be")),
    ("catapult/070-nestable-async-unmatched-inner-begin-event", Reason::Phases("ben")),
    ("catapult/072-nestable-async-unmatched-inner-end-event", Reason::Phases("ben")),
    ("catapult/073-nestable-async-same-iddifferent-category", Reason::Phases("be")),
    ("catapult/075-process-local-async", Reason::Phases("be")),
    ("catapult/076-global-async", Reason::Phases("be")),
    ("catapult/077-import-samples", Reason::Phases("P")),
    ("catapult/079-import-samples-missing-args", Reason::Phases("P")),
    ("catapult/084-import-implicit-object-with-category-override", Reason::Phases("NO")),
    ("catapult/085-import-implicit-object-with-base-type-override", Reason::Phases("DO")),
    ("catapult/086-import-idrefs", Reason::Phases("DNO")),
    ("catapult/087-import-idrefs-that-point-at-each-other", Reason::Phases("DNO")),
    ("catapult/108-import-async-event-with-same-timestamp", Reason::Phases("FST")),
    ("catapult/111-import-memory-dumps-total-resident-bytes-only", Reason::Phases("v")),
    ("catapult/112-import-memory-dumps-with-peak-resident-bytes", Reason::Phases("v")),
    ("catapult/113-import-memory-dumps-platform-specific-totals", Reason::Phases("v")),
    ("catapult/114-import-memory-dumps-vm-regions", Reason::Phases("v")),
    ("catapult/115-import-memory-dumps-explicit-memory-allocator-dumps", Reason::Phases("v")),
    ("catapult/116-import-memory-dumps-implicit-memory-allocator-dumps", Reason::Phases("v")),
    ("catapult/117-import-memory-dumps-global-memory-allocator-dumps", Reason::Phases("v")),
    ("catapult/121-import-memory-dumps-levels-of-detail-1", Reason::Phases("v")),
    ("catapult/122-import-memory-dumps-levels-of-detail-2", Reason::Phases("v")),
    ("catapult/124-import-memory-dumps-levels-of-detail-4", Reason::Phases("v")),
    ("catapult/127-import-memory-dumps-levels-of-detail-7", Reason::Phases("v")),
    ("catapult/128-import-memory-dumps-levels-of-detail-8", Reason::Phases("v")),
    ("catapult/129-import-memory-dumps-levels-of-detail-9", Reason::Phases("v")),
    ("catapult/130-import-memory-dumps-levels-of-detail-10", Reason::Phases("v")),
    ("catapult/131-import-memory-dumps-heap-dumps-old-format", Reason::Phases("v")),
    ("catapult/132-import-memory-dumps-heap-dumps-new-format", Reason::Phases("v")),
    (
        "catapult/139-import-trace-config-as-metadata",
        Reason::NoPlace("the configuration of the recorder is metadata that is not shown"),
    ),
    ("catapult/141-create-nestable-async-slices-for-user-timing-without-args", Reason::Phases("be")),
    ("catapult/142-create-nestable-async-slices-for-user-timing-with-args", Reason::Phases("be")),
    ("catapult/145-clock-sync-requester-without-metadata", Reason::Phases("c")),
    ("catapult/146-clock-sync-requester-without-metadata-stream", Reason::Phases("c")),
    ("catapult/149-clock-sync-missing-sync-id", Reason::Phases("c")),
    ("catapult/150-clock-sync-legacy-chrome", Reason::Phases("FS")),
    ("catapult/151-clock-sync-legacy-chrome-throws-with-inconsistent-sync-id", Reason::Phases("FS")),
    ("catapult/159-data-nestable-async", Reason::Phases("ben")),
    ("catapult/160-data-nestable-async-annotation", Reason::Phases("ben")),
    (
        "issue/024-outlier-negative-ts",
        Reason::NoPlace("it asks how a view fits an outlier, and nothing of the import"),
    ),
];
