//! Diagrams, and links by which one of them is seen from outside.

use super::moment::{Moment, secret};
use super::{Story, Told};
use crate::app::{Diagram, DiagramById, PublishDiagram, PublishedDiagrams, ShareToken, ShareTokenByToken};
use crate::id::{DiagramId, UserId};

pub(super) async fn tell(story: &mut Story<'_>) -> Told {
    story.chapter("Links")?;
    let acme = story.acme.app.clone();
    let now = Moment::now()?;
    for name in ["plan", "draft"] {
        let diagram = Diagram {
            organization_id: story.acme.id.clone(),
            diagram_id: DiagramId::from(name),
            title: format!("The {name}"),
            body: Some("a -> b".to_owned()),
            body_location: None,
            published_at: None,
            version: 0,
        };
        acme.put(&diagram).if_absent().send().await?.done().ok_or("a new diagram")?;
    }
    story.say("two diagrams, drafts both")?;
    let plan = || DiagramById { diagram_id: DiagramId::from("plan") };
    acme.update(plan(), PublishDiagram { published_at: now.timestamp() })
        .send()
        .await?
        .done()
        .ok_or("it is there")?;
    story.say("one of them is published, which puts it into a sparse index")?;
    let published = acme.query(PublishedDiagrams).backward().page().await?.into_items()?;
    let titles: Vec<&str> = published.iter().map(|diagram| diagram.title.as_str()).collect();
    story.say(format_args!("published: {}; the draft is not even in the index", titles.join(", ")))?;

    let (open, over) = (secret()?, secret()?);
    for (token, expires_at) in [(&open, now.plus_days(30)?), (&over, now.plus_days(-1)?)] {
        let link = ShareToken {
            token: token.clone(),
            organization_id: story.acme.id.clone(),
            diagram_id: DiagramId::from("plan"),
            created_by: UserId::from("ada"),
            expires_at: expires_at.seconds(),
        };
        acme.put(&link).send().await?;
    }
    story.say("two links to it; the time of one of them is over")?;

    let found =
        story.stores.app.lookup_item(ShareTokenByToken { token: open.clone() }).await?.ok_or("it is open")?;
    let link = found.as_bearer("whoever has the link may see the one diagram that it names");
    let host = story.stores.app.tenant(&link.organization_id)?;
    let diagram =
        host.get(DiagramById { diagram_id: link.diagram_id.clone() }).await?.ok_or("it is there")?;
    story.say(format_args!("a visitor with the link sees {:?}", diagram.title))?;

    if story.stores.app.lookup_item(ShareTokenByToken { token: over }).await?.is_some() {
        return Err("the time of that link is over".into());
    }
    story.say("the other link is still stored, and gone for every reader")?;

    let globex = story.globex.app.clone();
    let found = story.stores.app.lookup_item(ShareTokenByToken { token: open }).await?.ok_or("it is open")?;
    match found.verify(&globex) {
        Ok(_) => return Err("globex has no such link".into()),
        Err(error) => story.say(format_args!("globex wants to revoke it: {error}"))?,
    }
    story.end()
}
