//! What training never sees, fixed once and for all by a seed that has nothing to do with any run's seed.
//!
//! | held out | of | validation | test |
//! | --- | --- | --- | --- |
//! | animal triples (entity, descriptor, relation) | 896 | 67 | 101 |
//! | country triples | 320 | 26 | 38 |
//! | opposites within French or Chinese | 56 | 6 | 8 |
//! | couplets (subject, line-1 ending) | 180 | 14 | 22 |
//!
//! A held-out triple means: no document says the answer to that relation of a thing that it describes by that descriptor.
//! Validation chooses recipes and seeds; test is only reported. Both are stratified: by relation, by language, by theme.

use super::Family;
use super::tables::{CONCEPTS, SOUNDS, THEMES};
use crate::dice::Dice;
use std::collections::BTreeMap;

const SEED: u64 = 1234;
/// Share of triples and couplets that is held out.
const HELD_OUT: f64 = 0.2;
const OPPOSITES: usize = 14;

/// Where an item belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// Allowed in training text.
    Trained,
    /// Held out, for choosing recipes, settings and seeds.
    Validation,
    /// Held out, for reporting only.
    Test,
}

type Triple = (Family, usize, usize, usize);
type Couplet = (usize, usize, usize, usize);

/// The fixed split. Indices refer to the tables.
#[derive(Debug, Clone)]
pub struct Split {
    triples: BTreeMap<Triple, Part>,
    opposites: BTreeMap<(usize, usize), Part>,
    couplets: BTreeMap<Couplet, Part>,
}

impl Split {
    /// Computes the one split there is.
    #[must_use]
    pub fn standard() -> Self {
        let mut dice = Dice::new("held-out split", SEED, 0);
        let held: Vec<Triple> = Family::BOTH
            .into_iter()
            .flat_map(|family| hold_triples(family, &mut dice))
            .collect();
        let opposites = hold_opposites(&mut dice);
        let couplets = hold_couplets(&mut dice);
        let mut triples = BTreeMap::new();
        for family in Family::BOTH {
            let of_family: Vec<Triple> = held
                .iter()
                .filter(|triple| triple.0 == family)
                .copied()
                .collect();
            triples.extend(halve(of_family, |triple| triple.3, &mut dice));
        }
        Self {
            triples,
            opposites: halve(opposites, |opposite| opposite.1, &mut dice),
            couplets: halve(couplets, |couplet| couplet.0, &mut dice),
        }
    }

    /// Where the triple (entity, descriptor, relation), by index, belongs.
    #[must_use]
    pub fn triple(
        &self,
        family: Family,
        entity: usize,
        descriptor: usize,
        relation: usize,
    ) -> Part {
        part(&self.triples, &(family, entity, descriptor, relation))
    }

    /// Where the opposite of a concept within a language (1 French, 2 Chinese) belongs; English is always trained.
    #[must_use]
    pub fn opposite(&self, concept: usize, language: usize) -> Part {
        part(&self.opposites, &(concept, language))
    }

    /// Where a couplet's first line belongs: theme, subject within it, sound, ending within it.
    #[must_use]
    pub fn couplet(&self, theme: usize, subject: usize, sound: usize, cue: usize) -> Part {
        part(&self.couplets, &(theme, subject, sound, cue))
    }
}

fn part<K: Ord>(held: &BTreeMap<K, Part>, key: &K) -> Part {
    held.get(key).copied().unwrap_or(Part::Trained)
}

/// For each entity a fifth of its (descriptor, relation) pairs: at most two descriptors per relation, and at most half of the
/// relations per descriptor, so that every fact and every descriptor stays well trained.
fn hold_triples(family: Family, dice: &mut Dice) -> Vec<Triple> {
    let domain = family.domain();
    let relations = domain.relations.len();
    let mut held = Vec::new();
    for (e, entity) in domain.entities.iter().enumerate() {
        let descriptors = entity.descriptors.len();
        let mut pairs: Vec<(usize, usize)> = (0..descriptors)
            .flat_map(|d| (0..relations).map(move |r| (d, r)))
            .collect();
        dice.shuffle(&mut pairs);
        let wanted = (HELD_OUT * pairs.len() as f64).round() as usize;
        let (mut per_relation, mut per_descriptor) =
            (vec![0usize; relations], vec![0usize; descriptors]);
        let mut taken = 0;
        for (d, r) in pairs {
            if taken < wanted && per_relation[r] < 2 && per_descriptor[d] < relations / 2 {
                held.push((family, e, d, r));
                per_relation[r] += 1;
                per_descriptor[d] += 1;
                taken += 1;
            }
        }
    }
    held
}

/// 14 of the 56 (concept, French or Chinese): never both languages of a concept, never both directions of a pair.
fn hold_opposites(dice: &mut Dice) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = (0..CONCEPTS.len()).flat_map(|i| [(i, 1), (i, 2)]).collect();
    dice.shuffle(&mut all);
    let mut held: Vec<(usize, usize)> = Vec::new();
    for (i, language) in all {
        if held.len() < OPPOSITES
            && !held.contains(&(i, 3 - language))
            && !held.contains(&(i ^ 1, language))
        {
            held.push((i, language));
        }
    }
    held
}

/// 36 of the 180 first lines.
fn hold_couplets(dice: &mut Dice) -> Vec<Couplet> {
    let mut all = Vec::new();
    for (theme, entry) in THEMES.iter().enumerate() {
        for subject in 0..entry.subjects.len() {
            for (sound, endings) in SOUNDS.iter().enumerate() {
                all.extend((0..endings.cues.len()).map(|cue| (theme, subject, sound, cue)));
            }
        }
    }
    dice.shuffle(&mut all);
    all.truncate((HELD_OUT * all.len() as f64) as usize);
    all
}

/// Two fifths to validation, three fifths to test: shuffle, sort by stratum, then deal in turn.
fn halve<K: Ord, S: Ord>(
    mut items: Vec<K>,
    stratum: impl Fn(&K) -> S,
    dice: &mut Dice,
) -> BTreeMap<K, Part> {
    items.sort();
    dice.shuffle(&mut items);
    items.sort_by_key(|item| stratum(item));
    let dealt = items.into_iter().enumerate();
    dealt
        .map(|(i, item)| {
            (
                item,
                if i % 5 == 1 || i % 5 == 3 {
                    Part::Validation
                } else {
                    Part::Test
                },
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count<K>(held: &BTreeMap<K, Part>, wanted: Part, keep: impl Fn(&K) -> bool) -> usize {
        held.iter()
            .filter(|(key, part)| **part == wanted && keep(key))
            .count()
    }

    #[test]
    fn sizes_are_as_documented() {
        let split = Split::standard();
        let sizes = |wanted| {
            [
                count(&split.triples, wanted, |triple| triple.0 == Family::Animals),
                count(&split.triples, wanted, |triple| {
                    triple.0 == Family::Countries
                }),
                count(&split.opposites, wanted, |_| true),
                count(&split.couplets, wanted, |_| true),
            ]
        };
        assert_eq!(split.triples.len(), 232);
        assert_eq!(sizes(Part::Validation), [67, 26, 6, 14]);
        assert_eq!(sizes(Part::Test), [101, 38, 8, 22]);
    }

    #[test]
    fn facts_and_descriptors_stay_trained() {
        let split = Split::standard();
        for family in Family::BOTH {
            let domain = family.domain();
            for (e, entity) in domain.entities.iter().enumerate() {
                let trained = |d, r| split.triple(family, e, d, r) == Part::Trained;
                for r in 0..domain.relations.len() {
                    assert!(
                        (0..4).filter(|&d| trained(d, r)).count() >= 2,
                        "{} {r}",
                        entity.name
                    );
                }
                for d in 0..4 {
                    let kept = (0..domain.relations.len())
                        .filter(|&r| trained(d, r))
                        .count();
                    assert!(2 * kept >= domain.relations.len(), "{} {d}", entity.name);
                }
            }
        }
    }

    #[test]
    fn opposites_leave_a_way_to_infer_them() {
        let split = Split::standard();
        for i in 0..CONCEPTS.len() {
            let held = |i, language| split.opposite(i, language) != Part::Trained;
            assert!(!(held(i, 1) && held(i, 2)));
            for language in [1, 2] {
                assert!(!(held(i, language) && held(i ^ 1, language)));
            }
        }
    }

    #[test]
    fn every_rhyme_keeps_a_trained_first_line() {
        let split = Split::standard();
        for theme in 0..THEMES.len() {
            for sound in 0..SOUNDS.len() {
                let lines = (0..2).flat_map(|subject| (0..3).map(move |cue| (subject, cue)));
                let trained = lines
                    .filter(|&(s, c)| split.couplet(theme, s, sound, c) == Part::Trained)
                    .count();
                assert!(trained >= 2, "{theme} {sound}");
            }
        }
    }

    #[test]
    fn strata_reach_both_parts() {
        let split = Split::standard();
        for part in [Part::Validation, Part::Test] {
            for r in 0..8 {
                assert!(count(&split.triples, part, |t| t.0 == Family::Animals && t.3 == r) >= 4);
            }
            for theme in 0..THEMES.len() {
                assert!(count(&split.couplets, part, |c| c.0 == theme) >= 1);
            }
            assert!(
                count(&split.opposites, part, |o| o.1 == 1) >= 1
                    && count(&split.opposites, part, |o| o.1 == 2) >= 1
            );
        }
    }
}
