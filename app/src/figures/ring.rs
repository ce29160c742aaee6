//! Arrows that lead to a handle: they end at its ring, so that the head is seen.

/// Radius of a handle's ring with its line, in user units.
const RING: f64 = 13.5;

/// Both ends of an arrow whose tip would lie under the ring around `to`; the tip is drawn back to the ring.
#[must_use]
pub fn up_to_ring([from, to]: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
    let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    let length = dx.hypot(dy);
    let part = if length > RING {
        1.0 - RING / length
    } else {
        0.0
    };
    [from, [from[0] + part * dx, from[1] + part * dy]]
}

#[cfg(test)]
mod tests {
    use super::up_to_ring;

    #[test]
    fn tips_end_at_the_ring() {
        let [from, [x, y]] = up_to_ring([[0.0, 0.0], [0.0, 40.0]]);
        assert_eq!((from, x), ([0.0, 0.0], 0.0));
        assert!((y - 26.5).abs() < 1e-9);
        assert_eq!(up_to_ring([[1.0, 2.0], [3.0, 2.0]])[1], [1.0, 2.0]);
    }
}
