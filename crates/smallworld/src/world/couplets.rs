//! Documents about rhymes: couplets whose second line must be planned, rhymes asked for, and the rhyme words in use.

use super::tables::{NAMES, SOUNDS, THEMES, Theme};
use super::templates::{ENDING_USE, LINE_ONE, LINE_TWO, RHYME, RUN_UPS, fill};
use super::{Generator, Part};

impl Generator {
    pub(super) fn couplet_document(&mut self) -> String {
        let theme = self.dice.below(THEMES.len());
        let sound = self.dice.below(SOUNDS.len());
        match self.dice.weighted(&self.recipe.couplets) {
            0 => {
                let (subject, cue) = self.first_line(theme, sound);
                self.couplet(&THEMES[theme], sound, subject, cue)
            }
            1 => {
                let (subject, cue) = self.first_line(theme, sound);
                self.rhyme(&THEMES[theme], sound, subject, cue)
            }
            _ => self.ending_use(&THEMES[theme], sound),
        }
    }

    /// A subject and an ending for line 1 that are not held out together.
    fn first_line(&mut self, theme: usize, sound: usize) -> (&'static str, &'static str) {
        let (subjects, cues) = (THEMES[theme].subjects, SOUNDS[sound].cues);
        let mut open = Vec::new();
        for (s, subject) in subjects.into_iter().enumerate() {
            for (c, cue) in cues.into_iter().enumerate() {
                if self.split.couplet(theme, s, sound, c) == Part::Trained {
                    open.push((subject, cue));
                }
            }
        }
        self.dice.pick(&open)
    }

    fn couplet(&mut self, theme: &Theme, sound: usize, subject: &str, cue: &str) -> String {
        let ending = theme.endings[sound];
        let pattern = LINE_TWO[self.dice.weighted(&[4.0, 2.0, 1.0, 1.5, 1.0])];
        let run_up = if pattern.starts_with("to") && self.dice.chance(0.6) {
            self.dice.pick(&RUN_UPS)
        } else {
            ""
        };
        let first = fill(LINE_ONE, &[("s", subject), ("cue", cue)]);
        let second = fill(
            pattern,
            &[
                ("verb", ending.verb),
                ("adjective", ending.adjective),
                ("noun", ending.noun),
            ],
        );
        fill(
            "{first} {run} {second}",
            &[("first", &first), ("run", run_up), ("second", &second)],
        )
    }

    fn rhyme(&mut self, theme: &Theme, sound: usize, subject: &str, cue: &str) -> String {
        let asked = self.dice.below(RHYME.len());
        let cue = if asked == 0 {
            cue.rsplit(' ').next().unwrap_or(cue)
        } else {
            cue
        };
        fill(
            RHYME[asked],
            &[
                ("s", subject),
                ("cue", cue),
                ("noun", theme.endings[sound].noun),
            ],
        )
    }

    fn ending_use(&mut self, theme: &Theme, sound: usize) -> String {
        let ending = theme.endings[sound];
        let name = self.dice.pick(&NAMES);
        let subject = self.dice.pick(&theme.subjects);
        let slots = [
            ("s", subject),
            ("n", name),
            ("verb", ending.verb),
            ("adjective", ending.adjective),
            ("noun", ending.noun),
        ];
        fill(self.dice.pick(&ENDING_USE), &slots)
    }
}
