//! The program from the outside, on a small random model that it finds in a folder.

use formats::{LensFile, ModelFile, Precision, Vocabulary};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;
use transformer::{Config, Weights};

/// A folder with models/world.safetensors and models/words.json of the shipped family at toy size.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(path.join("models")).unwrap();
    std::fs::create_dir_all(path.join("lenses")).unwrap();
    let words = Vocabulary::new(smallworld::Vocabulary::standard().words().to_vec()).unwrap();
    let shipped = smallworld::train::settings::shipped_model();
    let config = Config {
        d_model: 24,
        n_layers: 2,
        n_heads: 2,
        n_kv_heads: 2,
        head_dim: 12,
        d_ff: 40,
        ..shipped
    };
    let config = Config {
        positions: transformer::Positions::Rope {
            base: 1000.0,
            rotary_dim: 12,
        },
        ..config
    };
    let mut weights = Weights::zeros(&config).unwrap();
    let wave = |(i, x): (usize, &mut f32)| *x = 0.7 * (i as f32 * 12.9898).sin();
    weights.flat.iter_mut().enumerate().for_each(wave);
    let model = ModelFile {
        name: "world".into(),
        vocabulary_hash: words.hash(),
        about: Default::default(),
        weights,
    };
    std::fs::write(
        path.join("models/world.safetensors"),
        model.write(Precision::F32).unwrap(),
    )
    .unwrap();
    std::fs::write(path.join("models/words.json"), words.write().unwrap()).unwrap();
    path
}

fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_jlens"));
    command
        .current_dir(folder)
        .args(words)
        .args(["--from", "."]);
    command
}

fn jlens(folder: &Path, words: &[&str]) -> Output {
    command(folder, words).output().unwrap()
}

/// Standard output of a command that must succeed.
fn good(folder: &Path, words: &[&str]) -> String {
    let out = jlens(folder, words);
    assert!(
        out.status.success(),
        "{words:?}: {}",
        String::from_utf8_lossy(&out.stderr)
    );
    String::from_utf8(out.stdout).unwrap()
}

/// Standard error of a command that must fail.
fn bad(folder: &Path, words: &[&str]) -> String {
    let out = jlens(folder, words);
    assert!(!out.status.success(), "{words:?} should have failed");
    String::from_utf8(out.stderr).unwrap()
}

fn json(folder: &Path, words: &[&str]) -> Value {
    let out = good(folder, &[words, &["--json"]].concat());
    serde_json::from_str(out.lines().last().unwrap()).unwrap()
}

const PROMPT: &str = "the number of legs on the spider is";

fn fitted(test: &str) -> PathBuf {
    let folder = folder(test);
    for targets in ["all", "same"] {
        let out = format!("lenses/world-{targets}.safetensors");
        let fit = [
            "fit",
            "--prompts",
            "3",
            "--length",
            "12",
            "--targets",
            targets,
            "--out",
            &out,
        ];
        good(&folder, &fit);
    }
    folder
}

#[test]
fn fit_read_swap_and_inspect_work_together() {
    let folder = fitted("together");

    let inspect = json(&folder, &["inspect"]);
    assert_eq!(inspect["model"]["config"]["d_model"], 24);
    let provenance = &inspect["lens"]["provenance"];
    assert_eq!(
        (&provenance["prompts_used"], &provenance["target_layer"]),
        (&3.into(), &2.into())
    );
    assert_eq!(provenance["weights_hash"], inspect["model"]["weights_hash"]);
    assert!(good(&folder, &["inspect"]).contains("|J - I| / |I|"));
    assert!(good(&folder, &["inspect", "--vocabulary"]).contains(" spider "));

    let read = json(
        &folder,
        &[
            "read",
            PROMPT,
            "--targets",
            "future",
            "--track",
            "spider",
            "--top",
            "3",
        ],
    );
    assert_eq!(read["tokens"].as_array().unwrap().len(), 9);
    let cells = read["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 2 * 3 * 9);
    for cell in cells {
        assert_eq!(cell["words"].as_array().unwrap().len(), 3);
        assert_eq!(cell["tracked"][0]["word"], "spider");
        // the last layer is the model's output, through either lens
        if cell["layer"] == 2 {
            assert_eq!(
                cell["words"],
                read["output"][cell["position"].as_u64().unwrap() as usize]
            );
        }
    }
    assert_eq!(read["lens"]["positions"], "future");
    let table = good(&folder, &["read", PROMPT, "--track", "spider"]);
    assert!(
        table.contains("Jacobian lens (all)") && table.contains("Logit lens: rank of \"spider\"")
    );

    let swap = json(
        &folder,
        &[
            "swap",
            PROMPT,
            "spider",
            "ant",
            "--band",
            "1",
            "--generate",
            "2",
        ],
    );
    assert_ne!(swap["clean"]["words"], swap["edited"]["words"]);
    assert_ne!(swap["random"]["words"], swap["edited"]["words"]);
    assert_eq!(swap["edited"]["cosines"].as_array().unwrap().len(), 1);
    // a live exchange at one layer is the clamped one, and no strength is no edit
    let live = json(
        &folder,
        &[
            "swap", PROMPT, "spider", "ant", "--band", "1", "--mode", "live",
        ],
    );
    assert_eq!(live["edited"]["words"], swap["edited"]["words"]);
    let none = json(
        &folder,
        &[
            "swap",
            PROMPT,
            "spider",
            "ant",
            "--mode",
            "steer",
            "--strength",
            "0",
        ],
    );
    assert_eq!(none["edited"]["words"], none["clean"]["words"]);
    assert!(
        good(
            &folder,
            &["swap", PROMPT, "spider", "ant", "--vectors", "logit"]
        )
        .contains("random control")
    );
}

#[test]
fn errors_say_what_where_and_what_to_do() {
    let folder = fitted("errors");
    let unknown = bad(&folder, &["read", "the numbr of legs"]);
    assert!(
        unknown.contains("word 2") && unknown.contains("^^^^^") && unknown.contains("number"),
        "{unknown}"
    );
    assert!(bad(&folder, &["swap", PROMPT, "spidr", "ant"]).contains("did you mean spider"));
    assert!(bad(&folder, &["swap", PROMPT, "spider", "spider"]).contains("too alike"));
    assert!(
        bad(&folder, &["swap", PROMPT, "spider", "ant", "--band", "1-3"])
            .contains("3 does not exist")
    );
    assert!(bad(&folder, &["swap", PROMPT, "spider", "ant", "--band", "2-1"]).contains("is empty"));
    assert!(
        bad(&folder, &["swap", PROMPT, "spider", "ant", "--at", "9"]).contains("positions 0 to 8")
    );
    assert!(bad(&folder, &["read", PROMPT, "--name", "moon"]).contains("jlens train"));
    assert!(bad(&folder, &["read", PROMPT, "--lens", "none.safetensors"]).contains("jlens fit"));
    assert!(bad(&folder, &["fit", "--target-layer", "3"]).contains("from 1 to 2"));
    assert!(bad(&folder, &["fit", "--memory", "0"]).contains("are allowed"));
    assert!(bad(&folder, &["fit", "--length", "500"]).contains("longest context is 128"));
    std::fs::write(folder.join("text"), "the ant\nthe antt\n").unwrap();
    let line = bad(&folder, &["fit", "--text", "text"]);
    assert!(line.contains("line 2") && line.contains("antt"), "{line}");
}

#[test]
fn text_files_give_prompts_and_short_ones_are_skipped() {
    let folder = folder("text");
    std::fs::write(
        folder.join("text"),
        "the ant\n\nthe spider spins webs .\nant\n",
    )
    .unwrap();
    let report = json(
        &folder,
        &["fit", "--text", "text", "--median", "--skip-first", "2"],
    );
    let p = &report["provenance"];
    assert_eq!(
        (&p["prompts_used"], &p["prompts_skipped"], &p["reduction"]),
        (&1.into(), &2.into(), &"median".into())
    );
    assert!(folder.join("world-all.lens.safetensors").exists());
}

#[test]
fn a_killed_fit_resumes_to_the_same_bytes() {
    let folder = folder("resume");
    let fit = [
        "fit",
        "--prompts",
        "300",
        "--length",
        "16",
        "--every",
        "1",
        "--threads",
        "2",
    ];
    let fit = |more: &[&'static str]| [&fit[..], more].concat();
    good(&folder, &fit(&["--out", "one"]));

    let words = fit(&["--out", "two", "--checkpoint", "saved"]);
    let mut child = command(&folder, &words).spawn().unwrap();
    while !folder.join("saved").exists() {
        assert!(
            child.try_wait().unwrap().is_none(),
            "the fit must be killed in its middle"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(
        !folder.join("two").exists(),
        "the fit must be killed in its middle"
    );

    assert!(
        bad(&folder, &words).contains("--resume"),
        "a checkpoint is not overwritten"
    );
    let other = [
        "fit",
        "--prompts",
        "299",
        "--length",
        "16",
        "--checkpoint",
        "saved",
        "--resume",
    ];
    assert!(bad(&folder, &other).contains("another text"));
    let frozen = fit(&["--frozen", "--checkpoint", "saved", "--resume"]);
    assert!(bad(&folder, &frozen).contains("another estimator"));
    let out = jlens(&folder, &[&words[..], &["--resume"]].concat());
    assert!(String::from_utf8_lossy(&out.stderr).contains("going on after"));
    let lens = |name: &str| LensFile::read(&std::fs::read(folder.join(name)).unwrap()).unwrap();
    assert_eq!(lens("one"), lens("two"));
}

/// Whatever the number of threads.
#[test]
fn threads_do_not_change_a_lens() {
    let folder = folder("threads");
    for threads in ["1", "3"] {
        good(
            &folder,
            &[
                "fit",
                "--prompts",
                "5",
                "--sentences",
                "--threads",
                threads,
                "--out",
                threads,
            ],
        );
    }
    let bytes = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert_eq!(bytes("1"), bytes("3"));
}

#[test]
fn benchmarks_report_json() {
    let folder = folder("bench");
    let small = [
        "bench",
        "fit",
        "--model",
        "models/world.safetensors",
        "--prompts",
        "2",
        "--length",
        "8",
        "--repeats",
        "1",
        "--threads",
        "1",
        "--json",
    ];
    let out = Command::new(env!("CARGO_BIN_EXE_jlens"))
        .current_dir(&folder)
        .args(small)
        .output()
        .unwrap();
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let report: Value = serde_json::from_slice(&out.stdout).unwrap();
    for field in ["share_of_peak", "gflop_per_prompt"] {
        assert!(report[field].as_f64().unwrap() > 0.0);
    }
}

/// `jlens … | head` used to end in a panic.
#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let folder = fitted("pipe");
    let words = ["read", "the legs of the spider number", "--json"];
    let mut child = command(&folder, &words)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && !said.contains("panicked"),
        "{said}"
    );
}

#[test]
fn a_tuned_lens_is_fitted_and_written_with_its_provenance() {
    let folder = folder("tuned");
    let fit = [
        "fit",
        "--lens",
        "tuned",
        "--prompts",
        "3",
        "--length",
        "12",
        "--steps",
        "2",
        "--half",
        "--out",
        "tuned.safetensors",
        "--json",
    ];
    let out = good(&folder, &fit);
    let last: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    assert_eq!(last["provenance"]["steps"], 2);
    let bytes = std::fs::read(folder.join("tuned.safetensors")).unwrap();
    let lens = formats::TunedFile::read(&bytes).unwrap();
    let p = &lens.provenance;
    assert_eq!(p.divergence.len(), lens.maps.len());
    assert!(p.corpus.contains("3 windows of 12 tokens"), "{}", p.corpus);
    assert_eq!((p.prompts, p.positions), (3, 30));
}
