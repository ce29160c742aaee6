//! The settings of Figure 1 as text for a link: `layer;position;map;targets;word;prompt`.

use super::settings::{At, Lens, Settings};
use crate::figures::text::{target_from, target_id};

/// Longest prompt that a link may carry, in bytes.
const LONGEST: usize = 2000;

/// Writes settings.
#[must_use]
pub fn to_link(settings: &Settings) -> String {
    let Settings {
        prompt,
        targets,
        tracked,
        at,
        lens,
    } = settings;
    format!(
        "{};{};{};{};{tracked};{prompt}",
        at.layer,
        at.position,
        lens.id(),
        target_id(*targets)
    )
}

/// Reads settings; `None` for text that is not a link's. Whether the model knows the words shows later.
#[must_use]
pub fn from_link(text: &str) -> Option<Settings> {
    let mut parts = text.splitn(6, ';');
    let at = At {
        layer: parts.next()?.parse().ok()?,
        position: parts.next()?.parse().ok()?,
    };
    let lens = [Lens::Logit, Lens::Jacobian];
    let id = parts.next()?;
    let lens = lens.into_iter().find(|lens| lens.id() == id)?;
    let targets = target_from(parts.next()?)?;
    let (tracked, prompt) = (parts.next()?.to_owned(), parts.next()?.to_owned());
    (prompt.len() <= LONGEST).then_some(Settings {
        prompt,
        targets,
        tracked,
        at,
        lens,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_back() {
        let mut settings = Settings::default();
        assert_eq!(from_link(&to_link(&settings)), Some(settings.clone()));
        settings.prompt = "a ; b = 大".into();
        settings.lens = Lens::Logit;
        assert_eq!(from_link(&to_link(&settings)), Some(settings));
    }

    #[test]
    fn nonsense_is_no_link() {
        let long = format!("2;3;logit;all;spider;{}", "x".repeat(LONGEST + 1));
        for text in [
            "",
            "2;3",
            "x;3;logit;all;spider;the",
            "2;3;other;all;spider;the",
            "2;3;logit;none;spider;the",
            &long,
        ] {
            assert_eq!(from_link(text), None, "{text}");
        }
        assert!(from_link("2;3;logit;all;spider;").is_some_and(|s| s.prompt.is_empty()));
    }
}
