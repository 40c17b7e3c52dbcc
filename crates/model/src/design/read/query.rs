//! Reads `[[query]]`: how queries are answered.

use super::super::{PlanAccess, Predicted, QueryPlan, Step, Table};
use super::{named, note_twice, required_string};
use crate::cost::Operations;
use crate::document::{Entry, Section};
use crate::nearest;
use crate::workload::Workload;

/// All plans.
pub(super) fn queries(root: &Section<'_>, tables: &[Table], workload: Option<&Workload>) -> Vec<QueryPlan> {
    let sections = root.sections("query");
    let queries: Vec<(QueryPlan, &Section<'_>)> =
        sections.iter().filter_map(|section| Some((query(section, tables, workload)?, section))).collect();
    note_twice(
        queries.iter().map(|(query, section)| (query.name.as_str(), section.span())),
        "the query",
        root,
    );
    queries.into_iter().map(|(query, _)| query).collect()
}

fn query(section: &Section<'_>, tables: &[Table], workload: Option<&Workload>) -> Option<QueryPlan> {
    let name = required_string(section, "name");
    if let (Some(workload), Some(name), Some(entry)) = (workload, &name, section.entry("name"))
        && !workload.queries.is_empty()
        && !workload.queries.iter().any(|query| query.name == *name)
    {
        let names = workload.queries.iter().map(|query| query.name.as_str());
        entry.note(format!("the workload has no query {name:?}"), nearest::one_of(name, names));
    }
    let plan =
        section.required("plan", "an array of steps").map(|entry| entry.sections()).unwrap_or_default();
    let plan = plan.iter().filter_map(|entry| step(entry, tables)).collect();
    let predicted = section.entry("predicted").and_then(|entry| entry.section());
    let predicted = predicted.map(|section| self::predicted(&section));
    section.finish();
    Some(QueryPlan { name: name?, plan, predicted })
}

fn step(section: &Section<'_>, tables: &[Table]) -> Option<Step> {
    let name = required_string(section, "table");
    let table = name.as_ref().and_then(|name| tables.iter().find(|table| table.name == *name));
    if let (Some(name), None, Some(entry)) = (&name, table, section.entry("table")) {
        let names = tables.iter().map(|table| table.name.as_str());
        entry.note(format!("the design has no table {name:?}"), nearest::one_of(name, names));
    }
    let access = section
        .required("access", "how the table is read")
        .and_then(|entry| named(&entry, PlanAccess::from_name, &PlanAccess::ALL.map(PlanAccess::name)));
    let elements = section.entry("families").map(|entry| entry.elements()).unwrap_or_default();
    for element in &elements {
        if let (Some(table), Some(family)) = (table, element.string())
            && !table.families.iter().any(|known| known.name == family)
        {
            let names = table.families.iter().map(|family| family.name.as_str());
            element.note(
                format!("the table {:?} has no family {family:?}", table.name),
                nearest::one_of(family, names),
            );
        }
    }
    let families = elements.iter().filter_map(Entry::string).map(str::to_owned).collect();
    section.finish();
    Some(Step { table: name?, access: access?, families })
}

fn predicted(section: &Section<'_>) -> Predicted {
    let amount = |key| section.entry(key).and_then(|entry| entry.number()).unwrap_or_default();
    let predicted = Predicted {
        operations: Operations::from_amounts(Operations::NAMES.map(amount)),
        cost: amount("cost"),
    };
    section.finish();
    predicted
}
