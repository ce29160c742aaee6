//! What has been found out about the engine, and how it is said.

use crate::client::{Choice, Engine, GpuState};
use engine::protocol::{About, Backend, GpuCheck, Parity, Speed};

/// Work that the panel has asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Task {
    /// None.
    #[default]
    Idle,
    /// Under way; what is being done.
    Running(String),
    /// It failed; for the reader.
    Failed(String),
}

/// Everything that was found out on one backend.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// On what; findings of another backend are dropped.
    pub backend: Option<Backend>,
    /// Family and part, in the order of the comparison.
    pub parity: Vec<(String, Parity)>,
    /// Families compared to their end.
    pub ended: Vec<String>,
    /// Whether every fixture has been compared.
    pub complete: bool,
    /// Speed.
    pub speed: Option<Speed>,
}

impl Findings {
    /// Starts over unless these are of that backend already.
    pub fn on(&mut self, backend: Backend) {
        if self.backend != Some(backend) {
            *self = Self {
                backend: Some(backend),
                ..Self::default()
            };
        }
    }

    /// Begins the comparison anew.
    pub fn compare_anew(&mut self) {
        self.parity.clear();
        self.ended.clear();
        self.complete = false;
    }

    /// One part of a family. A worker that replaces another begins the family again.
    pub fn add(&mut self, family: &str, parity: Parity) {
        let same = |(name, p): &(String, Parity)| name == family && p.part == parity.part;
        if let Some(at) = self.parity.iter().position(same) {
            self.parity.truncate(at);
        }
        self.parity.push((family.to_owned(), parity));
    }

    /// A family has been compared to its end.
    pub fn end(&mut self, family: &str) {
        self.ended.push(family.to_owned());
    }

    /// The first family that is still to be compared on this backend; once there is none, the comparison is complete. Those
    /// that another backend had done meanwhile come again.
    pub fn next(&mut self, families: &[String]) -> Option<usize> {
        let open = families.iter().position(|f| !self.ended.contains(f));
        self.complete = open.is_none();
        open
    }

    /// In a sentence; nothing before the first comparison.
    pub fn verdict(&self) -> Option<(bool, String)> {
        let failed = self.parity.iter().filter(|(_, p)| !p.passed()).count();
        let compared: u32 = self.parity.iter().map(|(_, p)| p.compared).sum();
        let worst = self.parity.iter().map(|(_, p)| p.error).fold(0.0, f64::max);
        if self.parity.is_empty() {
            return None;
        }
        let text = match (failed, self.complete) {
            (0, true) => format!(
                "Passed: {compared} results, largest error {worst:.1e}, the same first ten words everywhere."
            ),
            (0, false) => format!("{compared} results so far, largest error {worst:.1e}."),
            (n, _) => format!("Failed: {n} of {} comparisons.", self.parity.len()),
        };
        Some((failed == 0, text))
    }
}

/// What computes, in words.
pub fn computing(about: &About) -> String {
    match &about.gpu {
        None => "the processor (WebAssembly with 128-bit SIMD)".into(),
        Some(check) => format!("the GPU (WebGPU): {}", check.adapter),
    }
}

/// What is known of the GPU, in words.
pub fn gpu_in_words(engine: &Engine) -> String {
    match &engine.gpu {
        GpuState::Untried if engine.choice == Choice::Only(Backend::Cpu) => {
            "not tried: the processor was chosen".into()
        }
        GpuState::Untried => "not tried yet".into(),
        GpuState::Trying => "being tried in the background".into(),
        GpuState::Unfit(why) => format!("not used: {why}"),
        GpuState::Checked(check) if check.worthwhile => check.adapter.clone(),
        GpuState::Checked(check) => format!(
            "{}; right, but not faster than the processor",
            check.adapter
        ),
    }
}

/// The self-check, in words.
pub fn self_check(check: &GpuCheck) -> String {
    format!(
        "largest error {:.1e} of {:.0e} allowed, in {}",
        check.error, check.tolerance, check.precision
    )
}

/// Its timing, in words.
pub fn timing(check: &GpuCheck) -> String {
    let ms = |s: f64| format!("{:.1} ms", 1e3 * s);
    match check.seconds {
        None => "not timed: a software adapter is never faster".into(),
        Some([gpu, cpu]) => format!(
            "{} on the GPU, {} on one processor core: {:.1} times as fast",
            ms(gpu),
            ms(cpu),
            cpu / gpu.max(1e-9)
        ),
    }
}

/// Speed, in words: fit, product, and their ratio.
pub fn speed_in_words(speed: &Speed) -> [String; 3] {
    let [best, median] = speed.prompts_per_second;
    let rate = |prompts: f64| prompts * speed.gflop_per_prompt;
    [
        format!(
            "{best:.1} prompts of {} tokens per second ({median:.1} in the middle of {} rounds), {:.1} GFLOP/s",
            speed.tokens,
            speed.rounds,
            rate(best)
        ),
        format!("{:.1} GFLOP/s ({:.1})", speed.peak[0], speed.peak[1]),
        format!("{:.2}", rate(best) / speed.peak[0].max(1e-9)),
    ]
}

/// All of it as plain text, to be copied into a message.
pub fn report(engine: &Engine, findings: &Findings, browser: &str) -> String {
    let mut text = format!(
        "The Jacobian lens, live {}\nbrowser: {browser}\n",
        engine::BUILD
    );
    let mut line = |name: &str, value: String| text.push_str(&format!("{name}: {value}\n"));
    line("chosen by", engine.choice.name().into());
    if let Some(about) = &engine.using {
        line("computing now", computing(about));
    }
    line("GPU", gpu_in_words(engine));
    if let GpuState::Checked(check) = &engine.gpu {
        line("self-check", self_check(check));
        line("timing", timing(check));
    }
    for (family, p) in &findings.parity {
        let verdict = if p.passed() { "pass" } else { "FAIL" };
        line(
            &format!("{family}, {}", p.part),
            format!(
                "{verdict}, {} results, largest error {:.2e} ({}), {} with other words",
                p.compared, p.error, p.worst, p.other_words
            ),
        );
    }
    if let Some(speed) = &findings.speed {
        let [fit, product, share] = speed_in_words(speed);
        line("fit", fit);
        line("matrix product", product);
        line("share", share);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parity(error: f64, other_words: u32) -> Parity {
        Parity {
            part: "fits".into(),
            compared: 10,
            error,
            worst: "J.all, state 1".into(),
            tolerance: 1e-3,
            other_words,
        }
    }

    fn check() -> GpuCheck {
        GpuCheck {
            adapter: "A fine GPU (BrowserWebGpu)".into(),
            software: false,
            precision: "f32".into(),
            error: 2e-6,
            tolerance: 1e-3,
            seconds: Some([0.005, 0.05]),
            worthwhile: true,
        }
    }

    #[test]
    fn a_verdict_needs_every_fixture_and_every_word() {
        let mut findings = Findings::default();
        assert_eq!(findings.verdict(), None);
        findings.parity.push(("llama".into(), parity(1e-5, 0)));
        assert_eq!(
            findings.verdict(),
            Some((true, "10 results so far, largest error 1.0e-5.".into()))
        );
        findings.complete = true;
        let (passed, text) = findings.verdict().unwrap();
        assert!(passed && text.starts_with("Passed: 10 results"), "{text}");
        findings.parity.push(("gpt2".into(), parity(1e-5, 1)));
        findings
            .parity
            .push(("gpt2".into(), parity(f64::INFINITY, 0)));
        assert_eq!(
            findings.verdict(),
            Some((false, "Failed: 2 of 3 comparisons.".into()))
        );
    }

    #[test]
    fn findings_of_another_backend_are_dropped() {
        let mut findings = Findings::default();
        findings.on(Backend::Cpu);
        findings.complete = true;
        findings.on(Backend::Cpu);
        assert!(findings.complete);
        findings.on(Backend::Gpu);
        assert_eq!(
            (findings.complete, findings.backend),
            (false, Some(Backend::Gpu))
        );
    }

    #[test]
    fn a_change_of_backend_amid_the_comparison_leaves_no_family_out() {
        let families = ["gpt2", "llama", "mistral"].map(str::to_owned);
        let mut findings = Findings::default();
        findings.on(Backend::Cpu);
        findings.compare_anew();
        assert_eq!(findings.next(&families), Some(0));
        findings.add("gpt2", parity(1e-5, 0));
        findings.end("gpt2");
        assert_eq!(findings.next(&families), Some(1));
        findings.add("llama", parity(1e-5, 0));
        findings.on(Backend::Gpu);
        findings.add("llama", parity(2e-5, 0)); // the new backend's: the request was sent again
        findings.end("llama");
        for missing in [0, 2] {
            assert_eq!(findings.next(&families), Some(missing));
            assert!(!findings.complete);
            findings.add(&families[missing], parity(1e-5, 0));
            findings.end(&families[missing]);
        }
        assert_eq!((findings.next(&families), findings.complete), (None, true));
        assert_eq!(findings.parity.len(), 3);
    }

    #[test]
    fn a_family_that_begins_again_is_not_counted_twice() {
        let mut findings = Findings::default();
        findings.add("gpt2", parity(1e-5, 0));
        findings.add("llama", parity(1.0, 0));
        findings.add("llama", parity(1e-5, 0));
        let errors: Vec<f64> = findings.parity.iter().map(|(_, p)| p.error).collect();
        assert_eq!(errors, [1e-5, 1e-5]);
    }

    #[test]
    fn the_report_tells_everything() {
        let engine = Engine {
            choice: Choice::Automatic,
            using: Some(About {
                backend: Backend::Gpu,
                gpu: Some(check()),
            }),
            gpu: GpuState::Checked(check()),
        };
        let findings = Findings {
            parity: vec![("llama".into(), parity(2e-3, 0))],
            speed: Some(Speed {
                prompts_per_second: [10.0, 9.0],
                gflop_per_prompt: 2.0,
                peak: [40.0, 38.0],
                tokens: 64,
                rounds: 7,
            }),
            ..Findings::default()
        };
        let text = report(&engine, &findings, "Test 1.0");
        for part in [
            "browser: Test 1.0",
            "computing now: the GPU (WebGPU): A fine GPU",
            "self-check: largest error 2.0e-6 of 1e-3 allowed, in f32",
            "5.0 ms on the GPU, 50.0 ms on one processor core: 10.0 times as fast",
            "llama, fits: FAIL, 10 results, largest error 2.00e-3 (J.all, state 1)",
            "fit: 10.0 prompts of 64 tokens per second (9.0 in the middle of 7 rounds), 20.0 GFLOP/s",
            "share: 0.50",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }
}
