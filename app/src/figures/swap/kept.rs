//! What the report has counted already, for the settings that it uses.

use super::settings::{Mode, Settings, Task};
use crate::figures::stored::Stored;
use engine::protocol::Targets;
use smallworld::Family;

/// The stored shares of the lens vectors, the unembedding and the random directions; `None` for settings that were not counted.
#[must_use]
pub fn kept(settings: &Settings, row: impl Fn(&str) -> Option<Stored>) -> Option<[Stored; 3]> {
    let lab = settings.lab();
    let family = match lab.family {
        Family::Animals => "animals",
        Family::Countries => "countries",
    };
    let form = if lab.filler { "filler" } else { "plain" };
    let id = format!("swap.{family}.{form}");
    let counted = settings.task == Task::Recall
        && !settings.windowless
        && !lab.centred
        && lab.band == [1, 2]
        && (lab.targets, lab.mode) == (Targets::All, Mode::Clamped);
    let rows = [id.clone(), format!("{id}#baseline"), format!("{id}.random")];
    let [lens, logit, random] = rows.map(|id| row(&id));
    counted.then_some([lens?, logit?, random?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_counted_is_shown() {
        let row = |id: &str| {
            let value = match id {
                "swap.animals.plain" => 0.75,
                "swap.animals.plain#baseline" => 0.5,
                "swap.animals.plain.random" => 0.25,
                _ => return None,
            };
            Some(Stored {
                value,
                n: 404,
                interval: None,
            })
        };
        let mut settings = Settings::default();
        let shares = kept(&settings, row).unwrap().map(|s| s.value);
        assert_eq!(shares, [0.75, 0.5, 0.25]);
        settings.lab_mut().filler = true;
        assert_eq!(kept(&settings, row), None);
        settings.lab_mut().filler = false;
        settings.lab_mut().band = [1, 3];
        assert_eq!(kept(&settings, row), None);
        settings = Settings::default();
        settings.windowless = true;
        assert_eq!(kept(&settings, row), None);
    }
}
