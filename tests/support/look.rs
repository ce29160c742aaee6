//! How the page is looked at: window size, colour scheme, touch, scripting.

use crate::Result;
use serde_json::json;
use thirtyfour::WebDriver;

/// How the page is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Width of the window in CSS pixels.
    pub width: u32,
    /// Height of the window in CSS pixels.
    pub height: u32,
    /// Dark colour scheme.
    pub dark: bool,
    /// A phone: touch screen, mobile viewport.
    pub touch: bool,
    /// Scripts run.
    pub scripting: bool,
    /// The reader asked for less motion.
    pub reduced_motion: bool,
    /// The system replaces the page's colours by a few of its own.
    pub forced_colours: bool,
    /// Enlargement by the browser: at 2 the page has half the window's width.
    pub zoom: f64,
    /// A deficiency of colour vision, in the protocol's words: `deuteranopia`, `protanopia`, `tritanopia`; `none`.
    pub vision: &'static str,
    /// Letters drawn alike on every machine, for photographs that are compared.
    pub steady: bool,
}

impl Look {
    /// A desktop window, 1280 pixels wide, light.
    pub fn desktop() -> Self {
        Self {
            width: 1280,
            height: 900,
            dark: false,
            touch: false,
            scripting: true,
            reduced_motion: true,
            forced_colours: false,
            zoom: 1.0,
            vision: "none",
            steady: false,
        }
    }

    /// A small phone, 360 pixels wide, light.
    pub fn phone() -> Self {
        Self {
            width: 360,
            height: 740,
            touch: true,
            ..Self::desktop()
        }
    }

    /// The same with letters drawn alike on every machine.
    pub fn steady(self) -> Self {
        Self {
            steady: true,
            ..self
        }
    }

    /// The same in the dark colour scheme.
    pub fn dark(self) -> Self {
        Self { dark: true, ..self }
    }

    /// Ways to look at the page besides the usual four, by name: what a reader may have set up, or have.
    pub fn special(name: &str) -> Option<Self> {
        let desktop = Self::desktop();
        let vision = |vision| Self { vision, ..desktop };
        Some(match name {
            "forced" => Self {
                forced_colours: true,
                ..desktop.dark()
            },
            "zoomed" => Self {
                zoom: 2.0,
                ..desktop
            },
            "tablet" => Self {
                width: 800,
                ..desktop
            },
            "huge" => Self {
                width: 3840,
                height: 2160,
                ..desktop
            },
            "deuteranopia" => vision("deuteranopia"),
            "protanopia" => vision("protanopia"),
            "tritanopia" => vision("tritanopia"),
            _ => return None,
        })
    }

    /// The same with scripts switched off.
    pub fn without_scripting(self) -> Self {
        Self {
            scripting: false,
            ..self
        }
    }

    /// A name for files: `1280-light`.
    pub fn name(&self) -> String {
        format!(
            "{}-{}",
            self.width,
            if self.dark { "dark" } else { "light" }
        )
    }

    /// Makes a browser look this way; holds until changed.
    pub async fn apply(&self, driver: &WebDriver) -> Result {
        let cdp = driver.cdp();
        let css_pixels = |window: u32| (f64::from(window) / self.zoom).round();
        let metrics = json!({
            "width": css_pixels(self.width), "height": css_pixels(self.height),
            "deviceScaleFactor": self.zoom, "mobile": self.touch,
        });
        cdp.send_raw("Emulation.setDeviceMetricsOverride", metrics)
            .await?;
        let scheme = if self.dark { "dark" } else { "light" };
        let motion = if self.reduced_motion {
            "reduce"
        } else {
            "no-preference"
        };
        let features = json!({"features": [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion},
            {"name": "forced-colors", "value": if self.forced_colours { "active" } else { "none" }},
        ]});
        cdp.send_raw("Emulation.setEmulatedMedia", features).await?;
        let vision = json!({"type": self.vision});
        cdp.send_raw("Emulation.setEmulatedVisionDeficiency", vision)
            .await?;
        let touch = json!({"enabled": self.touch, "maxTouchPoints": 5});
        cdp.send_raw("Emulation.setTouchEmulationEnabled", touch)
            .await?;
        let scripts = json!({"value": !self.scripting});
        cdp.send_raw("Emulation.setScriptExecutionDisabled", scripts)
            .await?;
        Ok(())
    }
}
