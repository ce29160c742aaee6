//! At most one request in flight and one waiting: what a dragged control needs.

use super::{Answer, Client, Ticket};
use engine::protocol::Command;
use send_wrapper::SendWrapper;
use std::cell::RefCell;

type OnAnswer = Box<dyn FnMut(Answer)>;

/// One control's line to the worker; make one per independent control with [`Client::latest`].
#[derive(Clone, Copy)]
pub struct Latest {
    client: Client,
    state: &'static SendWrapper<RefCell<State>>,
}

#[derive(Default)]
struct State {
    /// A request is in flight.
    busy: bool,
    /// The one in flight.
    ticket: Option<Ticket>,
    waiting: Option<(Command, OnAnswer)>,
}

impl Latest {
    pub(super) fn new(client: Client) -> Self {
        // controls live as long as the page, as figures are never unmounted
        let state = Box::leak(Box::new(SendWrapper::new(RefCell::default())));
        Self { client, state }
    }

    /// Sends a request, or keeps it until the one in flight is answered; a request that waits is dropped for a newer one.
    /// `on` is called for every answer of requests that were really sent, so a drag shows what has come so far.
    pub fn send(self, command: Command, on: impl FnMut(Answer) + 'static) {
        if self.state.borrow().busy {
            self.state.borrow_mut().waiting = Some((command, Box::new(on)));
        } else {
            self.send_now(command, Box::new(on));
        }
    }

    fn send_now(self, command: Command, mut on: OnAnswer) {
        self.state.borrow_mut().busy = true;
        let ticket = self.client.request(command, move |answer| {
            if !matches!(answer, Answer::Part(_)) {
                self.next(); // first: the worker need not wait for what the page does with the answer
            }
            on(answer);
        });
        self.state.borrow_mut().ticket = Some(ticket);
    }

    fn next(self) {
        let waiting = {
            let mut state = self.state.borrow_mut();
            state.busy = false;
            state.waiting.take()
        };
        if let Some((command, on)) = waiting {
            self.send_now(command, on);
        }
    }

    /// Drops what waits and forgets what is in flight.
    pub fn clear(self) {
        let ticket = {
            let mut state = self.state.borrow_mut();
            state.waiting = None;
            state.busy = false;
            state.ticket.take()
        };
        if let Some(ticket) = ticket {
            ticket.cancel();
        }
    }
}
