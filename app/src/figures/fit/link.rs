//! The choices for a fit as text for a link: `prompts,targets,frozen,penultimate,median,workers,layer`.

use super::settings::{MOST_PROMPTS, Settings};
use crate::figures::text::{target_from, target_id};

/// Layers and workers beyond this are nonsense in a link.
const MOST: usize = 64;

/// Writes choices.
#[must_use]
pub fn to_link(settings: &Settings) -> String {
    let flag = |flag: bool| u8::from(flag);
    format!(
        "{},{},{},{},{},{},{}",
        settings.prompts,
        target_id(settings.targets),
        flag(settings.frozen),
        flag(settings.penultimate),
        flag(settings.median),
        settings.workers,
        settings.layer
    )
}

/// Reads choices; `None` for text that is not a link's. Numbers outside their ranges are brought inside.
#[must_use]
pub fn from_link(text: &str) -> Option<Settings> {
    let parts: Vec<&str> = text.split(',').collect();
    let [
        prompts,
        targets,
        frozen,
        penultimate,
        median,
        workers,
        layer,
    ] = parts[..]
    else {
        return None;
    };
    let flag = |text: &str| match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    };
    Some(Settings {
        prompts: prompts.parse::<u32>().ok()?.clamp(1, MOST_PROMPTS),
        targets: target_from(targets)?,
        frozen: flag(frozen)?,
        penultimate: flag(penultimate)?,
        median: flag(median)?,
        workers: workers.parse::<usize>().ok()?.min(MOST),
        layer: layer.parse::<usize>().ok()?.min(MOST),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_back_and_nonsense_is_none() {
        let settings = Settings {
            prompts: 40,
            frozen: true,
            workers: 2,
            layer: 5,
            ..Settings::default()
        };
        assert_eq!(to_link(&settings), "40,all,1,0,0,2,5");
        assert_eq!(from_link("40,all,1,0,0,2,5"), Some(settings));
        assert_eq!(
            from_link("4000,all,0,0,0,2,5").map(|s| s.prompts),
            Some(MOST_PROMPTS)
        );
        for text in [
            "",
            "40",
            "40,all,2,0,0,2,5",
            "-1,all,0,0,0,2,5",
            "40,none,0,0,0,2,5",
            "1,all,0,0,0,2,5,9",
        ] {
            assert_eq!(from_link(text), None, "{text}");
        }
    }
}
