//! Sets as serde reads and writes them: `serde_dynamo` makes sets of what its own modules mark, and every other format a list.

use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde_dynamo::{binary_set, number_set, string_set};

use super::{Set, SetMember};

/// Which of the three kinds of sets it is.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// `SS`
    Texts,
    /// `NS`
    Numbers,
    /// `BS`
    Binaries,
}

impl<Member: SetMember + Serialize> Serialize for Set<Member> {
    fn serialize<Target: Serializer>(&self, target: Target) -> Result<Target::Ok, Target::Error> {
        match Member::KIND {
            Kind::Texts => string_set::serialize(&self.0, target),
            Kind::Numbers => number_set::serialize(&self.0, target),
            Kind::Binaries => binary_set::serialize(&self.0, target),
        }
    }
}

impl<'de, Member: SetMember + Deserialize<'de>> Deserialize<'de> for Set<Member> {
    fn deserialize<Source: Deserializer<'de>>(source: Source) -> Result<Set<Member>, Source::Error> {
        // What is not there is asked for as an option, too.
        source.deserialize_option(Members(PhantomData))
    }
}

struct Members<Member>(PhantomData<Member>);

impl<'de, Member: SetMember + Deserialize<'de>> Visitor<'de> for Members<Member> {
    type Value = Set<Member>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a set")
    }

    fn visit_none<Failure>(self) -> Result<Set<Member>, Failure> {
        Ok(Set::default())
    }

    fn visit_unit<Failure>(self) -> Result<Set<Member>, Failure> {
        Ok(Set::default())
    }

    fn visit_some<Source: Deserializer<'de>>(self, source: Source) -> Result<Set<Member>, Source::Error> {
        source.deserialize_seq(self)
    }

    fn visit_seq<Source: SeqAccess<'de>>(self, mut source: Source) -> Result<Set<Member>, Source::Error> {
        let mut members = BTreeSet::new();
        while let Some(member) = source.next_element()? {
            members.insert(member);
        }
        Ok(Set(members))
    }
}
