//! A day at Wayboard, in chapters: what it does, and what each step of it cost.
//!
//! Each chapter is a file that shows one pattern where an application needs it. The story can be told again on tables that hold earlier
//! days: each day has organizations of its own.

mod address;
mod audit;
mod cost;
mod count;
mod import;
mod link;
mod moment;
mod money;
mod night;
mod presence;
mod sign_in;
mod sign_up;
mod task;
mod team;
mod webhook;

use std::error::Error;
use std::fmt::Display;
use std::io::Write;

use crate::app::User;
use crate::id::{OrganizationId, UserId};
use crate::stores::{Doors, Stores};
use cost::Spent;
use moment::random;

/// What a step of the story may end with.
pub type Told = Result<(), Box<dyn Error>>;

/// Who tells the story, and where it takes place.
pub struct Story<'s> {
    stores: &'s Stores,
    /// The organization that the day is about.
    acme: Doors,
    /// One that must see nothing of it.
    globex: Doors,
    /// Tells this day's names from those of other days.
    day: String,
    /// What everything cost before the present chapter.
    before_chapter: Spent,
    /// What everything cost before the present step.
    before_step: Spent,
    out: &'s mut dyn Write,
}

/// Tells the story, and what it cost.
///
/// # Errors
/// When something happens that the story does not expect.
pub async fn tell(stores: &Stores, out: &mut dyn Write) -> Told {
    let day = format!("{:08x}", random()? as u32);
    let acme = stores.of(&OrganizationId(format!("acme-{day}")))?;
    let globex = stores.of(&OrganizationId(format!("globex-{day}")))?;
    let before = Spent::so_far(stores);
    let mut story = Story { stores, acme, globex, day, before_chapter: before, before_step: before, out };
    writeln!(story.out, "A day at Wayboard. Beside each step: its requests, and the units that they took.")?;

    sign_up::tell(&mut story).await?;
    sign_in::tell(&mut story).await?;
    address::tell(&mut story).await?;
    team::tell(&mut story).await?;
    task::tell(&mut story).await?;
    link::tell(&mut story).await?;
    presence::tell(&mut story).await?;
    webhook::tell(&mut story).await?;
    count::tell(&mut story).await?;
    money::tell(&mut story).await?;
    import::tell(&mut story).await?;
    audit::tell(&mut story).await?;
    night::tell(&mut story).await?;
    cost::tell(&mut story)
}

impl Story<'_> {
    /// Begins a chapter.
    fn chapter(&mut self, title: &str) -> Told {
        Ok(writeln!(self.out, "\n{}   {title}", Spent::HEADING)?)
    }

    /// Ends it with what it cost.
    fn end(&mut self) -> Told {
        let now = Spent::so_far(self.stores);
        let spent = now.since(self.before_chapter);
        self.before_chapter = now;
        self.line(spent, "= the chapter")
    }

    /// Says what happened since the last step, with what it cost.
    fn say(&mut self, what: impl Display) -> Told {
        let now = Spent::so_far(self.stores);
        let spent = now.since(self.before_step);
        self.before_step = now;
        self.line(spent, what)
    }

    fn line(&mut self, spent: Spent, what: impl Display) -> Told {
        Ok(writeln!(self.out, "{spent}   {what}")?)
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
}
