//! Random designs.

use tablesmith_model::cost::Operations;
use tablesmith_model::design::{
    Cells, CostName, Design, Family, PlanAccess, Predicted, Qualifier, QueryPlan, Reason, Rows, Setting,
    Step, Table,
};
use tablesmith_model::key::{Key, Part};
use tablesmith_model::value::{CellEncoding, KeyEncoding, ValueType};

use crate::parts::part;
use crate::random::Random;

/// A design that the reader accepts.
pub fn design(random: &mut Random) -> Design {
    let tables: Vec<Table> = (0..random.below(4)).map(|index| table(random, index)).collect();
    let queries = match tables.is_empty() {
        true => Vec::new(),
        false => (0..random.below(3)).map(|index| query(random, index, &tables)).collect(),
    };
    Design {
        workload: random.text(9),
        cost: random
            .one_in(2)
            .then(|| CostName { name: word(random), calibration: random.one_in(2).then(|| word(random)) }),
        tables,
        queries,
        reasons: random.many(3, |random| Reason::new(word(random), word(random))),
        ..Design::default()
    }
}

fn table(random: &mut Random, index: usize) -> Table {
    let families: Vec<Family> = (0..=random.below(3)).map(|index| family(random, index)).collect();
    let mut splits: Vec<Vec<u8>> =
        random.many(4, |random| [random.bytes(3), vec![random.number() as u8]].concat());
    splits.sort();
    splits.dedup();
    let rows = random.many(3, |random| rows(random, &families));
    Table { name: format!("t{index}"), splits, families, rows }
}

fn family(random: &mut Random, index: usize) -> Family {
    let all = [
        ("VERSIONS".to_owned(), Setting::Integer(1 + random.below(100) as i64)),
        ("IN_MEMORY".to_owned(), Setting::Boolean(random.one_in(2))),
        ("BLOOMFILTER".to_owned(), Setting::Text("ROWCOL".into())),
        ("TTL".to_owned(), Setting::Text("1 DAY".into())),
    ];
    let settings = all.into_iter().filter(|_| random.one_in(2)).collect();
    Family { name: format!("f{index}"), settings }
}

fn rows(random: &mut Random, families: &[Family]) -> Rows {
    let parts = (0..=random.below(3)).map(|_| {
        let (name, value_type) = (word(random), *random.pick(&ValueType::ALL));
        part(random, &name, value_type)
    });
    let parts = parts.collect();
    Rows {
        from: word(random),
        join: random.many(2, word),
        key: Key { parts, encoding: *random.pick(&KeyEncoding::ALL) },
        cells: random.many(4, |random| cells(random, families)),
    }
}

fn cells(random: &mut Random, families: &[Family]) -> Cells {
    let columns = random.many(4, word);
    let maybe = |random: &mut Random| random.one_in(3).then(|| word(random));
    let (version, pack_by) = (maybe(random), maybe(random));
    let value = if columns.is_empty() { Some(word(random)) } else { maybe(random) };
    let field = format!("c{}", random.below(9));
    Cells {
        family: random.pick(families).name.clone(),
        columns,
        encoding: random.one_in(2).then(|| *random.pick(&CellEncoding::ALL)),
        version,
        qualifier: random.one_in(3).then(|| match random.below(3) {
            0 => Qualifier::Field(field),
            1 => Qualifier::Offset(field),
            _ => Qualifier::Parts(vec![Part::Desc(field), Part::Field(word(random))]),
        }),
        value,
        pack_by,
        together: random.one_in(3),
    }
}

fn query(random: &mut Random, index: usize, tables: &[Table]) -> QueryPlan {
    let plan = random.many(3, |random| {
        let table = random.pick(tables);
        let families =
            table.families.iter().filter(|_| random.one_in(2)).map(|family| family.name.clone()).collect();
        Step { table: table.name.clone(), access: *random.pick(&PlanAccess::ALL), families }
    });
    let amounts = [(); Operations::COUNT].map(|()| *random.pick(&[0.0, 1.0, 0.125, 1e-9, 12_345.0, 1e300]));
    let predicted =
        Predicted { operations: Operations::from_amounts(amounts), cost: *random.pick(&[0.0, 1.2, -3.0]) };
    QueryPlan { name: format!("q{index}"), plan, predicted: random.one_in(2).then_some(predicted) }
}

/// A text that is not empty.
fn word(random: &mut Random) -> String {
    format!("w{}", random.text(6))
}
