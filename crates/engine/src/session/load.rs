//! Opening a model: files to a session.

use super::Session;
use crate::error::{Error, Result};
use crate::protocol::{ModelFiles, ModelInfo, Targets};
use formats::Subject;
use formats::{LensFile, ModelFile, Vocabulary};
use lens::{Head, Lens};
use std::collections::HashMap;
use transformer::{Model, Ops};

impl<O: Ops> Session<O> {
    /// Parses the files, checks that they belong together and uploads the weights.
    ///
    /// # Errors
    /// [`Error::File`] names the file; [`Error::LensTargets`]; those of the lens and model crates.
    pub async fn open(ops: O, files: &ModelFiles) -> Result<Self> {
        let named = |file: &'static str| {
            move |source| Error::File {
                file: file.into(),
                source,
            }
        };
        let file = ModelFile::read(&files.weights).map_err(named("model weights"))?;
        let words = Vocabulary::read(&files.tokenizer).map_err(named("word list"))?;
        check_words(&file, &words)?;
        let weights_hash = file.weights_hash();
        let subject = Subject {
            d_model: file.weights.config.d_model,
            n_layers: file.weights.config.n_layers,
            weights_hash: &weights_hash,
            vocabulary_hash: &file.vocabulary_hash,
        };
        let (lenses, warnings) = open_lenses(&files.lenses, &subject)?;
        let model = Model::new(ops, &file.weights)?;
        let head = Head::new(&model).await?;
        let config = &model.config;
        let info = ModelInfo {
            name: file.name,
            words: words.words().to_vec(),
            d_model: config.d_model,
            n_layers: config.n_layers,
            max_context: config.max_context,
            window: config.window,
            parameters: file.weights.flat.len(),
            weights_hash: weights_hash.chars().take(12).collect(),
            warnings,
        };
        Ok(Self {
            vocabulary: smallworld::Vocabulary::from_words(info.words.clone()),
            info,
            model,
            lenses,
            head,
        })
    }
}

/// The word list must be the one that the model was trained with: with another one every word would be a wrong one.
fn check_words(file: &ModelFile, words: &Vocabulary) -> Result<()> {
    let (expected, got) = (&file.vocabulary_hash, words.hash());
    if *expected != got || words.words().len() != file.weights.config.vocab {
        let short = |hash: &str| hash.chars().take(12).collect::<String>();
        return Err(Error::request(
            "word list",
            format!(
                "has {} words and hash {}, the model needs {} words and hash {}; use the list that came with the model",
                words.words().len(),
                short(&got),
                file.weights.config.vocab,
                short(expected)
            ),
        ));
    }
    Ok(())
}

/// The lenses by their targets, and what the reader should know.
fn open_lenses(
    files: &[(Targets, Vec<u8>)],
    subject: &Subject<'_>,
) -> Result<(HashMap<Targets, Lens>, Vec<String>)> {
    let (mut lenses, mut warnings) = (HashMap::new(), Vec::new());
    for (targets, bytes) in files {
        let named = |source| Error::File {
            file: format!("lens for {targets:?}"),
            source,
        };
        let file = LensFile::read(bytes).map_err(named)?;
        let got = Targets::from(file.provenance.positions);
        if got != *targets {
            return Err(Error::LensTargets {
                expected: *targets,
                got,
            });
        }
        warnings.extend(
            file.check(subject)
                .map_err(named)?
                .iter()
                .map(ToString::to_string),
        );
        lenses.insert(*targets, Lens::from(file));
    }
    if let (Some(all), Some(same)) = (lenses.get(&Targets::All), lenses.get(&Targets::Same)) {
        let future = Lens::future(all, same)?;
        lenses.entry(Targets::Future).or_insert(future);
    }
    Ok((lenses, warnings))
}
