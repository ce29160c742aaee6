//! Damaged and malicious bytes: an error that names the place, never a panic, never memory out of proportion.

mod common;

use formats::{LensFile, ModelFile, Precision, Vocabulary};
use proptest::prelude::*;
use proptest::sample::Index;

/// Reads the bytes as everything; what is accepted must survive being written again.
fn read_all(bytes: &[u8]) {
    if let Ok(model) = ModelFile::read(bytes) {
        let again = model.write(Precision::F32).unwrap();
        assert_eq!(
            ModelFile::read(&again).unwrap().weights_hash(),
            model.weights_hash()
        );
    }
    if let Ok(lens) = LensFile::read(bytes) {
        assert!(lens.write(Precision::F32).is_ok());
    }
    if let Ok(words) = Vocabulary::read(bytes) {
        assert_eq!(Vocabulary::read(&words.write().unwrap()).unwrap(), words);
    }
}

/// A safetensors file with the given header text.
fn with_header(header: &str, data: &[u8]) -> Vec<u8> {
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend_from_slice(header.as_bytes());
    file.extend_from_slice(data);
    file
}

/// The header text and the data of a file.
fn parts(file: &[u8]) -> (String, &[u8]) {
    let n = u64::from_le_bytes(file[..8].try_into().unwrap()) as usize;
    (
        String::from_utf8(file[8..8 + n].to_vec()).unwrap(),
        &file[8 + n..],
    )
}

fn any_file() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        common::model().prop_map(|m| m.write(Precision::F16).unwrap()),
        common::lens().prop_map(|l| l.write(Precision::F32).unwrap()),
        proptest::collection::hash_set("[^ \t\r\n\\p{White_Space}]{1,5}", 1..6).prop_map(|w| {
            Vocabulary::new(w.into_iter().collect())
                .unwrap()
                .write()
                .unwrap()
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        read_all(&bytes);
        // and behind a length that fits
        let n = (bytes.len() as u64).to_le_bytes();
        read_all(&[&n[..], &bytes].concat());
    }

    #[test]
    fn truncated(file in any_file(), cut in any::<Index>()) {
        let cut = &file[..cut.index(file.len())];
        prop_assert!(ModelFile::read(cut).is_err() && LensFile::read(cut).is_err());
        read_all(cut);
    }

    #[test]
    fn mutated(mut file in any_file(), changes in proptest::collection::vec((any::<Index>(), any::<u8>()), 1..8)) {
        for (at, to) in changes {
            let at = at.index(file.len());
            file[at] = to;
        }
        read_all(&file);
    }

    #[test]
    fn numbers_in_the_header_replaced(
        model in common::model(), lens in common::lens(), which in any::<Index>(),
        to in prop_oneof![Just(0u64), Just(1), Just(u64::MAX), Just(u64::MAX / 4), Just(1 << 24), Just(1 << 31), Just(1 << 32), any::<u64>()],
    ) {
        for file in [model.write(Precision::F16).unwrap(), lens.write(Precision::F32).unwrap()] {
            let (header, data) = parts(&file);
            let starts: Vec<usize> = header.char_indices()
                .filter(|&(i, c)| c.is_ascii_digit() && !header[..i].ends_with(|b: char| b.is_ascii_digit()))
                .map(|(i, _)| i).collect();
            let at = starts[which.index(starts.len())];
            let rest = header[at..].trim_start_matches(|c: char| c.is_ascii_digit());
            read_all(&with_header(&format!("{}{to}{rest}", &header[..at]), data));
        }
    }

    #[test]
    fn prompts_are_split_into_their_own_bytes(
        words in proptest::collection::hash_set("[a-d,.]{1,3}", 1..9),
        prompt in "([a-eA-E,.é小ß]{0,4}[ \n]?){0,9}",
    ) {
        let v = Vocabulary::new(words.into_iter().collect()).unwrap();
        let mut joined = String::new();
        for piece in v.split(&prompt) {
            prop_assert_eq!(&prompt[piece.start..piece.start + piece.text.len()], piece.text);
            joined.push_str(piece.text);
            v.suggest(piece.text, 3);
        }
        let squeezed: String = prompt.split_whitespace().collect();
        prop_assert_eq!(joined, squeezed);
    }
}

#[test]
fn every_truncation_of_one_file() {
    let config = r#"{\"vocab\":2,\"d_model\":1,\"n_layers\":1,\"n_heads\":1,\"n_kv_heads\":1,\"head_dim\":1,\"d_ff\":1,\"max_context\":4,\"norm\":\"rms\",\"norm_eps\":1e-5,\"norm_place\":\"pre\",\"window\":null,\"positions\":{\"kind\":\"none\"},\"activation\":\"relu\",\"tied\":true,\"bias\":false}"#;
    let names = [
        "embedding",
        "blocks.0.norm1.gain",
        "blocks.0.attn.q",
        "blocks.0.attn.k",
        "blocks.0.attn.v",
        "blocks.0.attn.o",
        "blocks.0.norm2.gain",
        "blocks.0.mlp.up",
        "blocks.0.mlp.down",
        "final_norm.gain",
    ];
    let shapes = [
        "[2,1]", "[1]", "[1,1]", "[1,1]", "[1,1]", "[1,1]", "[1]", "[1,1]", "[1,1]", "[1]",
    ];
    let mut header = format!(
        r#"{{"__metadata__":{{"jlens.model":"{{\"version\":1,\"name\":\"m\",\"vocabulary_hash\":\"\",\"config\":{config}}}"}}"#
    );
    let mut at = 0;
    for (name, shape) in names.iter().zip(shapes) {
        let end = at + if shape == "[2,1]" { 8 } else { 4 };
        header.push_str(&format!(
            r#","{name}":{{"dtype":"F32","shape":{shape},"data_offsets":[{at},{end}]}}"#
        ));
        at = end;
    }
    header.push('}');
    let file = with_header(&header, &vec![0; at]);
    let model = ModelFile::read(&file).unwrap();
    assert_eq!(model.weights.flat.len(), 11);
    for n in 0..file.len() {
        assert!(
            ModelFile::read(&file[..n]).is_err(),
            "{n} bytes were accepted"
        );
    }
    assert!(ModelFile::read(&[&file[..], &[0]].concat()).is_err());

    // a configuration that would need terabytes is refused before anything is allocated
    for (from, to) in [
        (r#"\"n_layers\":1"#, r#"\"n_layers\":16777216"#),
        (r#"\"head_dim\":1"#, r#"\"head_dim\":16777216"#),
        (
            r#"\"max_context\":4"#,
            r#"\"max_context\":16777216,\"positions\":{\"kind\":\"none\"}"#,
        ),
        (r#"\"vocab\":2"#, r#"\"vocab\":18446744073709551615"#),
    ] {
        let changed = header.replace(from, to);
        assert_ne!(changed, header);
        assert!(
            ModelFile::read(&with_header(&changed, &vec![0; at])).is_err(),
            "{to}"
        );
    }
    let message = |from: &str, to: &str| {
        let changed = with_header(&header.replacen(from, to, 1), &vec![0; at]);
        ModelFile::read(&changed).unwrap_err().to_string()
    };
    // errors name the tensor, the field, the offset
    assert!(message("blocks.0.mlp.up", "blocks.0.mlp.ap").contains("`blocks.0.mlp.up` is missing"));
    assert!(message("[2,1]", "[1,2]").contains("`embedding` has shape [1, 2], expected [2, 1]"));
    assert!(message("[40,44]", "[40,99]").contains("should lie at bytes 40..99"));
    assert!(message(r#"\"n_heads\":1"#, r#"\"n_heads\":\"x\""#).contains("column"));
    assert!(message(r#"\"norm_eps\""#, r#"\"norm_epsilon\""#).contains("norm_epsilon"));
    assert!(message(r#"\"version\":1"#, r#"\"version\":2"#).contains("version"));
    assert!(message("F32", "I32").contains("I32"));
}

#[test]
fn offsets_near_the_largest_integer() {
    let max = u64::MAX;
    for entry in [
        format!(
            r#"{{"dtype":"F32","shape":[{}],"data_offsets":[0,{}]}}"#,
            max / 4,
            max - 3
        ),
        format!(r#"{{"dtype":"F32","shape":[{max},{max}],"data_offsets":[0,4]}}"#),
        r#"{"dtype":"F32","shape":[1],"data_offsets":[4,0]}"#.into(),
        r#"{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}"#.into(),
        r#"{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}"#.into(),
        r#"[]"#.into(),
    ] {
        let error =
            LensFile::read(&with_header(&format!(r#"{{"x":{entry}}}"#), &[0; 4])).unwrap_err();
        assert!(error.to_string().contains("`x`"), "{error}");
    }
}
