//! Entity tags as HTTP's headers have them: RFC 9110, sections 8.8.3, 13.1.1 and 13.1.2.

use aws_sdk_dynamodb::types::AttributeValue;
use keywright::{ETag, ETagMatch, InvalidETag, Stored, Tenant, WriteError};

use crate::application::*;
use crate::arm::{Arm, in_process_alone, on_every_arm};

fn ada() -> MemberById {
    MemberById { team_id: "1".to_owned(), user_id: "ada".to_owned() }
}

async fn stored(acme: &Tenant<App>) -> Stored<Member> {
    acme.get(ada()).await.unwrap().unwrap()
}

/// What another program stored, without a write id.
async fn put_without_tag(arm: &Arm, table: &str, acme: &Tenant<App>) {
    let mut item = acme.put(&member("acme", "1", "ada")).request().unwrap().item.unwrap();
    item.remove("keywright_write").unwrap();
    arm.client().put_item().table_name(table).set_item(Some(item)).send().await.unwrap();
}

/// A proxy that compresses answers makes their tags weak, and gives them back as `W/"x"`. No client behind it was ever answered 304.
#[tokio::test]
async fn a_client_behind_a_proxy_that_weakens_tags_is_told_that_nothing_changed() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        acme.put(&member("acme", "1", "ada")).send().await.unwrap();
        let (read, etag) = (stored(&acme).await, stored(&acme).await.etag().unwrap());
        let known = |header: &str| ETagMatch::if_none_match(header).unwrap().matches(Some(&read));

        assert!(known(&etag.to_string()));
        assert!(known(&format!("W/{etag}")));
        assert!(known(&format!("W/\"another\",\tW/{etag}")));
        assert!(!known("W/\"another\""));

        acme.update(ada(), Award { points: 1 }).send().await.unwrap().done().unwrap();
        let changed = stored(&acme).await;
        let known = ETagMatch::if_none_match(&format!("W/{etag}")).unwrap();
        assert!(!known.matches(Some(&changed)) && !known.matches::<Member>(None));
    })
    .await;
}

/// What another program put there stood as it was between the quotes of the header, and was no tag when it came back.
#[tokio::test]
async fn an_id_that_is_none_of_this_crates_gives_no_tag() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        for id in ["a\"b", "a\r\nSet-Cookie: x", "", "ü", &"x".repeat(33)] {
            let mut item = acme.put(&member("acme", "1", "ada")).request().unwrap().item.unwrap();
            item.insert("keywright_write".to_owned(), AttributeValue::S(id.to_owned()));
            let put = arm.client().put_item().table_name(store.table_name());
            put.set_item(Some(item)).send().await.unwrap();
            assert_eq!(stored(&acme).await.etag(), None, "{id:?}");
            assert_eq!(stored(&acme).await.write_id(), None, "{id:?}");
        }
    })
    .await;
}

/// `If-Match` compares strongly: a write that a weak tag let through could take the place of what nobody saw.
#[tokio::test]
async fn a_weak_tag_lets_no_write_through() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let etag = acme.put(&member("acme", "1", "ada")).send().await.unwrap().etag();
        let weak = ETagMatch::if_match(&format!("W/{etag}")).unwrap();

        assert!(!acme.update(ada(), Award { points: 1 }).if_match(&weak).send().await.unwrap().is_done());
        assert!(!acme.put(&member("acme", "1", "ada")).if_match(&weak).send().await.unwrap().is_done());
        assert!(!acme.delete(ada()).if_match(&weak).send().await.unwrap().is_done());
        assert_eq!(stored(&acme).await.etag(), Some(etag.clone()));
        assert_eq!(ETag::parse(&format!("W/{etag}")), Err(InvalidETag));
    })
    .await;
}

/// A client may know several states. The only way to give them to a write was one by one, so a header of two tags was answered 412
/// whichever states they named.
#[tokio::test]
async fn a_write_takes_a_list_of_tags_and_happens_in_each_of_those_states() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let old = acme.put(&member("acme", "1", "ada")).send().await.unwrap().etag();
        let new = acme.put(&member("acme", "1", "ada")).send().await.unwrap().etag();
        let both = ETagMatch::if_match(&format!("{old}, \"not,ours\", {new}")).unwrap();

        let updated = acme.update(ada(), Award { points: 1 }).if_match(&both).send().await.unwrap();
        assert!(updated.is_done());
        // It is in a third state now.
        let late = acme.update(ada(), Award { points: 1 }).if_match(&both).send().await.unwrap();
        assert!(!late.is_done());

        let third = stored(&acme).await.etag().unwrap();
        let known = ETagMatch::if_match(&format!("{third},{old}")).unwrap();
        assert!(acme.put(&member("acme", "1", "ada")).if_match(&known).send().await.unwrap().is_done());
        let known = ETagMatch::OneOf(vec![third, stored(&acme).await.etag().unwrap()]);
        assert!(acme.delete(ada()).if_match(known).send().await.unwrap().is_done());
    })
    .await;
}

#[tokio::test]
async fn any_state_is_that_of_every_item_and_of_nothing_else() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        let award = || acme.update(ada(), Award { points: 1 });
        let any = ETagMatch::if_match(" * ").unwrap();
        assert_eq!(any, ETagMatch::Any);

        assert!(!any.matches::<Member>(None));
        assert!(!award().if_match(&any).send().await.unwrap().is_done());
        assert!(!acme.put(&member("acme", "1", "ada")).if_match(&any).send().await.unwrap().is_done());
        assert!(!acme.delete(ada()).if_match(&any).send().await.unwrap().is_done());

        // Another program's item has no tag, and is there. `*` was false for it.
        put_without_tag(&arm, store.table_name(), &acme).await;
        let read = stored(&acme).await;
        assert!(read.etag().is_none() && any.matches(Some(&read)));
        assert!(award().if_match(&any).send().await.unwrap().is_done());
        assert!(award().if_match(&any).send().await.unwrap().is_done());
        assert!(acme.put(&member("acme", "1", "ada")).if_match(&any).send().await.unwrap().is_done());
        assert!(acme.delete(ada()).if_match(&any).send().await.unwrap().is_done());
    })
    .await;
}

#[tokio::test]
async fn a_header_without_a_tag_of_this_crate_lets_no_write_through() {
    on_every_arm(|arm| async move {
        let store = arm.store().await;
        let acme = tenant(&store, "acme");
        put_without_tag(&arm, store.table_name(), &acme).await;
        for header in ["\"not,ours\"", "", ", ,", "\"\""] {
            let none = ETagMatch::if_match(header).unwrap();
            assert!(!none.matches(Some(&stored(&acme).await)), "{header}");
            let award = acme.update(ada(), Award { points: 1 }).if_match(&none);
            assert!(!award.send().await.unwrap().is_done(), "{header}");
        }
        assert_eq!(stored(&acme).await.points, 0);
    })
    .await;
}

/// A tag that is not of this crate may hold commas. The whole header was refused for one.
#[test]
fn a_list_is_read_as_the_standard_has_it() {
    let ours = "\"Zk3xw0q1T9aV5mJ8rY2b7A\"";
    let alone = ETagMatch::OneOf(vec![ETag::parse(ours).unwrap()]);
    let lists = [
        ours.to_owned(),
        format!("\"a,b\", {ours}"),
        format!("{ours} ,\t\"W/\""),
        format!(",, {ours},"),
        format!("\"é\u{80}!~\",{ours},W/\"weak\u{20ac}\""),
    ];
    for header in lists {
        assert_eq!(ETagMatch::if_match(&header), Ok(alone.clone()), "{header}");
    }
    let none = [
        "no quotes",
        "\"",
        "\"open",
        "\"a\" \"b\"",
        "\"a\"\"b\"",
        "\"with space\"",
        "\"bell\u{7}\"",
        "w/\"a\"",
        "W/ \"a\"",
        "W/*",
        "*, \"a\"",
        "\"a\", *",
    ];
    for header in none {
        assert_eq!(ETagMatch::if_match(header), Err(InvalidETag), "{header}");
        assert_eq!(ETagMatch::if_none_match(header), Err(InvalidETag), "{header}");
        assert_eq!(ETag::parse(header), Err(InvalidETag), "{header}");
    }
    assert_eq!(ETag::parse(&format!("{ours}, {ours}")), Err(InvalidETag));
}

/// `IN` of a condition compares with a hundred values at most: more are refused before anything is sent.
#[tokio::test]
async fn a_hundred_tags_are_compared_and_one_more_is_refused() {
    let store = in_process_alone().store().await;
    let acme = tenant(&store, "acme");
    let etag = acme.put(&member("acme", "1", "ada")).send().await.unwrap().etag();
    let others = |count: usize| vec![ETag::parse("\"another\"").unwrap(); count];

    let hundred = ETagMatch::OneOf([others(99), vec![etag]].concat());
    assert!(acme.update(ada(), Award { points: 1 }).if_match(&hundred).send().await.unwrap().is_done());
    let error = acme.delete(ada()).if_match(ETagMatch::OneOf(others(101))).send().await.unwrap_err();
    assert!(matches!(error, WriteError::Value { .. }) && error.to_string().contains("101"), "{error}");
}
