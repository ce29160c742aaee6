//! The settings of the laboratory's task in sight as text for a link:
//! `task;family;prompt;filler;source;target;first;last;targets;mode;strength;centred`, for languages with the language in place
//! of the family; `;control` at the end for the model without the window.

use super::settings::{Lab, Mode, Settings, Task};
use crate::figures::text::{target_from, target_id};
use smallworld::Family;

/// Layers beyond this are nonsense in a link; the model's own depth is checked when it is there.
const DEEPEST: usize = 64;

/// End of a link to the control model.
const CONTROL: &str = ";control";

const MODES: [(Mode, &str); 5] = [
    (Mode::Clamped, "clamped"),
    (Mode::Live, "live"),
    (Mode::Project, "project"),
    (Mode::Steer, "steer"),
    (Mode::Ablate, "ablate"),
];

const fn task_id(task: Task) -> &'static str {
    match task {
        Task::Recall => "recall",
        Task::Flexible => "flexible",
        Task::Couplets => "couplets",
        Task::Languages => "languages",
    }
}

/// Writes the task in sight and its settings.
#[must_use]
pub fn to_link(settings: &Settings) -> String {
    let lab = settings.lab();
    let mode = MODES
        .iter()
        .find(|(mode, _)| *mode == lab.mode)
        .map_or("", |(_, id)| id);
    let flag = |flag: bool| u8::from(flag);
    let (task, targets) = (task_id(settings.task), target_id(lab.targets));
    let (first, last) = (lab.band[0], lab.band[1]);
    let about = match (settings.task, lab.chinese) {
        (Task::Languages, true) => "chinese",
        (Task::Languages, false) => "french",
        _ => lab.family.name(),
    };
    let control = if settings.windowless { CONTROL } else { "" };
    let what = format!(
        "{task};{about};{};{};{};{}",
        lab.item,
        flag(lab.filler),
        lab.source,
        lab.target
    );
    format!(
        "{what};{first};{last};{targets};{mode};{};{}{control}",
        lab.strength,
        flag(lab.centred)
    )
}

/// Reads settings; `None` for text that is not a link's.
#[must_use]
pub fn from_link(text: &str) -> Option<Settings> {
    let (text, windowless) = match text.strip_suffix(CONTROL) {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let parts: Vec<&str> = text.split(';').collect();
    let [
        task,
        family,
        item,
        filler,
        source,
        target,
        first,
        last,
        targets,
        mode,
        strength,
        centred,
    ] = parts[..]
    else {
        return None;
    };
    let flag = |text: &str| {
        ["0", "1"]
            .iter()
            .position(|known| *known == text)
            .map(|at| at == 1)
    };
    let mut settings = Settings::default();
    settings.task = Task::ALL
        .map(|(task, _)| task)
        .into_iter()
        .find(|known| task_id(*known) == task)?;
    let strength: f64 = strength.parse().ok()?;
    let band = [first.parse().ok()?, last.parse().ok()?];
    let sane =
        band[0] >= 1 && band[0] <= band[1] && band[1] <= DEEPEST && (0.0..=3.0).contains(&strength);
    settings.windowless = windowless;
    let (family, chinese) = about(settings.task, family)?;
    *settings.lab_mut() = Lab {
        family,
        chinese,
        item: item.parse().ok()?,
        filler: flag(filler)?,
        source: source.to_owned(),
        target: target.to_owned(),
        band,
        targets: target_from(targets)?,
        mode: MODES.iter().find(|(_, id)| *id == mode)?.0,
        strength,
        centred: flag(centred)?,
    };
    sane.then_some(settings)
}

/// Family, and whether it is asked in Chinese.
fn about(task: Task, text: &str) -> Option<(Family, bool)> {
    match (task, text) {
        (Task::Languages, "chinese") => Some((Family::Animals, true)),
        (Task::Languages, "french") => Some((Family::Animals, false)),
        (Task::Languages, _) => None,
        _ => {
            let mut all = Family::BOTH.into_iter();
            Some((all.find(|known| known.name() == text)?, true))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_back() {
        for (task, _) in Task::ALL {
            let mut settings = Settings::default();
            settings.task = task;
            assert_eq!(from_link(&to_link(&settings)), Some(settings.clone()));
            let lab = settings.lab_mut();
            (lab.mode, lab.strength, lab.centred, lab.band, lab.item) =
                (Mode::Steer, 0.3, true, [2, 6], 4);
            lab.chinese = task != Task::Languages;
            settings.windowless = true;
            assert_eq!(from_link(&to_link(&settings)), Some(settings));
        }
    }

    #[test]
    fn nonsense_is_no_link() {
        let good = to_link(&Settings::default());
        assert!(from_link(&good).is_some());
        let changed = [
            ("recall", "sing"),
            ("recall", "languages"),
            ("animals", "plants"),
            (";1;2;", ";2;1;"),
            (";1;2;", ";0;2;"),
            (";1;2;", ";1;99;"),
            ("clamped;1", "clamped;NaN"),
        ];
        for (from, to) in changed {
            assert_eq!(from_link(&good.replacen(from, to, 1)), None, "{to}");
        }
        assert_eq!(from_link(""), None);
        assert_eq!(from_link(&format!("{good};more")), None);
    }
}
