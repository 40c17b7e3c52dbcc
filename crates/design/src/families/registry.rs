//! All methods, by name.

use super::baselines::{Current, Each, One};
use super::evolve::Evolve;
use super::evolve_plus::EvolvePlus;
use super::exact::Exact;
use super::rivals::{AutoPart, HillClimb, Hyrise, Navathe, O2p, Trojan};
use super::{Method, evolve, evolve_plus};

/// What can be set of the methods.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Settings {
    /// Of the published evolution.
    pub evolve: evolve::Parameters,
    /// Of the better evolution.
    pub evolve_plus: evolve_plus::Parameters,
}

/// The method that is used when none is named.
pub const DEFAULT: &str = "evolve+";

/// All methods, the baselines first.
pub fn methods(settings: &Settings) -> Vec<Box<dyn Method>> {
    vec![
        Box::new(One),
        Box::new(Each),
        Box::new(Current),
        Box::new(Navathe),
        Box::new(O2p),
        Box::new(HillClimb),
        Box::new(AutoPart::default()),
        Box::new(Hyrise::default()),
        Box::new(Trojan::default()),
        Box::new(Evolve { parameters: settings.evolve }),
        Box::new(EvolvePlus { parameters: settings.evolve_plus }),
        Box::new(Exact::default()),
    ]
}

/// The names of all methods, in the order of [`methods`].
pub fn names() -> Vec<&'static str> {
    methods(&Settings::default()).iter().map(|method| method.name()).collect()
}

/// The method of this name.
pub fn by_name(name: &str, settings: &Settings) -> Option<Box<dyn Method>> {
    methods(settings).into_iter().find(|method| method.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_method_has_a_name_of_its_own_and_says_where_it_comes_from() {
        let names = names();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        for name in names {
            let method = by_name(name, &Settings::default()).unwrap();
            assert!(!method.origin().is_empty(), "{name}");
        }
        assert!(by_name(DEFAULT, &Settings::default()).is_some());
        assert!(by_name("no such method", &Settings::default()).is_none());
    }
}
