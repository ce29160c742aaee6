//! What the subcommands work on: a model with its word list and lenses, found by name or by path.

use clap::{Args, ValueEnum};
use formats::Subject as LensSubject;
use formats::{LensFile, ModelFile, Vocabulary};
use lens::{Lens, Targets};
use std::error::Error;
use std::path::{Path, PathBuf};
use transformer::{Cpu, Model};

/// What a subcommand returns.
pub type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// Where the model is.
#[derive(Debug, Clone, Args)]
pub struct Source {
    /// Folder with models/NAME.safetensors, models/words.json and lenses/NAME-{all,same}.safetensors
    #[arg(long, default_value = "assets")]
    from: PathBuf,
    /// Name of the model in that folder
    #[arg(long, default_value = "world")]
    name: String,
    /// Model file, instead of the one by name
    #[arg(long)]
    model: Option<PathBuf>,
    /// Word list, instead of models/words.json
    #[arg(long)]
    words: Option<PathBuf>,
}

/// Which target positions a lens follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Which {
    /// A position's own and all later ones
    All,
    /// Its own
    Same,
    /// Later ones
    Future,
}

impl Which {
    /// Name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Same => "same",
            Self::Future => "future",
        }
    }

    /// As the lens knows it.
    pub fn targets(self) -> Targets {
        match self {
            Self::All => Targets::All,
            Self::Same => Targets::Same,
            Self::Future => Targets::Future,
        }
    }
}

/// A loaded model.
pub struct Subject {
    /// Its file; the numbers are on the backend as well.
    pub file: ModelFile,
    /// Hash of the weights.
    pub weights_hash: String,
    /// Its words.
    pub words: Vocabulary,
    /// On the backend.
    pub model: Model<Cpu>,
    lenses: PathBuf,
}

impl Source {
    /// Path of the model file.
    pub fn model_path(&self) -> PathBuf {
        let by_name = || {
            self.from
                .join("models")
                .join(format!("{}.safetensors", self.name))
        };
        self.model.clone().unwrap_or_else(by_name)
    }

    /// Reads model and words.
    ///
    /// # Errors
    /// Files that are missing, damaged or do not belong together.
    pub fn load(&self) -> Outcome<Subject> {
        let path = self.model_path();
        let advice =
            "train one with `jlens train`, or say where it is with --from, --name or --model";
        let file = ModelFile::read(&read(&path, advice)?).map_err(|e| at(&path, &e))?;
        let words_path = self
            .words
            .clone()
            .unwrap_or_else(|| self.from.join("models").join("words.json"));
        let words = Vocabulary::read(&read(
            &words_path,
            "say where the word list is with --words",
        )?)
        .map_err(|e| at(&words_path, &e))?;
        if words.hash() != file.vocabulary_hash {
            return Err(format!(
                "{} is not the word list that {} was trained with; choose the one that came with it by --words",
                words_path.display(),
                path.display()
            )
            .into());
        }
        Ok(Subject {
            weights_hash: file.weights_hash(),
            model: Model::new(Cpu::new(), &file.weights)?,
            words,
            file,
            lenses: self.from.join("lenses").join(&self.name),
        })
    }
}

impl Subject {
    /// A lens from a file, or the shipped one for `which` targets (future is the difference of the other two). Warnings go to
    /// standard error.
    ///
    /// # Errors
    /// Files that are missing, damaged or of a model of another shape.
    pub fn lens(&self, file: Option<&Path>, which: Which) -> Outcome<Lens> {
        let shipped = |which: Which| {
            let path = PathBuf::from(format!(
                "{}-{}.safetensors",
                self.lenses.display(),
                which.name()
            ));
            self.read_lens(&path)
        };
        match (file, which) {
            (Some(path), _) => self.read_lens(path),
            (None, Which::Future) => {
                Ok(Lens::future(&shipped(Which::All)?, &shipped(Which::Same)?)?)
            }
            (None, which) => shipped(which),
        }
    }

    fn read_lens(&self, path: &Path) -> Outcome<Lens> {
        let advice = "fit one with `jlens fit`, and say where it is with --lens";
        let lens = LensFile::read(&read(path, advice)?).map_err(|e| at(path, &e))?;
        let subject = LensSubject {
            d_model: self.model.config.d_model,
            n_layers: self.model.config.n_layers,
            weights_hash: &self.weights_hash,
            vocabulary_hash: &self.file.vocabulary_hash,
        };
        for warning in lens.check(&subject).map_err(|e| at(path, &e))? {
            eprintln!("warning: {}: {warning}", path.display());
        }
        Ok(lens.into())
    }

    /// A word for the screen.
    pub fn word(&self, id: u32) -> &str {
        self.words.word(id).unwrap_or("?")
    }
}

/// Reads a file; the error says what to do.
///
/// # Errors
/// As the system says.
pub fn read(path: &Path, advice: &str) -> Outcome<Vec<u8>> {
    std::fs::read(path).map_err(|e| format!("cannot read {}: {e}; {advice}", path.display()).into())
}

/// Writes a file whole or not at all: under another name first.
///
/// # Errors
/// As the system says.
pub fn write(path: &Path, bytes: &[u8]) -> Outcome {
    let unfinished = path.with_extension("unfinished");
    let done = std::fs::write(&unfinished, bytes).and_then(|()| std::fs::rename(&unfinished, path));
    done.map_err(|e| format!("cannot write {}: {e}", path.display()).into())
}

fn at(path: &Path, error: &dyn Error) -> Box<dyn Error> {
    format!("{}: {error}", path.display()).into()
}
