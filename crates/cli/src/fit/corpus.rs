//! The text that a lens is fitted on.

use super::Args;
use crate::subject::{Outcome, Subject, read};
use crate::words;
use smallworld::Generator;
use std::path::Path;

/// Text to fit on.
pub struct Corpus {
    /// For the provenance.
    pub name: String,
    /// Of the tokens.
    pub hash: String,
    /// Tokens.
    pub prompts: Vec<Vec<u32>>,
}

/// Generates or reads the text.
///
/// # Errors
/// Unknown words, prompts that are too long, none at all.
pub fn corpus(args: &Args, subject: &Subject) -> Outcome<Corpus> {
    let max = subject.model.config.max_context;
    let (name, prompts) = match &args.text {
        Some(path) => (
            path.file_name()
                .map_or_else(String::new, |n| n.to_string_lossy().into_owned()),
            from_file(path, args.prompts, subject)?,
        ),
        None => generated(args, subject)?,
    };
    if prompts.is_empty() {
        return Err("there is no prompt to fit; give --prompts or a file with some lines".into());
    }
    if let Some((i, p)) = prompts.iter().enumerate().find(|(_, p)| p.len() > max) {
        return Err(format!("prompt {} has {} tokens, the model's longest context is {max}; shorten it or choose a smaller --length", i + 1, p.len()).into());
    }
    // as `jlens train` names the text of the shipped lenses
    let tokens = prompts.iter().flatten();
    let bytes: Vec<u8> = tokens.flat_map(|t| t.to_le_bytes()).collect();
    Ok(Corpus {
        name,
        hash: formats::hash::of_bytes(&bytes),
        prompts,
    })
}

fn from_file(path: &Path, most: usize, subject: &Subject) -> Outcome<Vec<Vec<u32>>> {
    let text = String::from_utf8(read(path, "--text takes a file with one prompt a line")?)
        .map_err(|e| format!("{} is not UTF-8 text: {e}", path.display()))?;
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .take(most);
    lines
        .map(|(i, line)| {
            words::tokens(&subject.words, line)
                .map_err(|e| format!("{}, line {}: {e}", path.display(), i + 1).into())
        })
        .collect()
}

fn generated(args: &Args, subject: &Subject) -> Outcome<(String, Vec<Vec<u32>>)> {
    let standard = smallworld::Vocabulary::standard();
    if standard.words() != subject.words.words() {
        return Err("the small world's text is not made of this model's words; give text of your own with --text".into());
    }
    let mut generator = Generator::new(args.seed);
    if args.sentences {
        let prompts =
            (0..args.prompts).map(|_| words::tokens(&subject.words, &generator.document()));
        let name = format!(
            "small world, seed {}, {} sentences",
            args.seed, args.prompts
        );
        return Ok((name, prompts.collect::<Outcome<_>>()?));
    }
    let name = format!(
        "small world, seed {}, {} windows of {} tokens",
        args.seed, args.prompts, args.length
    );
    Ok((
        name,
        generator.windows(&standard, args.prompts, args.length),
    ))
}
