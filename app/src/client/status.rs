//! What the page can say about its worker.

/// Where the client stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Status {
    /// The worker starts and the model's files are on their way.
    Starting {
        /// Bytes received so far.
        received: f64,
        /// Bytes to come in all, if the server said so.
        total: Option<f64>,
    },
    /// Requests are answered.
    Ready,
    /// Nothing works until [`super::Client::retry`]; says what, where and what to do.
    Failed(String),
}
