//! Power losses, failed syncs and full disks from seeds: what was acknowledged is there, the rest wholly or not at all.
//!
//! 100 seeds; with `KEYWRIGHT_LONG=1` 1,000, and each seed's outcome in a file whose path is printed; with `KEYWRIGHT_SEED=n` that one.

use crate::arms::{Model, apply, open, read_all};
use crate::each_seed::each_seed;
use crate::outcomes::Outcomes;
use keywright_engine::files::{Fault, FaultPlan, FaultyFiles, Files, MemoryFiles};
use keywright_engine::random::{Random, SeededRandom};
use keywright_engine::storage::{Batch, DurableStorage, Space, Storage};
use std::fmt::{self, Display};
use std::sync::Arc;

#[test]
fn an_acknowledged_commit_survives_whatever_happens_next() {
    let mut told = Outcomes::new("power-loss");
    let outcomes = each_seed(&mut told, |seed| Ok(run(seed)));
    let survived = outcomes.iter().filter(|outcome| outcome.the_last_survived).count();
    let lost = outcomes.len() - survived;
    told.say(&format!("of the commits in which a fault struck {survived} are there, and {lost} are not"));
    told.finish();
    assert!(
        outcomes.len() == 1 || (survived > 0 && lost > 0),
        "the seeds do not reach both sides of a commit"
    );
}

/// How one seed ended, for the file of outcomes.
#[derive(Debug)]
#[expect(dead_code, reason = "read through Debug")]
struct Outcome {
    plan: FaultPlan,
    acknowledged: usize,
    /// Whether the commit in which the fault struck is there after the restart.
    the_last_survived: bool,
    second_plan: FaultPlan,
    second_struck: bool,
}

impl Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, formatter)
    }
}

fn run(seed: u64) -> Outcome {
    let random = SeededRandom::new(seed);
    let batches: Vec<Batch> = (0..10).map(|_| batch(&random)).collect();

    let calm = FaultyFiles::counting(seed);
    assert_eq!(commit_all(&calm, &batches), batches.len());
    let plan = plan(&random, calm.operations());

    let files = FaultyFiles::over(&MemoryFiles::new(), plan).unwrap();
    let acknowledged = commit_all(&files, &batches);
    assert_eq!(files.retried_syncs(), 0, "{plan:?}: a sync that had failed was tried again");
    let survivors = files.restart().unwrap();

    // The machine may fail again while the store recovers.
    let second_plan = self::plan(&random, 12);
    let files = FaultyFiles::over(&survivors, second_plan).unwrap();
    drop(open(Arc::new(files.clone())));
    let second_struck = files.has_failed();
    let survivors = files.restart().unwrap();

    let storage = open(Arc::new(survivors.clone())).unwrap_or_else(|error| panic!("{plan:?}: {error}"));
    let found = read_all(&storage).unwrap();
    let all_acknowledged = state_after(&batches, acknowledged);
    let and_the_next = state_after(&batches, acknowledged + 1);
    assert!(
        found == all_acknowledged || found == and_the_next,
        "{plan:?}, {second_plan:?}: after {acknowledged} acknowledged commits the store holds neither them nor them and the next"
    );

    let the_last_survived = found == and_the_next;
    goes_on_working(storage, &survivors, found, &batch(&random));
    Outcome { plan, acknowledged, the_last_survived, second_plan, second_struck }
}

/// Opens a store and commits until something fails; answers how many commits were acknowledged.
fn commit_all(files: &FaultyFiles, batches: &[Batch]) -> usize {
    let Ok(storage) = open(Arc::new(files.clone())) else { return 0 };
    batches.iter().take_while(|batch| storage.commit(batch).is_ok()).count()
}

fn goes_on_working(storage: DurableStorage, files: &MemoryFiles, mut model: Model, batch: &Batch) {
    storage.commit(batch).unwrap();
    apply(&mut model, batch);
    drop(storage);
    let files: Arc<dyn Files> = Arc::new(files.clone());
    assert_eq!(read_all(&open(files).unwrap()).unwrap(), model);
}

fn plan(random: &SeededRandom, operations: u64) -> FaultPlan {
    let fault = match random.below(4) {
        0 => Fault::SyncFails,
        1 => Fault::DiskFull,
        _ => Fault::PowerLoss,
    };
    FaultPlan { seed: random.next_u64(), fault, at_operation: 1 + random.below(operations) }
}

fn state_after(batches: &[Batch], count: usize) -> Model {
    let mut model = Model::new();
    for batch in batches.iter().take(count) {
        apply(&mut model, batch);
    }
    model
}

/// Puts and deletes over 60 keys, with values of up to 3 KB and seldom 100 KB: pages split, merge and are reused.
fn batch(random: &SeededRandom) -> Batch {
    let mut batch = Batch::default();
    for _ in 0..1 + random.below(25) {
        let space = if random.below(4) == 0 { Space::Index } else { Space::Items };
        let key = format!("key {:02}", random.below(60));
        if random.below(4) == 0 {
            batch.delete(space, key.as_bytes());
        } else {
            let length = if random.below(50) == 0 { 100_000 } else { random.below(3_000) };
            let filler = random.next_u64().to_be_bytes()[0];
            batch.put(space, key.as_bytes(), vec![filler; usize::try_from(length).unwrap()]);
        }
    }
    batch
}
