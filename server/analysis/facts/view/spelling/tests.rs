//! Single letters are parted into words as a reading from the front parts them, and looked at no longer than needed.

use proptest::prelude::*;

use super::*;

/// The letters up to where no word goes on.
fn parting(letters: &str) -> Parting {
    let mut parting = Parting::new();
    for letter in letters.bytes().take(LONGEST) {
        if !parting.goes_on() {
            break;
        }
        parting.push(letter);
    }
    parting
}

/// The model: for each number of letters the first way to get there, tried from the front.
fn naive(letters: &str) -> Vec<Option<Vec<&'static str>>> {
    let mut reach = vec![None; letters.len() + 1];
    reach[0] = Some(Vec::new());
    for at in 0..letters.len() {
        let Some(before) = reach[at].clone() else { continue };
        for word in words().filter(|word| letters[at..].starts_with(word)) {
            let joined: Vec<&str> = before.iter().copied().chain([word]).collect();
            reach[at + word.len()].get_or_insert(joined);
        }
    }
    reach
}

#[test]
fn letters_that_begin_no_words_are_left_soon() {
    let longest = words().map(str::len).max();
    for letter in 'a'..='z' {
        let letters = letter.to_string().repeat(LONGEST);
        assert!(Some(parting(&letters).letters.len()) <= longest, "{letter:?}");
        let letters = format!("of{letters}");
        assert!(parting(&letters).letters.len() <= 3 + longest.unwrap_or(0), "{letter:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn letters_are_parted_as_from_the_front(
        parts in proptest::collection::vec(
            prop_oneof![
                8 => proptest::sample::select(words().collect::<Vec<_>>()).prop_map(str::to_owned),
                1 => "[a-z]",
            ],
            0..9,
        ),
    ) {
        let letters = parts.concat();
        let (parting, model) = (parting(&letters), naive(&letters));
        for (count, expected) in model.iter().enumerate().skip(1).take(LONGEST) {
            let bears = expected.as_ref().is_some_and(|words| words.iter().any(|word| BEARING.contains(word)));
            prop_assert_eq!(parting.bears(count), bears, "{} of {:?}", count, letters);
            if let Some(words) = expected {
                prop_assert_eq!(parting.words(count), words.join(" "));
            }
        }
    }
}
