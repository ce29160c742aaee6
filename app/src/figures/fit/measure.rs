//! Clock, change and averages of a fit. Plain.

/// Time spent computing, without pauses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    spent: f64,
    since: Option<f64>,
}

impl Clock {
    /// Starts or goes on.
    pub fn run(&mut self, now: f64) {
        self.since.get_or_insert(now);
    }

    /// Stops counting.
    pub fn rest(&mut self, now: f64) {
        if let Some(since) = self.since.take() {
            self.spent += (now - since).max(0.0);
        }
    }

    /// Milliseconds so far.
    pub fn spent(&self, now: f64) -> f64 {
        self.spent + self.since.map_or(0.0, |since| (now - since).max(0.0))
    }
}

/// `|after - before| / |after|` over all layers together; infinite if `after` is zero or the shapes differ.
pub fn relative_change(before: &[Vec<f32>], after: &[Vec<f32>]) -> f64 {
    if before.len() != after.len() || before.iter().zip(after).any(|(b, a)| b.len() != a.len()) {
        return f64::INFINITY;
    }
    let pairs = before.iter().flatten().zip(after.iter().flatten());
    let (difference, size) = pairs.fold((0.0, 0.0), |(difference, size), (b, a)| {
        let (b, a) = (f64::from(*b), f64::from(*a));
        (difference + (a - b) * (a - b), size + a * a)
    });
    (difference / size).sqrt()
}

/// The mean over layers.
pub fn mean(values: &[f32]) -> f32 {
    values.iter().sum::<f32>() / values.len().max(1) as f32
}

/// "12 s", "2 min 5 s".
pub fn duration(milliseconds: f64) -> String {
    let seconds = (milliseconds / 1000.0).max(0.0);
    if seconds < 9.95 {
        return format!("{seconds:.1} s");
    }
    let whole = seconds.round() as u64;
    if whole < 60 {
        format!("{whole} s")
    } else {
        format!("{} min {} s", whole / 60, whole % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_shape_is_infinite_and_no_change_is_zero() {
        let (a, b) = (vec![vec![3.0, 4.0]], vec![vec![3.0, 4.0], vec![1.0]]);
        assert_eq!(relative_change(&a, &a), 0.0);
        assert_eq!(relative_change(&a, &b), f64::INFINITY);
        assert!((relative_change(&[vec![0.0, 4.0]], &a) - 0.6).abs() < 1e-12);
    }

    #[test]
    fn times_read_well() {
        assert_eq!(
            [duration(1234.0), duration(59_000.0), duration(125_000.0)],
            ["1.2 s", "59 s", "2 min 5 s"]
        );
    }
}
