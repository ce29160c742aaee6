//! What the reader has chosen in the swap laboratory. Plain data: one struct holds everything that a link to it would need.

use crate::figures::room::Room;
use engine::protocol::{EditMode, Targets, Vectors};
use smallworld::Family;

/// What the model is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// A question whose answer goes through an unspoken word.
    Recall,
    /// One swap of two countries, five questions.
    Flexible,
    /// A couplet whose rhyme is planned.
    Couplets,
    /// An opposite asked in another language.
    Languages,
}

impl Task {
    /// All tasks with their labels.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Recall, "recall"),
        (Self::Flexible, "flexible use"),
        (Self::Couplets, "couplets"),
        (Self::Languages, "languages"),
    ];

    const fn index(self) -> usize {
        match self {
            Self::Recall => 0,
            Self::Flexible => 1,
            Self::Couplets => 2,
            Self::Languages => 3,
        }
    }
}

/// Which directions stand for the two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Lens vectors of the J-lens.
    Jacobian,
    /// Rows of the unembedding: the logit lens.
    Logit,
    /// Random directions, matched to the lens vectors in length and angle.
    Random,
}

impl Kind {
    /// All kinds, in the order shown.
    pub const ALL: [Self; 3] = [Self::Jacobian, Self::Logit, Self::Random];

    /// Value of `data-lens`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Jacobian => "jacobian",
            Self::Logit => "logit",
            Self::Random => "random",
        }
    }

    /// Shorter, where the context says what it is about.
    #[must_use]
    pub const fn short(self) -> &'static str {
        match self {
            Self::Jacobian => "J-lens",
            Self::Logit => "unembedding",
            Self::Random => "random",
        }
    }

    /// For readers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Jacobian => "J-lens vectors",
            Self::Logit => "unembedding vectors",
            Self::Random => "random directions",
        }
    }
}

/// How the edit is made; strengths are kept beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Coordinates exchanged, set to those of the clean pass.
    Clamped,
    /// Coordinates exchanged in whatever arrives.
    Live,
    /// The source's share moved along to the target.
    Project,
    /// The target's direction added.
    Steer,
    /// The source's direction removed.
    Ablate,
}

impl Mode {
    /// All modes with their labels.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Clamped, "exchange, clamped to the clean pass"),
        (Self::Live, "exchange, live at every layer"),
        (Self::Project, "projection move"),
        (Self::Steer, "steering toward the target"),
        (Self::Ablate, "ablation of the source"),
    ];

    /// Label.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(mode, _)| *mode == self)
            .map_or("", |(_, name)| name)
    }

    /// Whether the strength matters.
    #[must_use]
    pub const fn has_strength(self) -> bool {
        matches!(self, Self::Project | Self::Steer)
    }
}

/// The settings of one task.
#[derive(Clone, Debug, PartialEq)]
pub struct Lab {
    /// Animals or countries (recall).
    pub family: Family,
    /// Asked in Chinese, not in French (languages).
    pub chinese: bool,
    /// Index of the prompt in the catalogue's list.
    pub item: usize,
    /// With ", let me think ,".
    pub filler: bool,
    /// Word whose direction is read.
    pub source: String,
    /// Word that takes its place.
    pub target: String,
    /// First and last layer.
    pub band: [usize; 2],
    /// Which J-lens.
    pub targets: Targets,
    /// How the edit is made.
    pub mode: Mode,
    /// Strength of a projection move or of steering.
    pub strength: f64,
    /// Subtract the vocabulary's mean vector.
    pub centred: bool,
}

/// Seed of the random directions: any; fixed so that the figure shows the same to everybody.
const SEED: u64 = 1;

impl Lab {
    fn start(task: Task) -> Self {
        let (family, source, target, band, targets) = match task {
            Task::Recall => (Family::Animals, "spider", "ant", [1, 2], Targets::All),
            Task::Flexible => (Family::Countries, "france", "china", [1, 3], Targets::All),
            Task::Couplets => (Family::Animals, "store", "shore", [1, 4], Targets::Future),
            Task::Languages => (Family::Animals, "big", "long", [1, 2], Targets::All),
        };
        Self {
            family,
            chinese: true,
            item: 0,
            filler: false,
            source: source.to_owned(),
            target: target.to_owned(),
            band,
            targets,
            mode: Mode::Clamped,
            strength: 1.0,
            centred: false,
        }
    }

    /// For the worker.
    #[must_use]
    pub fn edit(&self) -> EditMode {
        let strength = self.strength as f32;
        match self.mode {
            Mode::Clamped => EditMode::SwapClamped,
            Mode::Live => EditMode::SwapLive,
            Mode::Project => EditMode::Project { strength },
            Mode::Steer => EditMode::Steer { strength },
            Mode::Ablate => EditMode::Ablate,
        }
    }

    /// For the worker.
    #[must_use]
    pub fn vectors(&self, kind: Kind) -> Vectors {
        match kind {
            Kind::Jacobian => Vectors::Jacobian(self.targets),
            Kind::Logit => Vectors::Logit,
            Kind::Random => Vectors::Random(SEED),
        }
    }

    /// The intervention in words: "layers 1–2, all targets, exchange, clamped to the clean pass".
    #[must_use]
    pub fn describe(&self) -> String {
        let targets = match self.targets {
            Targets::All => "all targets",
            Targets::Same => "same position",
            Targets::Future => "future only",
        };
        let layers = match self.band {
            [a, b] if a == b => format!("layer {a}"),
            [a, b] => format!("layers {a}–{b}"),
        };
        let strength = if self.mode.has_strength() {
            format!(" at strength {:.2}", self.strength)
        } else {
            String::new()
        };
        let centred = if self.centred {
            ", centred vectors"
        } else {
            ""
        };
        format!(
            "{layers}, {targets}, {}{strength}{centred}",
            self.mode.name()
        )
    }
}

/// Everything that the reader can set; each task remembers its own settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The task in sight.
    pub task: Task,
    /// Whose coordinates are shown.
    pub inside: Kind,
    /// On the control model, without the window.
    pub windowless: bool,
    labs: [Lab; 4],
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            task: Task::Recall,
            inside: Kind::Jacobian,
            windowless: false,
            labs: Task::ALL.map(|(task, _)| Lab::start(task)),
        }
    }
}

impl Settings {
    /// The settings of the task in sight.
    #[must_use]
    pub fn lab(&self) -> &Lab {
        &self.labs[self.task.index()]
    }

    /// The same, to be changed.
    pub fn lab_mut(&mut self) -> &mut Lab {
        &mut self.labs[self.task.index()]
    }

    /// Brings the layers into the model.
    pub fn keep_inside(&mut self, room: Room) {
        let lab = self.lab_mut();
        lab.band = lab.band.map(|layer| room.layer(layer, 1));
    }

    /// The task in sight as it was at first.
    pub fn reset_task(&mut self) {
        *self.lab_mut() = Lab::start(self.task);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_as_the_text_says() {
        let mut settings = Settings::default();
        assert_eq!(
            (
                settings.lab().source.as_str(),
                settings.lab().target.as_str(),
                settings.lab().band
            ),
            ("spider", "ant", [1, 2])
        );
        assert_eq!(
            settings.lab().vectors(Kind::Jacobian),
            Vectors::Jacobian(Targets::All)
        );
        settings.task = Task::Couplets;
        assert_eq!(
            (settings.lab().band, settings.lab().targets),
            ([1, 4], Targets::Future)
        );
    }

    #[test]
    fn layers_beyond_the_model_become_its_last_one() {
        let mut settings = Settings::default();
        settings.lab_mut().band = [3, 64];
        settings.keep_inside(Room { last: 7, width: 96 });
        assert_eq!(settings.lab().band, [3, 7]);
        assert!(settings.lab().describe().starts_with("layers 3–7"));
    }

    #[test]
    fn each_task_keeps_its_own() {
        let mut settings = Settings::default();
        settings.lab_mut().band = [3, 5];
        settings.task = Task::Flexible;
        assert_eq!(settings.lab().band, [1, 3]);
        settings.task = Task::Recall;
        assert_eq!(settings.lab().band, [3, 5]);
        settings.reset_task();
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn interventions_in_words() {
        let mut lab = Lab::start(Task::Recall);
        assert_eq!(
            lab.describe(),
            "layers 1–2, all targets, exchange, clamped to the clean pass"
        );
        (lab.mode, lab.band, lab.centred) = (Mode::Steer, [4, 4], true);
        assert_eq!(
            lab.describe(),
            "layer 4, all targets, steering toward the target at strength 1.00, centred vectors"
        );
        assert_eq!(lab.edit(), EditMode::Steer { strength: 1.0 });
    }
}
