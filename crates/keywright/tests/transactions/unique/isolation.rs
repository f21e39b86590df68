//! One tenant cannot reach another by what is unique, over all tenants either: whatever the ids and the values are.

use keywright::{Conditional, UniqueWrite};

use super::*;
use crate::arm::in_process_alone;
use crate::hostile::{Names, SECRET, with_hostile_names};

async fn nothing_crosses(Names { mine: mine_id, theirs: their_id, user: who, team: value, .. }: Names) {
    let arm = in_process_alone();
    let store = arm.store::<Directory>().await;
    let (mine, theirs) = (tenant(&store, &mine_id), tenant(&store, &their_id));
    let their_person =
        Person { name: SECRET.to_owned(), handle: Some(value.clone()), ..person(&their_id, &who, &value) };
    theirs.insert_unique(&their_person).send().await.unwrap().done().unwrap();
    let their_items = async || -> Vec<_> {
        let items = stored(&arm, store.table_name()).await.into_iter();
        items.filter(|item| item["organization_id"] == AttributeValue::S(their_id.clone())).collect()
    };
    let before = their_items().await;
    assert_eq!(before.len(), 3);

    // Their person, through my handle.
    assert!(mine.insert_unique(&their_person).send().await.is_err());
    assert!(mine.put_unique(&their_person).send().await.is_err());
    let change = || ChangeEmail { email: value.clone() };
    let update = mine.update_unique(by_id(&who), change()).send().await.unwrap();
    assert!(matches!(update, UniqueWrite::Failed { current: None }));
    let delete = mine.delete_unique(by_id(&who)).if_present().send().await.unwrap();
    assert!(matches!(delete, Conditional::Failed { current: None }));
    mine.delete_unique(by_id(&who)).send().await.unwrap().done().unwrap();
    assert!(mine.get(PersonByEmail { email: value.clone() }).await.unwrap().is_none());

    // The same names and the same address beside theirs; the handle is taken, and nobody says by whom.
    let my_person = person(&mine_id, &who, &value);
    assert!(mine.insert_unique(&my_person).send().await.unwrap().is_done());
    let handle = || ChangeHandle { handle: Some(value.clone()) };
    let taken = mine.update_unique(by_id(&who), handle()).send().await.unwrap();
    assert!(!format!("{taken:?}").contains(SECRET));
    assert_eq!(taken, UniqueWrite::Taken { reservations: vec!["PersonHandle"] });
    let with_handle = Person { handle: Some(value.clone()), ..my_person };
    let taken = mine.put_unique(&with_handle).send().await.unwrap();
    assert_eq!(taken, UniqueWrite::Taken { reservations: vec!["PersonHandle"] });
    let found = mine.get(PersonByHandle { handle: value.clone() }).await;
    assert!(found.as_ref().is_err_and(|error| !error.to_string().contains(SECRET)), "{found:?}");
    mine.delete_unique(by_id(&who)).send().await.unwrap().done().unwrap();

    assert_eq!(before, their_items().await, "what is theirs has changed");
    assert_held(&arm, store.table_name(), "at the end").await;
}

#[test]
fn nothing_of_one_tenant_is_reached_by_what_another_one_has_whatever_the_values_are() {
    with_hostile_names(60, nothing_crosses);
}
