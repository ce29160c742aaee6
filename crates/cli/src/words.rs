//! From text to tokens, with errors that show where and suggest.

use crate::subject::Outcome;
use formats::Vocabulary;
use std::fmt::Write;

/// What every document begins with.
const START: &str = "<s>";

/// Tokens of a prompt; `<s>` is put in front unless it is there or the model has no such word.
///
/// # Errors
/// Unknown words, each marked where it stands; an empty prompt.
pub fn tokens(words: &Vocabulary, prompt: &str) -> Outcome<Vec<u32>> {
    let pieces = words.split(prompt);
    let unknown: Vec<_> = pieces
        .iter()
        .enumerate()
        .filter(|(_, p)| p.id.is_none())
        .collect();
    if !unknown.is_empty() {
        let marks: Vec<(usize, &str)> = unknown.iter().map(|(_, p)| (p.start, p.text)).collect();
        let mut message = format!(
            "the model does not know {} of this prompt:\n  {prompt}\n  {}",
            count(marks.len()),
            underline(prompt, &marks)
        );
        for (i, piece) in unknown {
            let _ = write!(
                message,
                "\n  word {}, {:?}: {}",
                i + 1,
                piece.text,
                near(words, piece.text)
            );
        }
        return Err(message.into());
    }
    let mut ids: Vec<u32> = pieces.iter().filter_map(|p| p.id).collect();
    if let Some(start) = words.id(START)
        && ids.first() != Some(&start)
    {
        ids.insert(0, start);
    }
    if ids.is_empty() {
        return Err("the prompt is empty; give at least one word".into());
    }
    Ok(ids)
}

/// The token of one word given on the command line.
///
/// # Errors
/// An unknown word, with suggestions.
pub fn token(words: &Vocabulary, word: &str) -> Outcome<u32> {
    words.id(word).ok_or_else(|| {
        format!(
            "the model does not know the word {word:?}: {}",
            near(words, word)
        )
        .into()
    })
}

fn count(n: usize) -> String {
    if n == 1 {
        "a word".into()
    } else {
        format!("{n} words")
    }
}

fn near(words: &Vocabulary, word: &str) -> String {
    match words.suggest(word, 3)[..] {
        [] => "nothing in its vocabulary is close; `jlens inspect --vocabulary` lists its words"
            .into(),
        ref some => format!("did you mean {}?", some.join(", ")),
    }
}

/// A line of `^` under the marked parts (byte offset and text) of a prompt.
fn underline(prompt: &str, marks: &[(usize, &str)]) -> String {
    let mut line = String::new();
    for (at, c) in prompt.char_indices() {
        let marked = marks
            .iter()
            .any(|(start, text)| (*start..start + text.len()).contains(&at));
        line.extend(std::iter::repeat_n(
            if marked { '^' } else { ' ' },
            columns(c),
        ));
    }
    line.trim_end().to_owned()
}

/// Columns that a character takes on a terminal: two for Chinese, Japanese and Korean (the blocks that a vocabulary may hold).
pub fn columns(c: char) -> usize {
    if matches!(u32::from(c), 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60)
    {
        2
    } else {
        1
    }
}

/// Text cut or filled to `width` columns.
pub fn fit(text: &str, width: usize) -> String {
    let total: usize = text.chars().map(columns).sum();
    let (mut out, mut used) = (String::new(), 0);
    let room = if total > width {
        width.saturating_sub(1)
    } else {
        width
    };
    for c in text.chars() {
        if used + columns(c) > room {
            break;
        }
        used += columns(c);
        out.push(c);
    }
    if total > width {
        out.push('…');
        used += 1;
    }
    out.extend(std::iter::repeat_n(' ', width.saturating_sub(used)));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vocabulary() -> Vocabulary {
        let list = ["<s>", "the", "spider", "spins", "webs", ",", "小"];
        Vocabulary::new(list.map(String::from).to_vec()).unwrap()
    }

    #[test]
    fn prompts_begin_with_the_start_word_once() {
        let v = vocabulary();
        assert_eq!(tokens(&v, "the spider").unwrap(), [0, 1, 2]);
        assert_eq!(tokens(&v, "<s> the spider,").unwrap(), [0, 1, 2, 5]);
        assert_eq!(tokens(&v, "").unwrap(), [0]);
        let bare = Vocabulary::new(vec!["the".into()]).unwrap();
        assert!(
            tokens(&bare, " ")
                .unwrap_err()
                .to_string()
                .contains("empty")
        );
    }

    #[test]
    fn unknown_words_are_marked_where_they_stand() {
        let error = tokens(&vocabulary(), "小 spidre spins wbes")
            .unwrap_err()
            .to_string();
        let lines: Vec<&str> = error.lines().collect();
        assert_eq!(lines[1], "  小 spidre spins wbes");
        assert_eq!(lines[2], "     ^^^^^^       ^^^^");
        assert!(
            lines[3].contains("word 2") && lines[3].contains("spider"),
            "{error}"
        );
        assert!(
            lines[4].contains("word 4") && lines[4].contains("webs"),
            "{error}"
        );
        assert!(
            token(&vocabulary(), "spidr")
                .unwrap_err()
                .to_string()
                .contains("spider")
        );
    }

    #[test]
    fn cells_have_one_width() {
        assert_eq!(fit("ant", 5), "ant  ");
        assert_eq!(fit("elephants", 5), "elep…");
        assert_eq!(fit("反义词", 5), "反义…");
        assert_eq!(fit("小", 5), "小   ");
    }
}
