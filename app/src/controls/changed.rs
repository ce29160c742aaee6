//! Fields that hold what was typed must hear when their value changes from elsewhere: by undo, an example, the address.

use leptos::prelude::*;

/// Calls `then` whenever `value` has become another one; not for the first.
pub fn when_changed<T: Clone + PartialEq + Send + Sync + 'static>(
    value: Signal<T>,
    then: impl Fn() + 'static,
) {
    Effect::new(move |before: Option<T>| {
        let now = value.get();
        if before.is_some_and(|before| before != now) {
            then();
        }
        now
    });
}
