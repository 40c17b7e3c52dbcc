//! Random designs.

use fastrand::Rng;
use tablesmith_model::cost::Operations;
use tablesmith_model::design::{
    Cells, CostName, Design, Family, PlanAccess, Predicted, Qualifier, QueryPlan, Reason, Rows, Setting,
    Step, Table,
};
use tablesmith_model::key::{Key, Part};
use tablesmith_model::value::{CellEncoding, KeyEncoding, ValueType};

use crate::parts::part;
use crate::random;

/// A design that the reader accepts.
pub fn design(random: &mut Rng) -> Design {
    let tables: Vec<Table> = (0..random.usize(..4)).map(|index| table(random, index)).collect();
    let queries = match tables.is_empty() {
        true => Vec::new(),
        false => (0..random.usize(..3)).map(|index| query(random, index, &tables)).collect(),
    };
    Design {
        workload: random::text(random, 9),
        cost: random
            .bool()
            .then(|| CostName { name: word(random), calibration: random.bool().then(|| word(random)) }),
        tables,
        queries,
        reasons: random::many(random, 3, |random| Reason::new(word(random), word(random))),
        ..Design::default()
    }
}

fn table(random: &mut Rng, index: usize) -> Table {
    let families: Vec<Family> = (0..=random.usize(..3)).map(|index| family(random, index)).collect();
    let mut splits: Vec<Vec<u8>> =
        random::many(random, 4, |random| [random::bytes(random, 3), vec![random.u8(..)]].concat());
    splits.sort();
    splits.dedup();
    let rows = random::many(random, 3, |random| rows(random, &families));
    Table { name: format!("t{index}"), splits, families, rows }
}

fn family(random: &mut Rng, index: usize) -> Family {
    let all = [
        ("VERSIONS".to_owned(), Setting::Integer(1 + random.usize(..100) as i64)),
        ("IN_MEMORY".to_owned(), Setting::Boolean(random.bool())),
        ("BLOOMFILTER".to_owned(), Setting::Text("ROWCOL".into())),
        ("TTL".to_owned(), Setting::Text("1 DAY".into())),
    ];
    let settings = all.into_iter().filter(|_| random.bool()).collect();
    Family { name: format!("f{index}"), settings }
}

fn rows(random: &mut Rng, families: &[Family]) -> Rows {
    let parts = (0..=random.usize(..3)).map(|_| {
        let (name, value_type) = (word(random), *random.choice(&ValueType::ALL).unwrap());
        part(random, &name, value_type)
    });
    let parts = parts.collect();
    Rows {
        from: word(random),
        join: random::many(random, 2, word),
        key: Key { parts, encoding: *random.choice(&KeyEncoding::ALL).unwrap() },
        cells: random::many(random, 4, |random| cells(random, families)),
    }
}

fn cells(random: &mut Rng, families: &[Family]) -> Cells {
    let columns = random::many(random, 4, word);
    let maybe = |random: &mut Rng| (random.usize(..3) == 0).then(|| word(random));
    let (version, pack_by) = (maybe(random), maybe(random));
    let value = if columns.is_empty() { Some(word(random)) } else { maybe(random) };
    let field = format!("c{}", random.usize(..9));
    Cells {
        family: random.choice(families).unwrap().name.clone(),
        columns,
        encoding: random.bool().then(|| *random.choice(&CellEncoding::ALL).unwrap()),
        version,
        qualifier: (random.usize(..3) == 0).then(|| match random.usize(..3) {
            0 => Qualifier::Field(field),
            1 => Qualifier::Offset(field),
            _ => Qualifier::Parts(vec![Part::Desc(field), Part::Field(word(random))]),
        }),
        value,
        pack_by,
        together: random.usize(..3) == 0,
    }
}

fn query(random: &mut Rng, index: usize, tables: &[Table]) -> QueryPlan {
    let plan = random::many(random, 3, |random| {
        let table = random.choice(tables).unwrap();
        let families =
            table.families.iter().filter(|_| random.bool()).map(|family| family.name.clone()).collect();
        Step { table: table.name.clone(), access: *random.choice(&PlanAccess::ALL).unwrap(), families }
    });
    let amounts =
        [(); Operations::COUNT].map(|()| *random.choice(&[0.0, 1.0, 0.125, 1e-9, 12_345.0, 1e300]).unwrap());
    let predicted = Predicted {
        operations: Operations::from_amounts(amounts),
        cost: *random.choice(&[0.0, 1.2, -3.0]).unwrap(),
    };
    QueryPlan { name: format!("q{index}"), plan, predicted: random.bool().then_some(predicted) }
}

/// A text that is not empty.
fn word(random: &mut Rng) -> String {
    format!("w{}", random::text(random, 6))
}
