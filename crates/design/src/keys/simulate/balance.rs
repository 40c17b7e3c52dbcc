//! Decides which regions move so that every server has as many as the others, as HBase's simple balancer does.

/// A region that moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) region: usize,
    pub(super) to: usize,
}

/// The fewest moves after which no server has more than one region more than another. `servers` has the server of each
/// region. The newest regions move: those that split off stay together with their older half no longer.
pub(super) fn balance(servers: &[usize], count: usize) -> Vec<Move> {
    let mut regions_of: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (region, &server) in servers.iter().enumerate() {
        if let Some(regions) = regions_of.get_mut(server) {
            regions.push(region);
        }
    }
    let (fewest, mut with_one_more) = match servers.len().checked_div(count) {
        Some(fewest) => (fewest, servers.len() % count),
        None => return Vec::new(),
    };
    // The fullest keep the one more that some must have.
    let mut by_fullness: Vec<usize> = (0..count).collect();
    by_fullness
        .sort_by_key(|server| std::cmp::Reverse(regions_of.get(*server).map_or(0, std::vec::Vec::len)));
    let mut wanted = vec![fewest; count];
    for server in by_fullness {
        if let (true, Some(wanted)) = (with_one_more > 0, wanted.get_mut(server)) {
            *wanted += 1;
            with_one_more -= 1;
        }
    }
    let mut homeless = Vec::new();
    for (regions, wanted) in regions_of.iter_mut().zip(&wanted) {
        let keep = regions.len().min(*wanted);
        homeless.extend(regions.split_off(keep));
    }
    homeless.sort_unstable();
    let mut moves = Vec::with_capacity(homeless.len());
    for (to, (regions, wanted)) in regions_of.iter().zip(&wanted).enumerate() {
        let taken =
            homeless.split_off(homeless.len() - wanted.saturating_sub(regions.len()).min(homeless.len()));
        moves.extend(taken.into_iter().map(|region| Move { region, to }));
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(servers: &[usize], count: usize) -> (Vec<usize>, usize) {
        let mut placed = servers.to_vec();
        let moves = balance(servers, count);
        for one in &moves {
            placed[one.region] = one.to;
        }
        let counts = (0..count).map(|server| placed.iter().filter(|&&at| at == server).count()).collect();
        (counts, moves.len())
    }

    #[test]
    fn every_server_gets_as_many_and_no_move_is_in_vain() {
        assert_eq!(after(&[0, 0, 0, 0], 4), (vec![1, 1, 1, 1], 3));
        assert_eq!(after(&[0, 0, 1, 1, 1], 2), (vec![2, 3], 0));
        assert_eq!(after(&[0, 1, 0, 1, 0, 1], 3), (vec![2, 2, 2], 2));
        assert_eq!(after(&[1, 1, 1, 1, 1], 3).0.iter().sum::<usize>(), 5);
        assert_eq!(after(&[0], 3), (vec![1, 0, 0], 0));
        assert_eq!(balance(&[], 0), []);
    }
}
