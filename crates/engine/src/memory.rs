//! How much memory a store may keep pages in, when nobody says.

use sysinfo::{MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, System};

/// A quarter of the memory that this process may have: of the machine's, or of what its control group is limited to.
pub(crate) fn page_cache_bytes() -> usize {
    let Ok(mut system) = System::new() else { return UNKNOWN_MEMORY_BYTES };
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let control_group = sysinfo::get_current_pid().ok().and_then(|this| {
        let processes = ProcessesToUpdate::Some(&[this]);
        system.refresh_processes_specifics(processes, false, ProcessRefreshKind::nothing());
        Some(system.process(this)?.cgroup_limits()?.total_memory)
    });
    quarter(system.total_memory(), control_group)
}

/// Where the system says nothing.
const UNKNOWN_MEMORY_BYTES: usize = 256 << 20;

fn quarter(machine: u64, control_group: Option<u64>) -> usize {
    let limits = [Some(machine), control_group].into_iter().flatten();
    match limits.filter(|bytes| *bytes > 0).min() {
        Some(bytes) => usize::try_from(bytes / 4).unwrap_or(usize::MAX),
        None => UNKNOWN_MEMORY_BYTES,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_quarter_of_what_there_is_and_of_what_is_allowed() {
        assert_eq!(quarter(16 << 30, None), 4 << 30);
        assert_eq!(quarter(16 << 30, Some(2 << 30)), 512 << 20);
        assert_eq!(quarter(16 << 30, Some(64 << 30)), 4 << 30, "a group may be allowed more than there is");
    }

    #[test]
    fn a_system_that_says_nothing_gets_a_cache_all_the_same() {
        assert_eq!(quarter(0, None), UNKNOWN_MEMORY_BYTES);
        assert_eq!(quarter(0, Some(0)), UNKNOWN_MEMORY_BYTES);
    }

    #[test]
    fn this_system_says_something() {
        assert!(page_cache_bytes() >= 8 << 20, "{}", page_cache_bytes());
    }
}
