//! A follow graph as social networks have them: few users with very many followers, many with a handful.

use std::collections::BTreeSet;

use fastrand::Rng;

/// Users have given names out of these, with a number to tell them apart.
const GIVEN_NAMES: &[&str] = &[
    "Ada", "Amara", "Bo", "Carmen", "Chidi", "Dara", "Elif", "Farid", "Grace", "Hana", "Ines", "Jonas",
    "Kenji", "Leila", "Mateo", "Mira", "Nadia", "Olga", "Pavel", "Quinn", "Rosa", "Sami", "Tove", "Uma",
    "Viktor", "Wen", "Ximena", "Yara", "Zoe",
];
const FAMILY_NAMES: &[&str] = &[
    "Abebe", "Berg", "Castro", "Diallo", "Eriksen", "Fischer", "Garcia", "Haddad", "Ivanova", "Jensen",
    "Kim", "Lopez", "Mbeki", "Nakamura", "Okafor", "Petrov", "Rossi", "Sato", "Tanaka", "Ueda", "Varga",
    "Weber", "Yilmaz", "Zhang",
];

/// A user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// What identifies the user; of any length.
    pub id: String,
    /// What people read.
    pub name: String,
}

/// Who follows whom, by position among the users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// Who follows.
    pub follower: usize,
    /// Whom.
    pub followed: usize,
}

/// Users and edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// The users.
    pub users: Vec<User>,
    /// The edges, each once, sorted.
    pub edges: Vec<Edge>,
}

impl Graph {
    /// The same seed and sizes give the same graph. There are fewer edges where so few users cannot have as many.
    pub fn generate(seed: u64, users: usize, edges: usize) -> Self {
        let mut random = Rng::with_seed(seed);
        let mut popular: Vec<usize> = (0..users).collect();
        random.shuffle(&mut popular);
        let users: Vec<User> = (0..users).map(|number| user(number, &mut random)).collect();
        let mut found = BTreeSet::new();
        // Repetitions of popular edges are drawn again, up to a limit for graphs that are nearly full.
        for _ in 0..edges.saturating_mul(8) {
            if found.len() == edges || users.len() < 2 {
                break;
            }
            let follower = skewed(&mut random, users.len(), 2);
            let followed = popular.get(skewed(&mut random, users.len(), 3)).copied().unwrap_or_default();
            if follower != followed {
                found.insert(Edge { follower, followed });
            }
        }
        Self { users, edges: found.into_iter().collect() }
    }

    /// Whom a user follows.
    pub fn followed_by(&self, user: usize) -> impl Iterator<Item = usize> {
        self.edges.iter().filter(move |edge| edge.follower == user).map(|edge| edge.followed)
    }

    /// Who follows a user.
    pub fn followers_of(&self, user: usize) -> impl Iterator<Item = usize> {
        self.edges.iter().filter(move |edge| edge.followed == user).map(|edge| edge.follower)
    }

    /// The user with the most followers, and how many.
    pub fn most_followed(&self) -> Option<(usize, usize)> {
        self.most(|edge| edge.followed)
    }

    /// The user who follows the most others, and how many.
    pub fn busiest(&self) -> Option<(usize, usize)> {
        self.most(|edge| edge.follower)
    }

    fn most(&self, end: impl Fn(&Edge) -> usize) -> Option<(usize, usize)> {
        let mut counts = vec![0; self.users.len()];
        for edge in &self.edges {
            if let Some(count) = counts.get_mut(end(edge)) {
                *count += 1;
            }
        }
        // Of equals the first, whatever the order of a maximum search is.
        let most = counts.iter().copied().max().filter(|&most| most > 0)?;
        Some((counts.iter().position(|&count| count == most)?, most))
    }
}

fn user(number: usize, random: &mut Rng) -> User {
    let given = random.choice(GIVEN_NAMES).copied().unwrap_or_default();
    let family = random.choice(FAMILY_NAMES).copied().unwrap_or_default();
    User { id: format!("{}{number}", given.to_lowercase()), name: format!("{given} {family}") }
}

/// A number below `below` that is small more often: below a number below a number…, so many times. Whole numbers only,
/// so that every machine draws the same.
fn skewed(random: &mut Rng, below: usize, times: u32) -> usize {
    (0..times).fold(below, |limit, _| random.usize(0..limit.max(1)).saturating_add(1)).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides() {
        let graph = Graph::generate(7, 200, 1_000);
        assert_eq!(graph, Graph::generate(7, 200, 1_000));
        assert_ne!(graph, Graph::generate(8, 200, 1_000));
        assert_eq!(graph.edges.len(), 1_000);
    }

    #[test]
    fn nobody_follows_the_same_user_twice_or_himself() {
        let graph = Graph::generate(1, 50, 400);
        assert!(graph.edges.is_sorted_by(|one, next| one < next));
        assert!(graph.edges.iter().all(|edge| edge.follower != edge.followed));
        let ids: BTreeSet<_> = graph.users.iter().map(|user| &user.id).collect();
        assert_eq!(ids.len(), 50);
    }

    #[test]
    fn few_have_very_many_followers() {
        let graph = Graph::generate(3, 1_000, 10_000);
        let (star, followers) = graph.most_followed().unwrap();
        assert!(followers > 10 * (10_000 / 1_000), "the most followed has {followers}");
        assert_eq!(graph.followers_of(star).count(), followers);
        let (busy, follows) = graph.busiest().unwrap();
        assert_eq!(graph.followed_by(busy).count(), follows);
    }

    #[test]
    fn impossible_sizes_end() {
        assert_eq!(Graph::generate(1, 2, 100).edges.len(), 2);
        for users in [0, 1] {
            let graph = Graph::generate(1, users, 10);
            assert_eq!((graph.edges.len(), graph.most_followed(), graph.busiest()), (0, None, None));
        }
    }
}
