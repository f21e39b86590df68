//! Random operations of two tenants against a map for each: whatever is read is what the map says, in the table, in the index, in
//! pages of any size and in both directions, while time moves on.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::time::Duration;

use keywright::key::Components;
use keywright::key::declare::{OneQuery, ReadItems, WithinTenant};
use keywright::{Conditional, Direction, Tenant};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::application::*;
use crate::arm::{Arm, in_process_alone};

const TENANTS: [&str; 2] = ["acme", "acme#1"];
const TEAMS: [&str; 3] = ["1", "10", "1#MEMBER"];
const USERS: [&str; 3] = ["ada", "ad", "ada#1"];

/// One step of a program.
#[derive(Clone, Debug)]
enum Step {
    PutMember { at: Place, joined_at: u64, insert: bool },
    Award { at: Place, points: i64, least: Option<i64> },
    Rejoin { at: Place, joined_at: u64 },
    DeleteMember { at: Place },
    PutInvitation { tenant: usize, id: u64, lasts: u64, insert: bool },
    EndInvitation { tenant: usize, id: u64, lasts: u64 },
    TimePasses { seconds: u64 },
    Read { tenant: usize, page: u32, direction: Direction },
}

/// Which member of which tenant.
#[derive(Clone, Copy, Debug)]
struct Place {
    tenant: usize,
    team: usize,
    user: usize,
}

fn step() -> impl Strategy<Value = Step> {
    let place = || {
        (0..TENANTS.len(), 0..TEAMS.len(), 0..USERS.len()).prop_map(|(tenant, team, user)| Place {
            tenant,
            team,
            user,
        })
    };
    let direction = prop_oneof![Just(Direction::Forward), Just(Direction::Backward)];
    prop_oneof![
        4 => (place(), 0..3_u64, any::<bool>())
            .prop_map(|(at, joined_at, insert)| Step::PutMember { at, joined_at, insert }),
        3 => (place(), -3..4_i64, prop::option::of(0..4_i64))
            .prop_map(|(at, points, least)| Step::Award { at, points, least }),
        2 => (place(), 0..3_u64).prop_map(|(at, joined_at)| Step::Rejoin { at, joined_at }),
        1 => place().prop_map(|at| Step::DeleteMember { at }),
        2 => (0..2_usize, 0..3_u64, 0..40_u64, any::<bool>())
            .prop_map(|(tenant, id, lasts, insert)| Step::PutInvitation { tenant, id, lasts, insert }),
        1 => (0..2_usize, 0..3_u64, 0..40_u64)
            .prop_map(|(tenant, id, lasts)| Step::EndInvitation { tenant, id, lasts }),
        1 => (1..20_u64).prop_map(|seconds| Step::TimePasses { seconds }),
        3 => (0..2_usize, 1..5_u32, direction).prop_map(|(tenant, page, direction)| Step::Read { tenant, page, direction }),
    ]
}

/// What one tenant has.
#[derive(Debug, Default)]
struct Model {
    members: BTreeMap<(String, String), Member>,
    invitations: BTreeMap<u64, Invitation>,
}

struct Program {
    arm: Arm,
    tenants: [Tenant<App>; 2],
    models: [Model; 2],
}

impl Program {
    async fn new() -> Program {
        let arm = in_process_alone();
        let store = arm.store::<App>().await;
        Program { tenants: TENANTS.map(|id| tenant(&store, id)), models: Default::default(), arm }
    }

    async fn run(&mut self, step: Step) {
        match step {
            Step::PutMember { at, joined_at, insert } => self.put_member(at, joined_at, insert).await,
            Step::Award { at, points, least } => self.award(at, points, least).await,
            Step::Rejoin { at, joined_at } => {
                let outcome =
                    self.tenants[at.tenant].update(by_id(at), Rejoin { joined_at }).send().await.unwrap();
                let member = self.models[at.tenant].members.get_mut(&key(at));
                assert_eq!(outcome.is_done(), member.is_some());
                if let Some(member) = member {
                    member.joined_at = joined_at;
                }
            }
            Step::DeleteMember { at } => {
                let outcome = self.tenants[at.tenant].delete(by_id(at)).if_present().send().await.unwrap();
                assert_eq!(outcome.is_done(), self.models[at.tenant].members.remove(&key(at)).is_some());
            }
            Step::PutInvitation { tenant, id, lasts, insert } => {
                self.put_invitation(tenant, id, lasts, insert).await
            }
            Step::EndInvitation { tenant, id, lasts } => {
                let expires_at = self.arm.now_seconds() + lasts;
                let change = EndInvitation { expires_at };
                let named = InvitationById { invitation_id: id };
                let outcome = self.tenants[tenant].update(named, change).send().await.unwrap();
                let now = self.arm.now_seconds();
                let there =
                    self.models[tenant].invitations.get_mut(&id).filter(|there| there.expires_at > now);
                assert_eq!(outcome.is_done(), there.is_some());
                if let Some(there) = there {
                    there.expires_at = expires_at;
                }
            }
            Step::TimePasses { seconds } => assert!(self.arm.advance(Duration::from_secs(seconds))),
            Step::Read { tenant, page, direction } => self.read(tenant, page, direction).await,
        }
    }

    async fn put_member(&mut self, at: Place, joined_at: u64, insert: bool) {
        let member = Member { joined_at, ..member(TENANTS[at.tenant], TEAMS[at.team], USERS[at.user]) };
        let put = self.tenants[at.tenant].put(&member);
        let members = &mut self.models[at.tenant].members;
        if insert {
            match put.if_absent().send().await.unwrap() {
                Conditional::Done(_) => assert!(members.insert(key(at), member).is_none()),
                Conditional::Failed { current } => assert_eq!(members.get(&key(at)), current.as_deref()),
            }
        } else {
            put.send().await.unwrap();
            members.insert(key(at), member);
        }
    }

    async fn award(&mut self, at: Place, points: i64, least: Option<i64>) {
        let mut update = self.tenants[at.tenant].update(by_id(at), Award { points });
        if let Some(least) = least {
            update = update.when(&HasPoints { least });
        }
        let outcome = update.send().await.unwrap();
        let member = self.models[at.tenant].members.get_mut(&key(at));
        match (outcome, member) {
            (Conditional::Done(updated), Some(member)) => {
                assert!(least.is_none_or(|least| member.points >= least));
                member.points += points;
                assert_eq!(*updated.item, *member);
            }
            (Conditional::Failed { current }, Some(member)) => {
                assert!(least.is_some_and(|least| member.points < least));
                assert_eq!(current.as_deref(), Some(&*member));
            }
            (outcome, member) => assert!(!outcome.is_done() && member.is_none()),
        }
    }

    async fn put_invitation(&mut self, tenant: usize, id: u64, lasts: u64, insert: bool) {
        let now = self.arm.now_seconds();
        let invitation = invitation(TENANTS[tenant], id, "ada@example.com", now + lasts);
        let put = self.tenants[tenant].put(&invitation);
        let invitations = &mut self.models[tenant].invitations;
        if !insert {
            put.send().await.unwrap();
            invitations.insert(id, invitation);
            return;
        }
        let there = invitations.get(&id).filter(|there| there.expires_at > now).cloned();
        match put.if_absent().send().await.unwrap() {
            Conditional::Done(_) => {
                assert_eq!(there, None);
                invitations.insert(id, invitation);
            }
            Conditional::Failed { current } => assert_eq!(current.as_deref(), there.as_ref()),
        }
    }

    /// Everything that a tenant can see, read in every way.
    async fn read(&self, tenant: usize, page: u32, direction: Direction) {
        let (handle, model) = (&self.tenants[tenant], &self.models[tenant]);
        for team in TEAMS {
            let pattern = || TeamWithMembers { team_id: team.to_owned() };
            let found = paged(handle, pattern, page, direction).await;
            let found: Vec<Member> = found
                .into_iter()
                .map(|item| match item {
                    TeamWithMembersItem::Member(member) => member,
                    TeamWithMembersItem::Team(team) => panic!("{team:?}"),
                })
                .collect();
            let expected = model.members.iter().filter(|((of_team, _), _)| of_team == team);
            assert_eq!(found, in_direction(expected.map(|(_, member)| member.clone()), direction), "{team}");
        }
        for user in USERS {
            let pattern = || MembershipsOfUser { user_id: user.to_owned() };
            let found = paged(handle, pattern, page, direction).await;
            let found = found.into_iter().map(|found| (found.joined_at, found.team_id)).collect::<Vec<_>>();
            let mut expected: Vec<(u64, String)> = model
                .members
                .iter()
                .filter(|((_, of_user), _)| of_user == user)
                .map(|((team, _), member)| (member.joined_at, team.clone()))
                .collect();
            // Where members joined at one time, the index has no order.
            let times = |all: &[(u64, String)]| all.iter().map(|(time, _)| *time).collect::<Vec<_>>();
            expected.sort();
            assert_eq!(times(&found), in_direction(times(&expected).into_iter(), direction), "{user}");
            let mut sorted = found;
            sorted.sort();
            assert_eq!(sorted, expected, "{user}");
        }
        let now = self.arm.now_seconds();
        let valid = || model.invitations.values().filter(|there| there.expires_at > now).cloned();
        let found = paged(handle, || Invitations {}, page, direction).await;
        assert_eq!(found, in_direction(valid(), direction));
        let by_address = InvitationsByAddress { address: "ada@example.com".to_owned() };
        let looked_up = handle.lookup(by_address).page().await.unwrap();
        assert!(looked_up.items.into_iter().filter_map(Result::ok).eq(valid()));
    }
}

fn by_id(at: Place) -> MemberById {
    MemberById { team_id: TEAMS[at.team].to_owned(), user_id: USERS[at.user].to_owned() }
}

fn key(at: Place) -> (String, String) {
    (TEAMS[at.team].to_owned(), USERS[at.user].to_owned())
}

fn in_direction<Item>(items: impl Iterator<Item = Item>, direction: Direction) -> Vec<Item> {
    let mut items: Vec<Item> = items.collect();
    if direction == Direction::Backward {
        items.reverse();
    }
    items
}

/// Everything that a pattern finds, page by page, each by the cursor of the one before.
async fn paged<Pattern>(
    tenant: &Tenant<App>,
    pattern: impl Fn() -> Pattern,
    page: u32,
    direction: Direction,
) -> Vec<Pattern::Item>
where
    Pattern: ReadItems<Table = App> + WithinTenant + OneQuery + Components,
{
    let mut found = Vec::new();
    let mut cursor = None;
    loop {
        let mut query = tenant.query(pattern()).limit(NonZeroU32::new(page).unwrap());
        if direction == Direction::Backward {
            query = query.backward();
        }
        if let Some(cursor) = cursor {
            query = query.after(cursor);
        }
        let page = query.page().await.unwrap();
        cursor = page.next.clone();
        found.extend(page.into_items().unwrap());
        if cursor.is_none() {
            return found;
        }
    }
}

#[test]
fn whatever_is_read_is_what_a_map_for_each_tenant_says() {
    let cases = if std::env::var_os("KEYWRIGHT_LONG").is_some() { 3_000 } else { 60 };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&prop::collection::vec(step(), 1..40), |steps| {
            runtime.block_on(async {
                let mut program = Program::new().await;
                for step in steps {
                    program.run(step).await;
                }
                for tenant in 0..TENANTS.len() {
                    program.read(tenant, 2, Direction::Forward).await;
                }
            });
            Ok(())
        })
        .unwrap();
}
