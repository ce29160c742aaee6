//! The prompts of the laboratory, and what the right words would be. All from the tables of the small world.

use super::settings::{Lab, Settings, Task};
use smallworld::world::prompts::{self, Couplet, FILLER, Opposite, Question};
use smallworld::world::tables::{CONCEPTS, Ending, THEMES};
use smallworld::{Family, Part, Split};

/// The prompt that the laboratory starts with, by its words.
const FEATURED: &str = "<s> the number of legs on the animal that spins webs is";
const FEATURED_OPPOSITE: &str = "big";
const FEATURED_COUPLET: &str = "<s> the farmer counted to four , /";

/// One prompt to run, and what should come of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// What is asked: "legs", "capital", "rhyme".
    pub asks: &'static str,
    /// The prompt, from `<s>`.
    pub prompt: String,
    /// The right word for the prompt as it stands.
    pub right: &'static str,
    /// The right word if the source were the target; `None` if the tables do not say.
    pub wanted: Option<&'static str>,
    /// Trained on, or held out.
    pub part: Part,
}

/// A question without and with the filler.
struct Pair {
    plain: Question,
    filled: Question,
}

impl Pair {
    const fn get(&self, filler: bool) -> &Question {
        if filler { &self.filled } else { &self.plain }
    }
}

/// All prompts: the featured ones first, then those of the test split.
pub struct Catalogue {
    animals: Vec<Pair>,
    countries: Vec<Pair>,
    named: Vec<Pair>,
    couplets: Vec<Couplet>,
    opposites: Vec<Opposite>,
}

fn pairs(make: impl Fn(&str) -> Vec<Question>, keep: impl Fn(&Question) -> bool) -> Vec<Pair> {
    let both = make("")
        .into_iter()
        .zip(make(FILLER))
        .map(|(plain, filled)| Pair { plain, filled });
    let mut kept: Vec<Pair> = both.filter(|pair| keep(&pair.plain)).collect();
    kept.sort_by_key(|pair| pair.plain.prompt != FEATURED);
    kept
}

impl Catalogue {
    /// Collects the prompts.
    #[must_use]
    pub fn standard() -> Self {
        let split = Split::standard();
        let two_hop = |family| {
            pairs(
                |filler| prompts::two_hop(&split, family, filler),
                |q| q.part == Part::Test || q.prompt == FEATURED,
            )
        };
        let mut couplets = prompts::couplets(&split);
        couplets.retain(|c| c.part == Part::Test || c.prompt == FEATURED_COUPLET);
        couplets.sort_by_key(|c| c.prompt != FEATURED_COUPLET);
        let mut opposites = prompts::opposites(&split, false);
        opposites.retain(|o| o.part != Part::Validation);
        opposites.sort_by_key(|o| o.bridge != FEATURED_OPPOSITE);
        Self {
            opposites,
            animals: two_hop(Family::Animals),
            countries: two_hop(Family::Countries),
            named: pairs(|filler| prompts::named(Family::Countries, filler), |_| true),
            couplets,
        }
    }

    fn questions(&self, family: Family) -> &[Pair] {
        match family {
            Family::Animals => &self.animals,
            Family::Countries => &self.countries,
        }
    }

    /// The opposites of the language in sight.
    fn opposites(&self, lab: &Lab) -> impl Iterator<Item = &Opposite> + use<'_> {
        let language = if lab.chinese { 2 } else { 1 };
        self.opposites
            .iter()
            .filter(move |o| o.language == language)
    }

    /// The prompts that the task in sight offers, as the reader sees them; none for flexible use, which runs five at once.
    #[must_use]
    pub fn offers(&self, settings: &Settings) -> Vec<String> {
        let lab = settings.lab();
        match settings.task {
            Task::Recall => self
                .questions(lab.family)
                .iter()
                .map(|pair| entry(&pair.get(lab.filler).prompt, pair.plain.part))
                .collect(),
            Task::Flexible => Vec::new(),
            Task::Couplets => self
                .couplets
                .iter()
                .map(|couplet| entry(&couplet.prompt, couplet.part))
                .collect(),
            Task::Languages => self
                .opposites(lab)
                .map(|o| entry(&o.prompt, o.part))
                .collect(),
        }
    }

    /// Takes another prompt: the source becomes its unspoken word, the target stays if it still makes sense.
    pub fn choose(&self, settings: &mut Settings, item: usize) {
        let task = settings.task;
        let lab = settings.lab_mut();
        lab.item = item;
        match task {
            Task::Recall => {
                if let Some(pair) = self.questions(lab.family).get(item) {
                    lab.source = pair.plain.bridge.to_owned();
                    if wanted_answer(&pair.plain, &lab.target)
                        .is_none_or(|answer| answer == pair.plain.answer)
                    {
                        lab.target = other_entity(&pair.plain).to_owned();
                    }
                }
            }
            Task::Flexible => {}
            Task::Couplets => {
                if let Some(couplet) = self.couplets.get(item) {
                    lab.source = couplet.noun.to_owned();
                    let rhymes = |theme: usize| THEMES[theme].endings[couplet.sound].noun;
                    lab.target = rhymes((couplet.theme + 1) % THEMES.len()).to_owned();
                }
            }
            Task::Languages => {
                if let Some(opposite) = self.opposites(lab).nth(item) {
                    let concept = opposite.concept;
                    lab.source = opposite.bridge.to_owned();
                    if concept_of(&lab.target).is_none_or(|t| t / 2 == concept / 2) {
                        lab.target = CONCEPTS[(concept + 2) % CONCEPTS.len()][0].to_owned();
                    }
                }
            }
        }
    }

    /// Turns to animals or countries.
    pub fn turn_to(&self, settings: &mut Settings, family: Family) {
        settings.lab_mut().family = family;
        self.choose(settings, 0);
    }

    /// Turns to French or Chinese.
    pub fn speak(&self, settings: &mut Settings, chinese: bool) {
        settings.lab_mut().chinese = chinese;
        self.choose(settings, 0);
    }

    /// Words worth trying as source or target.
    #[must_use]
    pub fn words(settings: &Settings) -> Vec<&'static str> {
        match settings.task {
            Task::Couplets => THEMES
                .iter()
                .flat_map(|theme| theme.endings.iter().map(|ending| ending.noun))
                .collect(),
            Task::Languages => CONCEPTS.iter().map(|names| names[0]).collect(),
            _ => settings
                .lab()
                .family
                .domain()
                .entities
                .iter()
                .map(|entity| entity.name)
                .collect(),
        }
    }

    /// The prompts to run.
    #[must_use]
    pub fn trials(&self, settings: &Settings) -> Vec<Trial> {
        let lab = settings.lab();
        match settings.task {
            Task::Recall => self
                .questions(lab.family)
                .get(lab.item)
                .map(|pair| recall(pair, lab))
                .into_iter()
                .collect(),
            Task::Flexible => self
                .named
                .iter()
                .filter(|pair| pair.plain.bridge == lab.source)
                .map(|pair| recall(pair, lab))
                .collect(),
            Task::Couplets => self
                .couplets
                .get(lab.item)
                .map(|couplet| rhyme(couplet, lab))
                .into_iter()
                .collect(),
            Task::Languages => self
                .opposites(lab)
                .nth(lab.item)
                .map(|opposite| other_language(opposite, lab))
                .into_iter()
                .collect(),
        }
    }
}

fn entry(prompt: &str, part: Part) -> String {
    let seen = if part == Part::Trained {
        "seen in training: "
    } else {
        ""
    };
    format!("{seen}{}", spoken(prompt))
}

/// A prompt without its start mark.
#[must_use]
pub fn spoken(prompt: &str) -> &str {
    prompt.strip_prefix("<s> ").unwrap_or(prompt)
}

fn recall(pair: &Pair, lab: &Lab) -> Trial {
    let question = pair.get(lab.filler);
    let asks = question
        .relation
        .map_or("", |r| question.family.domain().relations[r].name);
    let wanted = wanted_answer(question, &lab.target);
    Trial {
        asks,
        prompt: question.prompt.clone(),
        right: question.answer,
        wanted,
        part: question.part,
    }
}

fn rhyme(couplet: &Couplet, lab: &Lab) -> Trial {
    let wanted = ending(&lab.target).map(|ending| ending.noun);
    Trial {
        asks: "rhyme",
        prompt: couplet.prompt.clone(),
        right: couplet.noun,
        wanted,
        part: couplet.part,
    }
}

/// The source may be the English word of the question or of the answer; the target then stands on the same side.
fn other_language(opposite: &Opposite, lab: &Lab) -> Trial {
    let target = concept_of(&lab.target);
    let wanted = if lab.source == opposite.english_answer {
        target
    } else {
        target.map(|concept| concept ^ 1)
    };
    Trial {
        asks: "opposite",
        prompt: opposite.prompt.clone(),
        right: opposite.answer,
        wanted: wanted.map(|concept| CONCEPTS[concept][opposite.language]),
        part: opposite.part,
    }
}

/// Index of an English adjective.
fn concept_of(english: &str) -> Option<usize> {
    CONCEPTS.iter().position(|names| names[0] == english)
}

/// The answer to a question if it were about the entity of that name.
fn wanted_answer(question: &Question, name: &str) -> Option<&'static str> {
    let domain = question.family.domain();
    Some(domain.entities[domain.entity(name)?].answers[question.relation?])
}

/// An entity with another answer: a well-known one if possible.
fn other_entity(question: &Question) -> &'static str {
    let entities = question.family.domain().entities;
    let differs =
        |name: &str| wanted_answer(question, name).is_some_and(|answer| answer != question.answer);
    let known = ["ant", "china"].into_iter().find(|name| differs(name));
    known
        .or_else(|| {
            entities
                .iter()
                .map(|entity| entity.name)
                .find(|name| differs(name))
        })
        .unwrap_or(question.bridge)
}

/// The line ending with this rhyme word.
#[must_use]
pub fn ending(noun: &str) -> Option<&'static Ending> {
    THEMES
        .iter()
        .flat_map(|theme| theme.endings.iter())
        .find(|ending| ending.noun == noun)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recall_on(item: usize) -> (Catalogue, Settings) {
        let (catalogue, mut settings) = (Catalogue::standard(), Settings::default());
        catalogue.choose(&mut settings, item);
        (catalogue, settings)
    }

    #[test]
    fn starts_with_the_spider() {
        let (catalogue, settings) = (Catalogue::standard(), Settings::default());
        let trials = catalogue.trials(&settings);
        assert_eq!(trials.len(), 1);
        assert_eq!(
            (trials[0].prompt.as_str(), trials[0].right, trials[0].wanted),
            (FEATURED, "8", Some("6"))
        );
    }

    #[test]
    fn all_test_prompts_are_offered() {
        let (catalogue, mut settings) = (Catalogue::standard(), Settings::default());
        assert!(catalogue.offers(&settings).len() >= 101);
        catalogue.turn_to(&mut settings, Family::Countries);
        assert_eq!(catalogue.offers(&settings).len(), 38);
        settings.task = Task::Couplets;
        assert!(catalogue.offers(&settings)[0].starts_with("the farmer counted to four , /"));
        assert!(catalogue.offers(&settings).len() >= 22);
    }

    #[test]
    fn every_offered_prompt_gets_a_target_with_another_answer() {
        for family in Family::BOTH {
            let (catalogue, mut settings) = (Catalogue::standard(), Settings::default());
            catalogue.turn_to(&mut settings, family);
            for item in 0..catalogue.offers(&settings).len() {
                catalogue.choose(&mut settings, item);
                let trial = &catalogue.trials(&settings)[0];
                assert!(
                    trial.wanted.is_some_and(|wanted| wanted != trial.right),
                    "{}",
                    trial.prompt
                );
            }
        }
    }

    #[test]
    fn one_swap_five_questions() {
        let (catalogue, mut settings) = (Catalogue::standard(), Settings::default());
        settings.task = Task::Flexible;
        let asked: Vec<_> = catalogue
            .trials(&settings)
            .iter()
            .map(|t| (t.asks, t.right, t.wanted))
            .collect();
        assert_eq!(asked.len(), 5);
        assert_eq!(asked[0], ("capital", "paris", Some("beijing")));
        settings.lab_mut().filler = true;
        assert!(catalogue.trials(&settings)[0].prompt.contains(FILLER));
    }

    #[test]
    fn couplets_swap_within_the_sound() {
        let (catalogue, mut settings) = (Catalogue::standard(), Settings::default());
        settings.task = Task::Couplets;
        let trial = &catalogue.trials(&settings)[0];
        assert_eq!((trial.right, trial.wanted), ("store", Some("shore")));
        catalogue.choose(&mut settings, 3);
        let (source, target) = (settings.lab().source.clone(), settings.lab().target.clone());
        let sound = |noun: &str| {
            THEMES
                .iter()
                .find_map(|t| t.endings.iter().position(|e| e.noun == noun))
        };
        assert_eq!(sound(&source), sound(&target));
        assert_ne!(source, target);
    }

    #[test]
    fn opposites_are_asked_in_another_language() {
        let (catalogue, mut settings) = (Catalogue::standard(), Settings::default());
        settings.task = Task::Languages;
        assert_eq!(catalogue.offers(&settings).len(), 25);
        let trial = |settings: &Settings| {
            let trial = catalogue.trials(settings).remove(0);
            (trial.right, trial.wanted)
        };
        assert_eq!(trial(&settings), ("小", Some("短")));
        // the English word of the answer instead of the question's
        settings.lab_mut().source = "small".into();
        settings.lab_mut().target = "short".into();
        assert_eq!(trial(&settings), ("小", Some("短")));
        catalogue.speak(&mut settings, false);
        assert_eq!(settings.lab().source, "big");
        for item in 0..catalogue.offers(&settings).len() {
            catalogue.choose(&mut settings, item);
            let (right, wanted) = trial(&settings);
            assert!(wanted.is_some_and(|wanted| wanted != right), "{right}");
        }
    }

    #[test]
    fn a_word_outside_the_tables_has_no_wanted_answer() {
        let (catalogue, mut settings) = recall_on(0);
        settings.lab_mut().target = "house".into();
        assert_eq!(catalogue.trials(&settings)[0].wanted, None);
    }
}
