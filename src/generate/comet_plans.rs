//! The spans Comet's recorder knows and the plans that an invented query is made of.
//!
//! Promises: names are those of Comet; operators in `executePlan(…)` are distinct and sorted.
//! Does not: decide when anything runs; see `comet_script` for one task, `comet` for all.

/// The name of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Span {
    Named(&'static str),
    /// `getNextBatch[JVM] stage=N`.
    NextBatch(u32),
}

impl Span {
    pub(super) const NEXT_BATCH: &'static str = "getNextBatch[JVM] stage=";
    pub(super) const CREATE_PLAN: Self = Self::Named("createPlan");
    pub(super) const DECODE: Self = Self::Named("decodeShuffleBlock");
    pub(super) const INSERT: Self = Self::Named("shuffle_insert_batch");
    pub(super) const SPILL: Self = Self::Named("shuffle_spill");
    pub(super) const WRITE: Self = Self::Named("shuffle_write");
    pub(super) const UNSAFE_WRITER: Self = Self::Named("comet_unsafe_shuffle_writer");
    pub(super) const SORT_ROWS: Self = Self::Named("sortRowPartitionsNative");
    pub(super) const WRITE_SORTED: Self = Self::Named("writeSortedFileNative");

    /// Whether the span is written as `name`.
    pub(super) fn is(self, name: &str) -> bool {
        match self {
            Self::Named(own) => own == name,
            Self::NextBatch(stage) => name
                .strip_prefix(Self::NEXT_BATCH)
                .and_then(|number| number.parse().ok())
                .is_some_and(|number: u32| number == stage),
        }
    }
}

/// How the tasks of a stage spend their time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// Batch after batch from files; nothing is nested.
    Scan,
    /// Batch after batch, each from many shuffle blocks.
    Decode,
    /// One long call that pulls batches from the JVM and inserts them into the shuffle.
    InsertHere,
    /// One long call while tokio's workers insert into the shuffle.
    InsertOnWorkers,
    /// The JVM's columnar shuffle writer around all batches.
    Columnar,
}

/// A native plan and what a task with it costs.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) span: Span,
    pub(super) work: Work,
    /// Typical duration of one batch, in microseconds.
    pub(super) batch_us: u64,
    /// Typical peak of a task's own memory pool, in bytes.
    pub(super) peak: u64,
    /// Size of a pool that all tasks of the stage share, in bytes; 0 for none.
    pub(super) shared: u64,
}

const MIB: u64 = 1 << 20;

const fn plan(name: &'static str, work: Work, batch_us: u64, peak_mib: u64, shared_mib: u64) -> Plan {
    Plan { span: Span::Named(name), work, batch_us, peak: peak_mib * MIB, shared: shared_mib * MIB }
}

/// The plan of the stages in which memory is kept that no pool accounts for.
pub(super) static KEEPER: Plan =
    plan("executePlan(Projection,ShuffleScan,Sort,SortMergeJoin,Window)", Work::Decode, 5_000, 90, 0);

/// Plans of stages that read files and write the shuffle, in the order they come.
pub(super) static MAP_PLANS: [Plan; 5] = [
    plan("executePlan(Filter,HashAgg,NativeScan)", Work::Scan, 2_600, 24, 0),
    plan("executePlan(HashAgg,NativeScan,ShuffleWriter)", Work::InsertOnWorkers, 1_800, 60, 0),
    plan("executePlan(Filter,NativeScan,Projection)", Work::Columnar, 1_500, 12, 0),
    plan("executePlan(Scan,ShuffleWriter)", Work::InsertHere, 2_200, 70, 0),
    plan("executePlan(Expand,Filter,IcebergScan,Projection)", Work::Scan, 3_400, 30, 0),
];

/// Plans of stages that read the shuffle, in the order they come.
pub(super) static REDUCE_PLANS: [Plan; 5] = [
    plan("executePlan(HashAgg,ShuffleScan)", Work::Decode, 2_000, 80, 0),
    plan("executePlan(Filter,HashJoin,ShuffleScan)", Work::Decode, 3_000, 40, 20),
    plan("executePlan(Scan,ShuffleWriter)", Work::InsertHere, 2_000, 100, 0),
    plan("executePlan(Limit,Projection,ShuffleScan,Sort)", Work::Decode, 4_000, 64, 0),
    plan("executePlan(ShuffleScan,Sort)", Work::Columnar, 2_400, 110, 0),
];

/// The plan that feeds `Work::InsertHere` from within.
pub(super) const INNER: Span = Span::Named("executePlan(HashAgg,Projection,ShuffleScan)");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_distinct_and_sorted() {
        for plan in MAP_PLANS.iter().chain(&REDUCE_PLANS).chain([&KEEPER]) {
            let Span::Named(name) = plan.span else { panic!("a plan has a name") };
            let list = name.strip_prefix("executePlan(").unwrap().strip_suffix(')').unwrap();
            let operators: Vec<_> = list.split(',').collect();
            assert!(operators.windows(2).all(|pair| pair[0] < pair[1]), "{name}");
        }
    }

    #[test]
    fn a_span_knows_its_written_name() {
        assert!(Span::NextBatch(12).is("getNextBatch[JVM] stage=12"));
        assert!(!Span::NextBatch(1).is("getNextBatch[JVM] stage=12"));
        assert!(Span::DECODE.is("decodeShuffleBlock"));
    }
}
