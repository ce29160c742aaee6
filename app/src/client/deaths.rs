//! What is started after a worker has died. Plain data, tested without a browser.

use engine::protocol::Backend;

/// Deaths in a row, without an answer in between, after which no new worker is started.
const MOST_IN_A_ROW: u32 = 3;
/// Deaths on a GPU after which the processor takes over for good.
const MOST_ON_GPU: u32 = 2;

/// The deaths of one line's workers.
#[derive(Debug, Default)]
pub(super) struct Deaths {
    in_a_row: u32,
    on_gpu: u32,
}

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// A worker of the same kind.
    Again,
    /// A worker on the processor.
    Processor,
    /// Nothing; how many deaths in a row there were.
    Nothing(u32),
}

impl Deaths {
    /// A worker answered.
    pub(super) fn answered(&mut self) {
        self.in_a_row = 0;
    }

    /// A worker died.
    pub(super) fn died(&mut self, on: Backend) -> Next {
        self.in_a_row += 1;
        if on == Backend::Gpu {
            self.on_gpu += 1;
            if self.on_gpu >= MOST_ON_GPU {
                self.in_a_row = 0;
                return Next::Processor;
            }
        }
        match self.in_a_row > MOST_IN_A_ROW {
            true => Next::Nothing(self.in_a_row),
            false => Next::Again,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gpu_has_two_tries_then_the_processor() {
        let mut deaths = Deaths::default();
        assert_eq!(deaths.died(Backend::Gpu), Next::Again);
        deaths.answered(); // even if it worked in between
        assert_eq!(deaths.died(Backend::Gpu), Next::Processor);
    }

    #[test]
    fn the_processor_is_started_again_until_it_dies_too_often_in_a_row() {
        let mut deaths = Deaths::default();
        for _ in 0..2 {
            for _ in 0..3 {
                assert_eq!(deaths.died(Backend::Cpu), Next::Again);
            }
            deaths.answered();
        }
        for _ in 0..3 {
            assert_eq!(deaths.died(Backend::Cpu), Next::Again);
        }
        assert_eq!(deaths.died(Backend::Cpu), Next::Nothing(4));
    }
}
