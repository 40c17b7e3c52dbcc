//! Whatever the shape of rows: the same records come, in the order that is promised.

use fastrand::Rng;
use tablesmith_access::{Layout, Wanted, Writer};
use tablesmith_model::plan::Condition;
use tablesmith_model::value::Value;
use tablesmith_store::Store;

use super::designs::{design, workload};
use super::model::Model;
use super::statements::{columns, of, test};
use super::world::{make, read, stored};
use crate::random::seed;
use crate::stores::memory;

/// Something to want of a layout, by fields that it stores.
fn wanted(random: &mut Rng, layout: &Layout) -> Wanted {
    let fields = stored(layout);
    let condition = |random: &mut Rng| {
        let field = random.choice(&fields).unwrap().clone();
        let column = layout.record().column(&field).unwrap();
        Condition::new(field, test(random, &column.table, &column.column))
    };
    let conditions = (0..random.usize(..4)).map(|_| condition(random)).collect();
    let order =
        (0..random.usize(..3)).map(|_| (random.choice(&fields).unwrap().clone(), random.bool())).collect();
    let limit = random.bool().then(|| random.usize(..4) as u64);
    Wanted { fields: fields.clone(), conditions, order, limit }
}

/// The values of some fields.
fn picked(fields: &[String], names: &[(String, bool)], row: &[Value]) -> Vec<Value> {
    names
        .iter()
        .map(|(name, _)| row[fields.iter().position(|field| field == name).unwrap()].clone())
        .collect()
}

fn compare(order: &[(String, bool)], one: &[Value], two: &[Value]) -> std::cmp::Ordering {
    let each = order.iter().zip(one.iter().zip(two));
    let each = each.map(|((_, falls), (one, two))| if *falls { two.cmp(one) } else { one.cmp(two) });
    each.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
}

async fn check(store: &dyn Store, layout: &Layout, model: &Model, wanted: &Wanted, context: &str) {
    let names = layout.record().fields();
    let places: Vec<usize> =
        wanted.fields.iter().map(|field| names.iter().position(|name| name == field).unwrap()).collect();
    let met = |row: &&Vec<Value>| {
        wanted
            .conditions
            .iter()
            .all(|one| one.test.holds(&row[names.iter().position(|name| *name == one.column).unwrap()]))
    };
    let records = model.records(layout.record());
    let mut expected: Vec<Vec<Value>> =
        records.iter().filter(met).map(|row| places.iter().map(|at| row[*at].clone()).collect()).collect();
    let plan = layout.read(wanted).unwrap();
    let mut there = read(store, layout, wanted).await;
    let context = format!("{} of {:?}: {wanted:?}\n{context}", plan.words(), layout.record());
    if plan.is_in_order() {
        let place = |row: &[Value]| picked(&wanted.fields, &wanted.order, row);
        let rises = |pair: &[Vec<Value>]| compare(&wanted.order, &place(&pair[0]), &place(&pair[1])).is_le();
        assert!(there.windows(2).all(rises), "not in order: {there:?}: {context}");
        expected.sort_by(|one, two| compare(&wanted.order, &place(one), &place(two)));
        if let Some(limit) = wanted.limit {
            let most = expected.len().min(limit as usize);
            assert_eq!(there.len(), most, "{context}");
            for (one, two) in there.iter().zip(&expected) {
                assert_eq!(place(one), place(two), "{context}");
            }
            assert!(there.iter().all(|row| expected.contains(row)), "{there:?}: {context}");
            return;
        }
    }
    if let Some(limit) = wanted.limit {
        // The one who sorts takes the first of these, and they are all there.
        let place = |row: &[Value]| picked(&wanted.fields, &wanted.order, row);
        let first = |rows: &mut Vec<Vec<Value>>| {
            rows.sort_by(|one, two| compare(&wanted.order, &place(one), &place(two)));
            rows.iter().take(limit as usize).map(|row| place(row)).collect::<Vec<_>>()
        };
        assert!(there.iter().all(|row| expected.contains(row)), "{there:?}: {context}");
        assert_eq!(first(&mut there), first(&mut expected), "{context}");
        return;
    }
    there.sort();
    expected.sort();
    assert_eq!(there, expected, "{context}");
}

async fn run(store: &dyn Store, random: &mut Rng, context: &str) {
    let design = design(random);
    make(store, &design).await;
    let writer = Writer::new(&workload(), &design).unwrap();
    let mut model = Model::new(&workload());
    for table in ["user", "follow", "twit"] {
        let row = |random: &mut Rng| {
            columns(&model, table).iter().map(|column| of(random, table, column)).collect::<Vec<_>>()
        };
        let rows: Vec<Vec<Value>> = (0..12).map(|_| row(random)).collect();
        super::statements::Statement::Insert(table, rows.clone()).on(&mut model);
        writer.insert(store, table, rows).await.unwrap();
    }
    let context = format!("{context}\n{}", design.to_toml());
    for (layout, _) in writer.layouts() {
        for _ in 0..40 {
            let wanted = wanted(random, layout);
            check(store, layout, &model, &wanted, &context).await;
        }
    }
}

#[tokio::test]
async fn records_are_the_same_on_every_layout() {
    for run_number in 0..40 {
        let seed = seed() + 20_000 + run_number;
        run(&memory(), &mut Rng::with_seed(seed), &format!("seed {seed}")).await;
    }
}
