//! What happens when servers are added: which rows move, and whether new regions can be split off.

use tablesmith_model::key::{Key, Part};

use super::load;
use super::splits::prefix::Leading;

/// What adding servers does.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// Servers that are added.
    pub added: usize,
    /// The part of the rows that moves to the new servers, as whole regions.
    pub moved_share: f64,
    /// The part of the rows that the busiest server holds afterwards, over the mean; 1 is even.
    pub busiest_over_mean: f64,
    /// Whether every region can be split further by the key's prefix alone.
    pub can_split_prefix: bool,
    /// What to know, as a sentence.
    pub note: String,
}

/// What adding so many servers does to a table whose regions hold these rows. The balancer is taken to move as few
/// regions as it needs for equal counts, from the servers that have the most.
pub fn after_adding(added: usize, key: &Key, region_rows: &[f64], servers: usize) -> Growth {
    let after = servers + added;
    let mut placed = placement(region_rows.len(), servers, after);
    let moved = move_regions(&mut placed, servers, after);
    let total: f64 = region_rows.iter().sum();
    let moved_rows: f64 = moved.iter().filter_map(|region| region_rows.get(*region)).sum();
    let mut load = vec![0.0; after];
    for (server, regions) in placed.iter().enumerate() {
        let rows: f64 = regions.iter().filter_map(|region| region_rows.get(*region)).sum();
        if let Some(own) = load.get_mut(server) {
            *own = rows;
        }
    }
    let leading = Leading::of(key);
    let per_region = leading.map(|leading| leading.count() / (region_rows.len().max(1) as u64));
    let can_split_prefix = per_region.is_some_and(|prefixes| prefixes >= 2);
    Growth {
        added,
        moved_share: if total > 0.0 { moved_rows / total } else { 0.0 },
        busiest_over_mean: load::Summary::of(&load).hottest_over_mean(),
        can_split_prefix,
        note: note(key, per_region, region_rows.len(), after),
    }
}

fn placement(regions: usize, servers: usize, after: usize) -> Vec<Vec<usize>> {
    let mut placed = vec![Vec::new(); after];
    for region in 0..regions {
        if let Some(own) = placed.get_mut(load::server_of(region, servers)) {
            own.push(region);
        }
    }
    placed
}

/// Moves regions to the new servers until counts differ by at most one.
fn move_regions(placed: &mut [Vec<usize>], servers: usize, after: usize) -> Vec<usize> {
    let regions: usize = placed.iter().map(Vec::len).sum();
    let share = regions / after.max(1);
    let mut moved = Vec::new();
    for new in servers..after {
        while placed.get(new).is_some_and(|own| own.len() < share) {
            let fullest = (0..servers).max_by_key(|server| placed.get(*server).map_or(0, Vec::len));
            let Some(region) = fullest.and_then(|server| placed.get_mut(server)).and_then(Vec::pop) else {
                break;
            };
            moved.push(region);
            if let Some(own) = placed.get_mut(new) {
                own.push(region);
            }
        }
    }
    moved
}

fn note(key: &Key, prefixes_per_region: Option<u64>, regions: usize, servers: usize) -> String {
    let enough = if regions >= servers {
        format!("{regions} regions are enough for {servers} servers")
    } else {
        format!(
            "{regions} regions leave {} of {servers} servers without one: regions must be split",
            servers - regions
        )
    };
    let how = match prefixes_per_region {
        Some(prefixes) if prefixes >= 2 => {
            format!("each region holds {prefixes} prefixes and can be split evenly by prefix")
        }
        Some(_) => "every region is one prefix: it can only be split by what follows, of which nothing is known \
                    beforehand"
            .to_owned(),
        None if grows_at_one_end(key) => {
            "splitting old regions does not help writes: when ids or times only grow, all new rows go to one region"
                .to_owned()
        }
        None => "regions can be split at quantiles of the keys".to_owned(),
    };
    format!("{enough}; {how}")
}

/// Whether keys sort as values that often only grow, or only fall.
fn grows_at_one_end(key: &Key) -> bool {
    matches!(key.parts.first(), Some(Part::Field(_) | Part::Pad { .. } | Part::Bucket { .. } | Part::Desc(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablesmith_model::value::KeyEncoding;

    fn key(parts: &[&str]) -> Key {
        Key::parse(parts, KeyEncoding::Binary).unwrap()
    }

    #[test]
    fn a_new_server_takes_its_share_and_no_more() {
        let growth = after_adding(1, &key(&["md5_mod(id, 960)", "id"]), &[10.0; 12], 3);
        assert_eq!(growth.moved_share, 0.25);
        assert_eq!(growth.busiest_over_mean, 1.0);
        assert!(growth.can_split_prefix && growth.note.contains("80 prefixes"), "{}", growth.note);
    }

    #[test]
    fn a_region_of_one_prefix_cannot_be_split_by_prefix() {
        let growth = after_adding(2, &key(&["md5_mod(id, 3)", "id"]), &[10.0; 3], 3);
        assert!(!growth.can_split_prefix);
        assert_eq!(growth.moved_share, 0.0);
        assert!(
            growth.note.contains("leave 2 of 5 servers") && growth.note.contains("one prefix"),
            "{}",
            growth.note
        );
    }

    #[test]
    fn a_growing_key_gains_nothing() {
        let growth = after_adding(1, &key(&["id"]), &[10.0; 4], 2);
        assert!(growth.note.contains("does not help writes"), "{}", growth.note);
        assert!(after_adding(1, &key(&["md5(id)", "id"]), &[], 1).can_split_prefix);
    }
}
