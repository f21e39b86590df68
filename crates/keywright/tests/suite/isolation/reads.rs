//! Reads of keys that hold the tenant.

use std::future::poll_fn;
use std::num::NonZeroU32;
use std::pin::Pin;

use futures_core::Stream as _;
use keywright::key::Components;
use keywright::key::declare::ReadItems;
use keywright::{Cursor, CursorError, Query, RawExpression, ReadError};

use super::Both;
use super::items::Cursors;
use crate::application::*;
use crate::hostile::SECRET;

/// More than anybody has here.
const MOST: NonZeroU32 = NonZeroU32::new(100).unwrap();

pub(super) async fn find_nothing(both: &Both, cursors: &Cursors) {
    let names = &both.names;
    // Names that would complete a key of mine to one of theirs if components were not escaped.
    let team_ids = [
        names.team.clone(),
        format!("{}#{}", names.theirs, names.team),
        format!("#{}", names.theirs),
        names.theirs.clone(),
    ];
    for team_id in team_ids {
        // My own keys are in my errors, and hold what I asked for.
        let asked = team_id.contains(super::MARK);
        read_in_every_way(both, &cursors.team, "organization_id", || TeamWithMembers {
            team_id: team_id.clone(),
        })
        .await;
        let team = both.mine.get(TeamById { team_id: team_id.clone() }).await;
        assert!(both.hear("get", team).unwrap().is_none());
        let named = || MemberById { team_id: team_id.clone(), user_id: names.user.clone() };
        assert!(both.hear("get", both.mine.get(named()).await).unwrap().is_none());
        let request = both.mine.get_request(&named());
        if !asked {
            both.hear("get_request", request).unwrap();
        }
    }
    let user = || MembershipsOfUser { user_id: names.user.clone() };
    read_in_every_way(both, &cursors.memberships, "role", user).await;
    read_in_every_way(both, &cursors.documents, "organization_id", || Documents {}).await;
    read_in_every_way(both, &cursors.documents, "organization_id", || DocumentsTitled {
        title: SECRET.to_owned(),
    })
    .await;
    read_in_every_way(both, &cursors.invitations, "organization_id", || Invitations {}).await;
    assert!(both.hear("get", both.mine.get(both.by_token()).await).is_err());
}

/// Every way of reading a pattern, which has this attribute, finds nothing, and takes no cursor of theirs.
async fn read_in_every_way<Pattern>(
    both: &Both,
    their_cursor: &Cursor,
    attribute: &str,
    pattern: impl Fn() -> Pattern,
) where
    Pattern: ReadItems<Table = App>
        + keywright::key::declare::WithinTenant
        + keywright::key::declare::OneQuery
        + Components
        + Send
        + Sync
        + 'static,
    Pattern::Item: std::fmt::Debug + Send,
{
    let one = NonZeroU32::MIN;
    let query = || both.mine.query(pattern());
    let anything = || {
        let raw = RawExpression::new("attribute_exists(#a) OR #a <> :a").unwrap();
        raw.name("a", attribute).value("a", &both.names.mine).unwrap()
    };
    let ways: [fn(Query<Pattern>) -> Query<Pattern>; 3] =
        [|query| query, Query::backward, |query| query.limit(NonZeroU32::MIN)];
    for way in ways {
        for filter in [None, Some(anything())] {
            let query = || match &filter {
                Some(filter) => way(query()).and_filter(filter.clone()),
                None => way(query()),
            };
            let page = both.hear("page", query().page().await).unwrap();
            assert!(page.items.is_empty() && page.items_read == 0 && !page.has_more());
            assert!(both.hear("all", query().all(MOST).await).unwrap().is_empty());
        }
    }
    let mut pages = query().limit(one).pages();
    while let Some(page) = both.hear("pages", pages.next().await).unwrap() {
        assert!(page.items.is_empty() && page.items_read == 0);
    }
    let mut stream = query().limit(one).pages().into_stream();
    while let Some(page) = poll_fn(|context| Pin::new(&mut stream).poll_next(context)).await {
        let page = both.hear("into_stream", page).unwrap();
        assert!(page.items.is_empty() && page.items_read == 0);
    }
    let is_refused = |error: ReadError| matches!(error, ReadError::Cursor(CursorError::Invalid));
    let after = || query().after(their_cursor.clone());
    assert!(
        both.hear("after", after().page().await).is_err_and(is_refused),
        "a cursor of theirs was accepted"
    );
    assert!(both.hear("after", after().limit(one).all(MOST).await).is_err_and(is_refused));
    assert!(both.hear("after", after().pages().next().await).is_err_and(is_refused));
    let mut stream = after().pages().into_stream();
    let first = poll_fn(|context| Pin::new(&mut stream).poll_next(context)).await.unwrap();
    assert!(both.hear("into_stream", first).is_err_and(is_refused));
    assert!(both.hear("request", after().request()).is_err_and(is_refused));
    both.conceals("a query and its pages", &format!("{:?} {:?} {stream:?}", query(), query().pages()));
}
