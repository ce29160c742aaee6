//! The settings of a figure with the way back.

/// Steps that can be undone, at most.
const DEPTH: usize = 100;

/// The tag of a step of its own, such as a button, a switch, a choice or an example: never undone together with others.
pub const PRESS: &str = "press";

/// A value, what it was before, and what it was at first.
#[derive(Clone, Debug, PartialEq)]
pub struct History<T> {
    first: T,
    past: Vec<T>,
    now: T,
    tag: Option<&'static str>,
}

impl<T: Clone + PartialEq> History<T> {
    /// A history that begins here.
    pub fn new(first: T) -> Self {
        Self {
            now: first.clone(),
            first,
            past: Vec::new(),
            tag: None,
        }
    }

    /// The value now.
    pub fn now(&self) -> &T {
        &self.now
    }

    /// A step that can be undone. Consecutive steps with the same tag (typing, dragging a slider) are undone together, unless it
    /// is [`PRESS`].
    pub fn change(&mut self, tag: &'static str, change: impl FnOnce(&mut T)) {
        let before = self.now.clone();
        change(&mut self.now);
        if self.now == before {
            return;
        }
        if self.tag != Some(tag) {
            self.past.push(before);
            if self.past.len() > DEPTH {
                self.past.remove(0);
            }
        }
        self.tag = (tag != PRESS).then_some(tag);
    }

    /// A change that is not worth a step of its own, such as which cell is looked at.
    pub fn amend(&mut self, change: impl FnOnce(&mut T)) {
        change(&mut self.now);
    }

    /// What the page's address says, `None` for the start; can be undone.
    pub fn take(&mut self, linked: Option<T>) {
        let value = linked.unwrap_or_else(|| self.first.clone());
        self.change(PRESS, |now| *now = value);
        self.rest();
    }

    /// The next change begins a new step even if it has the same tag.
    pub fn rest(&mut self) {
        self.tag = None;
    }

    /// Whether there is a step to undo.
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Undoes the last step.
    pub fn undo(&mut self) {
        if let Some(before) = self.past.pop() {
            self.now = before;
        }
        self.tag = None;
    }

    /// What it was at first.
    pub fn first(&self) -> &T {
        &self.first
    }

    /// Whether the value is what it was at first.
    pub fn is_first(&self) -> bool {
        self.now == self.first
    }

    /// Back to the start; can be undone too.
    pub fn reset(&mut self) {
        let first = self.first.clone();
        self.change(PRESS, |now| *now = first);
        self.rest();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_is_one_step() {
        let mut text = History::new(String::from("a"));
        for c in ["b", "c"] {
            text.change("typing", |t| t.push_str(c));
        }
        assert_eq!(text.now(), "abc");
        text.rest();
        text.change("typing", |t| t.push('d'));
        text.undo();
        assert_eq!(text.now(), "abc");
        text.undo();
        assert_eq!(
            (text.now().as_str(), text.can_undo(), text.is_first()),
            ("a", false, true)
        );
    }

    #[test]
    fn presses_are_undone_one_by_one() {
        let mut on = History::new([false; 3]);
        on.change("typing", |on| on[0] = true);
        for i in [1, 2] {
            on.change(PRESS, |on| on[i] = true);
        }
        on.undo();
        assert_eq!(*on.now(), [true, true, false]);
        on.undo();
        assert_eq!(*on.now(), [true, false, false]);
        on.undo();
        assert!(on.is_first() && !on.can_undo());
    }

    #[test]
    fn reset_can_be_undone_and_nothing_is_no_step() {
        let mut number = History::new(1);
        number.change("same", |_| {});
        assert!(!number.can_undo());
        number.change("set", |n| *n = 5);
        number.reset();
        assert_eq!(*number.now(), 1);
        number.undo();
        assert_eq!(*number.now(), 5);
    }

    #[test]
    fn depth_is_bounded() {
        let mut number = History::new(0);
        for i in 1..=2 * DEPTH {
            number.change("set", |n| *n = i);
            number.rest();
        }
        for _ in 0..2 * DEPTH {
            number.undo();
        }
        assert_eq!(*number.now(), DEPTH);
    }
}
