//! An export is a tenant's items, all of them, as the service itself exports them.

use std::collections::HashMap;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use keywright::{ScanEnd, Store, Tenant};

use super::{MOST, number, one_of_each};
use crate::application::*;
use crate::arm::on_every_arm;

pub(super) async fn export(store: &Store<App>, tenant: &Tenant<App>) -> Vec<String> {
    let export = store.maintenance("a test").export(tenant, MOST);
    let mut pages =
        export.with(|scan| scan.segments(number(2)).rows_per_page(number(3)).consistent()).pages();
    let (mut lines, mut items) = (String::new(), 0);
    while let Some(page) = pages.next().await.unwrap() {
        lines.push_str(&page.lines);
        items += page.items;
    }
    assert_eq!(pages.end(), Some(ScanEnd::Complete));
    let lines: Vec<String> = lines.lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), items);
    lines
}

#[tokio::test]
async fn every_item_of_the_tenant_is_a_line_whatever_its_key_is() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let (acme, globex) = (tenant(&store, "acme"), tenant(&store, "globex"));
        // Expired ones are stored, and are exported.
        one_of_each(&acme, "acme", "t1", arm.now_seconds() - 1).await;
        one_of_each(&globex, "globex", "t2", arm.now_seconds() + 1000).await;
        // What an older program left: an entity that this one does not know, and a row that does not say whose it is.
        let raw = |pk: &str, attributes: &[(&str, &str)]| {
            let text = |text: &str| AttributeValue::S(text.to_owned());
            let mut item = HashMap::from([("pk".to_owned(), text(pk)), ("sk".to_owned(), text("TEAM#old"))]);
            item.extend(attributes.iter().map(|(name, value)| ((*name).to_owned(), text(value))));
            arm.client().put_item().table_name(store.table_name()).set_item(Some(item)).send()
        };
        raw("LEGACY", &[("entity", "legacy"), ("organization_id", "acme")]).await.unwrap();
        raw("ORG#acme", &[("entity", "team")]).await.unwrap();
        raw("ORG#globex", &[("entity", "team")]).await.unwrap();
        raw("NOBODY", &[]).await.unwrap();

        let lines = export(&store, &acme).await;

        assert_eq!(lines.len(), 7, "{lines:#?}");
        assert!(lines.iter().all(|line| !line.contains("globex")), "{lines:#?}");
        let has = |part: &str| lines.iter().any(|line| line.contains(part));
        assert!(has("SHARE#t1") && has("LEGACY") && has("INVITATION#") && has("MEMBER#ada"), "{lines:#?}");
        assert_eq!(export(&store, &globex).await.len(), 6);
    })
    .await;
}

#[tokio::test]
async fn a_line_is_what_dynamodb_exports() {
    on_every_arm(|arm| async move {
        let store = arm.store::<App>().await;
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let item = HashMap::from([
            ("pk".to_owned(), text("ORG#acme")),
            ("sk".to_owned(), text("TEAM#1")),
            ("organization_id".to_owned(), text("acme")),
            ("boolean".to_owned(), AttributeValue::Bool(true)),
            ("bytes".to_owned(), AttributeValue::B(Blob::new(*b"\x00\xff"))),
            ("list".to_owned(), AttributeValue::L(vec![AttributeValue::N("1.5".to_owned()), AttributeValue::Null(true)])),
            ("map".to_owned(), AttributeValue::M(HashMap::from([("in\"side".to_owned(), AttributeValue::L(Vec::new()))]))),
            ("numbers".to_owned(), AttributeValue::Ns(vec!["-7".to_owned()])),
            ("texts".to_owned(), AttributeValue::Ss(vec!["é".to_owned()])),
            ("binaries".to_owned(), AttributeValue::Bs(vec![Blob::new(*b"a")])),
            ("text".to_owned(), text("\"quoted\" \\ \n\t\r\u{1} and </script> \u{1f600}")),
        ]);
        arm.client().put_item().table_name(store.table_name()).set_item(Some(item)).send().await.unwrap();

        let lines = export(&store, &tenant(&store, "acme")).await;

        let expected = r#"{"Item":{"binaries":{"BS":["YQ=="]},"boolean":{"BOOL":true},"bytes":{"B":"AP8="},"#.to_owned()
            + r#""list":{"L":[{"N":"1.5"},{"NULL":true}]},"map":{"M":{"in\"side":{"L":[]}}},"numbers":{"NS":["-7"]},"#
            + r#""organization_id":{"S":"acme"},"pk":{"S":"ORG#acme"},"sk":{"S":"TEAM#1"},"#
            + r#""text":{"S":"\"quoted\" \\ \n\t\r\u0001 and </script> "#
            + "\u{1f600}"
            + r#""},"texts":{"SS":["é"]}}}"#;
        assert_eq!(lines, [expected]);
    })
    .await;
}
