//! What compiles, and what the compiler says where something must not.

/// Every construct compiles, without a warning; every rule and every refusal stops `cargo check` with its own words.
#[test]
fn what_is_right_compiles_and_what_is_wrong_says_why() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/passing/*.rs");
    cases.compile_fail("tests/failing/rule/*.rs");
    cases.compile_fail("tests/failing/refusal/*.rs");
}
