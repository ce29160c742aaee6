//! Words near an unknown one: "did you mean".

use super::{MAX_WORD, Vocabulary};

impl Vocabulary {
    /// Up to `n` words that are close to an unknown one, nearest first: at most a third of its letters changed (at least one),
    /// or it is the beginning of the word.
    pub fn suggest(&self, unknown: &str, n: usize) -> Vec<&str> {
        let wanted: Vec<char> = unknown.to_lowercase().chars().take(MAX_WORD).collect();
        let most = (wanted.len() / 3).max(1);
        let mut near: Vec<(usize, &str)> = self
            .words
            .iter()
            .filter_map(|w| {
                let letters: Vec<char> = w.to_lowercase().chars().collect();
                let begins = wanted.len() >= 2 && letters.starts_with(&wanted);
                let changes = if begins {
                    most
                } else {
                    edit_distance(&wanted, &letters, most)?
                };
                // nothing in common is no suggestion
                (changes < wanted.len().max(letters.len())).then_some((changes, w.as_str()))
            })
            .collect();
        near.sort_by_key(|&(changes, _)| changes);
        near.into_iter().take(n).map(|(_, w)| w).collect()
    }
}

/// Insertions, deletions, replacements and exchanges of neighbours that turn `a` into `b` (optimal string alignment);
/// `None` where there are more than `most`.
fn edit_distance(a: &[char], b: &[char], most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let (mut before, mut last) = (Vec::new(), (0..=b.len()).collect::<Vec<usize>>());
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                let earlier: &Vec<usize> = &before;
                row[j] = row[j].min(earlier[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().filter(|&n| n <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_near_words() {
        let words = [
            "<s>",
            ",",
            "spider",
            "spins",
            "webs",
            "ant",
            "mother-in-law",
        ];
        let v = Vocabulary::new(words.map(String::from).to_vec()).unwrap();
        assert_eq!(v.suggest("spidre", 3), ["spider"]);
        assert_eq!(v.suggest("mother", 3), ["mother-in-law"]);
        assert_eq!(v.suggest("Ants", 1), ["ant"]);
        assert!(v.suggest("quetzal", 3).is_empty());
        assert!(v.suggest("", 3).is_empty());
    }
}
