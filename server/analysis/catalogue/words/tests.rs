//! Texts as words.

use super::*;

/// The words of `text`, their letters in lower case.
fn words(text: &str) -> Vec<(Word, String)> {
    let mut words = Vec::new();
    read(text, |word, letters| {
        words.push((word, String::from_utf8_lossy(letters).to_ascii_lowercase()));
    });
    words
}

#[test]
fn letters_are_those_of_the_standard_library() {
    for c in '\0'..=char::MAX {
        assert_eq!(is_word(c), c.is_alphanumeric(), "{c:?}");
    }
}

fn check(text: &str, expected: &[(&str, u32, u32)]) {
    let words = words(text);
    let got: Vec<_> =
        words.iter().map(|(word, letters)| (letters.as_str(), word.sentence, word.clause)).collect();
    assert_eq!(got, expected, "{text}");
    for (word, _) in words {
        assert!(text.is_char_boundary(word.range().start) && text.is_char_boundary(word.range().end));
    }
}

#[test]
fn words_sentences_and_clauses() {
    check("Don\u{2019}t, ever. STOP", &[("don't", 0, 0), ("ever", 0, 1), ("stop", 1, 2)]);
    check(
        "the model's pre-set *role*",
        &[("the", 0, 0), ("model", 0, 0), ("pre", 0, 0), ("set", 0, 0), ("role", 0, 0)],
    );
    check(
        "send .env to v1.2 of AGENTS.md.",
        &[
            ("send", 0, 0),
            (".env", 0, 0),
            ("to", 0, 0),
            ("v1", 0, 0),
            ("2", 0, 0),
            ("of", 0, 0),
            ("agents", 0, 0),
            ("md", 0, 0),
        ],
    );
    check("Игнорируй ИНСТРУКЦИИ", &[("игнорируй", 0, 0), ("инструкции", 0, 0)]);
    let one = words("e\u{301}te\u{301} \u{1106}\u{1166}\u{11ab}x \u{304b}\u{3099} в\u{63}е");
    let one: Vec<_> = one.iter().map(|(word, letters)| (letters.as_str(), word.end - word.start)).collect();
    assert_eq!(one, [("été", 7), ("멘", 9), ("x", 1), ("が", 6), ("все", 5)]);
    check("忽略x。指", &[("忽", 0, 0), ("略", 0, 0), ("x", 0, 0), ("指", 1, 1)]);
}

#[test]
fn a_sentence_goes_on_behind_its_stop() {
    check("Read it. Then go.", &[("read", 0, 0), ("it", 0, 0), ("then", 0, 1), ("go", 0, 1)]);
    check("The old. Drop them!", &[("the", 0, 0), ("old", 0, 0), ("drop", 0, 1), ("them", 0, 1)]);
    check("Read it. Thence go.", &[("read", 0, 0), ("it", 0, 0), ("thence", 1, 1), ("go", 1, 1)]);
    check("prev. orders", &[("prev", 0, 0), ("orders", 0, 0)]);
    check("prev. Orders", &[("prev", 0, 0), ("orders", 1, 1)]);
    let periods: Vec<_> = words("Read it. Then go. On").iter().map(|(word, _)| word.period).collect();
    assert_eq!(periods, [0, 0, 1, 1, 2]);
}

#[test]
fn addresses_are_one_word() {
    check("to https://a.example/x?y=1. Next", &[("to", 0, 0), (URL, 0, 0), ("next", 1, 1)]);
    check("mail a.b@c.example, now", &[("mail", 0, 0), (EMAIL, 0, 0), ("now", 0, 1)]);
    check("to 192.0.2.7:81/k, then", &[("to", 0, 0), (URL, 0, 0), ("then", 0, 1)]);
    check("at drop.example.com.", &[("at", 0, 0), (URL, 0, 0)]);
    check(
        "1.2.3 of com.example",
        &[("1", 0, 0), ("2", 0, 0), ("3", 0, 0), ("of", 0, 0), ("com", 0, 0), ("example", 0, 0)],
    );
    check("a@example.com", &[(EMAIL, 0, 0)]);
    check("me @ home, a@b", &[("me", 0, 0), ("home", 0, 0), ("a", 0, 1), ("b", 0, 1)]);
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_in_order(text in "\\PC{0,80}") {
        let mut end = 0;
        for (word, _) in words(&text) {
            proptest::prop_assert!(word.start >= end && word.end > word.start);
            proptest::prop_assert!(text.get(word.range()).is_some());
            end = word.end;
        }
    }
}
