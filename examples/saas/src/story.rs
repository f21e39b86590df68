//! A day at Wayboard: every access pattern that this crate declares, used once.
//!
//! It can be told again on a table that holds earlier days: each day has organizations of its own.

mod link;
mod moment;
mod sign_in;
mod task;
mod team;

use std::error::Error;
use std::fmt::Display;
use std::io::Write;

use keywright::{Store, Tenant};

use crate::app::{
    App, Organization, OrganizationById, Plan, RenameOrganization, User, UserById, UsersOfOrganization,
};
use crate::id::{OrganizationId, UserId};
use crate::live::Live;
use moment::random;

/// What a step of the story may end with.
pub type Told = Result<(), Box<dyn Error>>;

/// Who tells the story, and where it takes place.
pub struct Story<'s> {
    app: &'s Store<App>,
    live: &'s Store<Live>,
    /// The organization that the day is about.
    acme: Tenant<App>,
    acme_id: OrganizationId,
    /// Tells this day's names from those of other days.
    day: String,
    out: &'s mut dyn Write,
}

/// Tells the story, and what it cost.
///
/// # Errors
/// When something happens that the story does not expect.
pub async fn tell(app: &Store<App>, live: &Store<Live>, out: &mut dyn Write) -> Told {
    let day = format!("{:08x}", random()? as u32);
    let acme_id = OrganizationId(format!("acme-{day}"));
    let acme = app.tenant(&acme_id)?;
    let mut story = Story { app, live, acme, acme_id, day, out };
    story.sign_up().await?;
    sign_in::tell(&mut story).await?;
    team::tell(&mut story).await?;
    task::tell(&mut story).await?;
    link::tell(&mut story).await?;
    story.say_cost()
}

impl Story<'_> {
    fn chapter(&mut self, title: &str) -> Told {
        Ok(writeln!(self.out, "\n{title}")?)
    }

    fn say(&mut self, what: impl Display) -> Told {
        Ok(writeln!(self.out, "  {what}")?)
    }

    fn email(&self, name: &str) -> String {
        format!("{name}@{}.example", self.day)
    }

    fn user(&self, organization_id: &OrganizationId, name: &str) -> User {
        User {
            organization_id: organization_id.clone(),
            user_id: UserId::from(name),
            email: self.email(name),
            name: name.to_owned(),
            created_at: None,
            version: 0,
        }
    }

    /// Two organizations, with one person who is in both.
    async fn sign_up(&mut self) -> Told {
        self.chapter("Signing up")?;
        for name in ["acme", "globex"] {
            let organization_id = OrganizationId(format!("{name}-{}", self.day));
            let tenant = self.app.tenant(&organization_id)?;
            let organization = Organization {
                organization_id: organization_id.clone(),
                name: name.to_owned(),
                plan: Plan::Team,
                created_at: None,
                version: 0,
            };
            // An insert: who signs up twice with one id is told so, and overwrites nothing.
            let inserted = tenant.put(&organization).if_absent().send().await?;
            self.say(format_args!("organization {name}: inserted {}", inserted.is_done()))?;
            tenant
                .put(&self.user(&organization_id, "ada"))
                .if_absent()
                .send()
                .await?
                .done()
                .ok_or("a new user")?;
        }
        let acme = self.acme.clone();
        acme.put(&self.user(&self.acme_id, "bob")).if_absent().send().await?.done().ok_or("a new user")?;

        let users = acme.query(UsersOfOrganization).page().await?;
        self.say(format_args!("acme has {} users, read with one Query", users.items.len()))?;
        let ada = acme.get(UserById { user_id: UserId::from("ada") }).await?.ok_or("ada is a user")?;
        self.say(format_args!("one of them is {}", ada.name))?;
        self.rename(&acme).await
    }

    /// Two people change the name at once: the second one is told what is there now.
    async fn rename(&mut self, acme: &Tenant<App>) -> Told {
        let read = acme.get(OrganizationById).await?.ok_or("it signed up")?;
        let rename = |name: &str| RenameOrganization { name: name.to_owned() };
        let first = acme.update(OrganizationById, rename("Acme")).if_version(read.version).send().await?;
        let second =
            acme.update(OrganizationById, rename("ACME Ltd")).if_version(read.version).send().await?;
        self.say(format_args!(
            "renamed: {}; again, by somebody who read the old version: {}",
            first.is_done(),
            second.is_done()
        ))
    }

    /// What the calls of both stores cost.
    fn say_cost(&mut self) -> Told {
        self.chapter("What it cost")?;
        for (table, usage) in [("App", self.app.usage()), ("Live", self.live.usage())] {
            for (pattern, read) in &usage.reads {
                self.say(format_args!(
                    "{table:<5} {pattern:<23} {:>2} requests {:>5} read units   {} of {} items",
                    read.requests, read.units, read.items_given, read.items_read
                ))?;
            }
            for (entity, write) in &usage.writes {
                self.say(format_args!(
                    "{table:<5} {entity:<23} {:>2} requests {:>5} write units  {} bytes the largest put",
                    write.requests, write.units, write.largest_put_bytes
                ))?;
            }
        }
        Ok(())
    }
}
