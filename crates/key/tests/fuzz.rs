//! The fuzz target, with a bounded number of inputs: mutations of some that mean something.
//!
//! Every run prints its seed; `KEYWRIGHT_SEED` repeats one.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::cast_possible_truncation,
    reason = "a test stops at what it does not expect"
)]

#[path = "../fuzz/src/lib.rs"]
#[allow(unreachable_pub, reason = "the public face of a library, included here")]
mod target;

/// Delimiter, template, a kind for each component, a foreign key, two texts for each component.
const INPUTS: &[&[u8]] = &[
    b"#TEAM#{a}#MEMBER#{b}\0\0\0TEAM#1#MEMBER#$23\x001\x0010\0#\0$\0",
    b"#{a}#{b}\0\0\0t#1x\0t#1\0t\0x\x001#x\0",
    b"#P#{a}#{b:5}#{c}\0\x01\x02\x03P#001#00007#n99993\0a\0b\0c\0d\0e\0f\0",
    b"|LOG|{a:raw}|{b}\0\0\x04LOG|x|1970-01-01T00:00:00.000Z\0a\0a b\0c\0d\0",
    b"+{a:lower}+{b:upper}\0\0\x06ada+00000000-0000-0000-0000-000000000001\0ada\0Ada\0u\0v\0",
    b"_{a}_{b}_{c}_{d}\0\x05\x07\x08\x0900000000000000000000000000_open_true_ff\0a\0b\0c\0d\0e\0f\0g\0h\0",
    b"#$app#A$B#{a:date}\0\x04$app#A$B#2026-05-01\0abc\0abd\0",
];

/// A small generator of numbers: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

fn mutate(input: &mut Vec<u8>, random: &mut Random) {
    const BYTES: &[u8] = b"#$|+{}:\0az09Z -\xf4\x8f\xbf\xbf\x80";
    for _ in 0..=random.below(4) {
        let place = random.below(input.len() + 1);
        let byte =
            if random.below(3) == 0 { random.below(256) as u8 } else { BYTES[random.below(BYTES.len())] };
        match random.below(4) {
            0 if place < input.len() => input[place] = byte,
            1 if place < input.len() => {
                input.remove(place);
            }
            2 => {
                let end = place + random.below(input.len() - place + 1);
                let copy = input[place..end].to_vec();
                let to = random.below(input.len() + 1);
                input.splice(to..to, copy);
            }
            _ => input.insert(place, byte),
        }
    }
}

#[test]
fn the_fuzz_target_finds_nothing_in_a_bounded_number_of_inputs() {
    let seed = std::env::var("KEYWRIGHT_SEED").map_or_else(
        |_| {
            std::time::SystemTime::now()
                .duration_since(std::time::SystemTime::UNIX_EPOCH)
                .expect("after 1970")
                .as_nanos() as u64
        },
        |seed| seed.parse().expect("KEYWRIGHT_SEED is a number"),
    );
    println!("KEYWRIGHT_SEED={seed}");
    let mut random = Random(seed | 1);
    for input in INPUTS {
        target::keys(input);
    }
    for round in 0..300_000 {
        let mut input = INPUTS[round % INPUTS.len()].to_vec();
        for _ in 0..=random.below(3) {
            mutate(&mut input, &mut random);
        }
        target::keys(&input);
    }
}
