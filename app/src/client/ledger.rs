//! Which requests are out, and what happens to them when the worker dies. Plain data, tested without a browser.

use engine::protocol::{Command, Request, RequestId};
use std::cell::Cell;
use std::collections::BTreeMap;

/// A request that was in flight at this many deaths is not tried again: it is probably what kills the worker.
const MOST_DEATHS: u32 = 2;
/// Reserved for loading the model, which the ledger does not hold.
pub(super) const LOAD: RequestId = 0;

thread_local! {
    static NEXT: Cell<RequestId> = const { Cell::new(LOAD + 1) };
}

/// Never given twice on a page, so that a request keeps its id when another worker takes it over.
fn next_id() -> RequestId {
    NEXT.replace(NEXT.get().checked_add(1).unwrap_or(LOAD + 1))
}

struct Entry<T> {
    command: Command,
    sent: bool,
    deaths: u32,
    /// `None` while it is being called.
    on: Option<T>,
}

/// Requests without their last answer, by id; `T` is whatever hears the answers.
pub(super) struct Ledger<T> {
    entries: BTreeMap<RequestId, Entry<T>>,
}

impl<T> Ledger<T> {
    pub(super) fn new() -> Self {
        Self {
            entries: BTreeMap::new(),
        }
    }

    /// Notes a request.
    pub(super) fn add(&mut self, command: Command, on: T) -> RequestId {
        let id = next_id();
        let entry = Entry {
            command,
            sent: false,
            deaths: 0,
            on: Some(on),
        };
        self.entries.insert(id, entry);
        id
    }

    /// Everything that the worker has not been sent yet, in the order of the requests; counts as sent from here on.
    pub(super) fn take_unsent(&mut self) -> Vec<Request> {
        let unsent = self.entries.iter_mut().filter(|(_, e)| !e.sent);
        unsent
            .map(|(&id, entry)| {
                entry.sent = true;
                let command = entry.command.clone();
                Request { id, command }
            })
            .collect()
    }

    /// Who hears an answer: taken out, to be called without the ledger being borrowed. `last` closes the request.
    pub(super) fn hears(&mut self, id: RequestId, last: bool) -> Option<T> {
        if last {
            return self.entries.remove(&id)?.on;
        }
        self.entries.get_mut(&id)?.on.take()
    }

    /// Gives back what [`Ledger::hears`] took, unless the request was closed meanwhile.
    pub(super) fn give_back(&mut self, id: RequestId, on: T) {
        if let Some(entry) = self.entries.get_mut(&id) {
            entry.on = Some(on);
        }
    }

    /// Forgets a request; says whether the worker has to be told.
    pub(super) fn forget(&mut self, id: RequestId) -> bool {
        self.entries.remove(&id).is_some_and(|entry| entry.sent)
    }

    /// The worker has died: what it was sent will be sent again, but for what it died of too often; that is returned. A lost
    /// GPU is not laid at the requests' door (`theirs` is false): they have another chance on the processor.
    pub(super) fn died(&mut self, theirs: bool) -> Vec<T> {
        // a crash that was asked for has done its work
        self.entries.retain(|_, entry| {
            let hook = matches!(entry.command, Command::Crash | Command::LoseDevice);
            !(entry.sent && hook)
        });
        for entry in self.entries.values_mut().filter(|e| e.sent) {
            entry.sent = false;
            entry.deaths += u32::from(theirs);
        }
        let given_up: Vec<RequestId> = self
            .entries
            .iter()
            .filter(|(_, entry)| entry.deaths >= MOST_DEATHS)
            .map(|(&id, _)| id)
            .collect();
        given_up
            .iter()
            .filter_map(|id| self.entries.remove(id)?.on)
            .collect()
    }

    /// Takes over another ledger's requests, to be sent anew.
    pub(super) fn absorb(&mut self, other: &mut Self) {
        for (id, mut entry) in std::mem::take(&mut other.entries) {
            entry.sent = false;
            self.entries.insert(id, entry);
        }
    }

    /// Requests that the worker has and has not answered.
    pub(super) fn in_flight(&self) -> usize {
        self.entries.values().filter(|e| e.sent).count()
    }

    /// Requests without their last answer.
    pub(super) fn open(&self) -> usize {
        self.entries.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::protocol::{ReadRequest, Targets};

    fn read() -> Command {
        Command::Read(ReadRequest {
            tokens: vec![0],
            targets: Targets::All,
            top: 1,
            tracked: vec![],
        })
    }

    fn ids(requests: &[Request]) -> Vec<RequestId> {
        requests.iter().map(|r| r.id).collect()
    }

    #[test]
    fn what_was_in_flight_is_sent_again_once() {
        let mut ledger = Ledger::new();
        let first = ledger.add(read(), "first");
        assert_eq!(ids(&ledger.take_unsent()), [first]);
        assert!(ledger.take_unsent().is_empty());
        assert!(ledger.died(true).is_empty());
        let second = ledger.add(read(), "second");
        assert_eq!(ids(&ledger.take_unsent()), [first, second]);
        // the first has now been there at two deaths, the second at one
        assert_eq!(ledger.died(true), ["first"]);
        assert_eq!(ids(&ledger.take_unsent()), [second]);
        assert_eq!((ledger.in_flight(), ledger.open()), (1, 1));
    }

    #[test]
    fn answers_reach_their_hearer_until_the_last() {
        let mut ledger = Ledger::new();
        let id = ledger.add(read(), "on");
        ledger.take_unsent();
        let on = ledger.hears(id, false).unwrap();
        assert_eq!(ledger.hears(id, false), None, "not while it is called");
        ledger.give_back(id, on);
        assert_eq!(ledger.hears(id, true), Some("on"));
        assert_eq!(ledger.hears(id, true), None);
        ledger.give_back(id, "late");
        assert_eq!(ledger.open(), 0);
    }

    #[test]
    fn a_cancelled_request_is_not_sent_again() {
        let mut ledger = Ledger::new();
        let waiting = ledger.add(read(), 0);
        assert!(
            !ledger.forget(waiting),
            "never sent: the worker need not know"
        );
        let sent = ledger.add(read(), 1);
        ledger.take_unsent();
        assert!(ledger.forget(sent));
        ledger.died(true);
        assert!(ledger.take_unsent().is_empty());
    }

    #[test]
    fn a_lost_gpu_is_not_the_requests_fault_and_another_line_takes_them_over() {
        let (mut gpu, mut cpu) = (Ledger::new(), Ledger::new());
        let id = gpu.add(read(), "read");
        for _ in 0..3 {
            gpu.take_unsent();
            assert!(gpu.died(false).is_empty());
        }
        let later = cpu.add(read(), "later");
        assert_ne!(id, later);
        gpu.take_unsent();
        cpu.absorb(&mut gpu);
        assert_eq!((gpu.open(), cpu.open()), (0, 2));
        assert_eq!(ids(&cpu.take_unsent()), [id, later]);
        assert_eq!(cpu.hears(id, true), Some("read"));
    }

    #[test]
    fn an_asked_for_crash_is_not_repeated() {
        let mut ledger = Ledger::new();
        let id = ledger.add(read(), "read");
        ledger.add(Command::Crash, "crash");
        ledger.take_unsent();
        assert!(ledger.died(true).is_empty());
        assert_eq!(ids(&ledger.take_unsent()), [id]);
    }
}
