//! What changes individuals, one operator a file. Each has a function that carries out a given choice, and one that draws
//! a choice at random.

pub mod cross_fertilisation;
pub mod crossover;
pub mod merge;
pub mod mutation;
pub mod split_up;

#[cfg(test)]
mod tests;

/// Two different positions below a number of at least two.
fn two_of(count: usize, random: &mut fastrand::Rng) -> Option<(usize, usize)> {
    if count < 2 {
        return None;
    }
    let first = random.usize(0..count);
    let second = (first + random.usize(1..count)) % count;
    Some((first, second))
}
