//! Namespaces: made, listed, removed when empty.

use tablesmith_model::{TableDescriptor, TableName};

use super::check::{Broken, Checked, done, holds, refused};
use super::lab::Lab;
use super::requests::family;

fn named(namespace: &str, table: &str) -> Checked<TableName> {
    TableName::new(namespace, table).map_err(|error| Broken(error.to_string()))
}

pub(super) async fn are_listed_while_they_exist(lab: &Lab<'_>) -> Checked {
    let own = format!("{}_listed", lab.namespace);
    done("create_namespace", lab.store.create_namespace(&own).await)?;
    let listed = lab.store.list_namespaces().await;
    let again = lab.store.create_namespace(&own).await;
    done("drop_namespace", lab.store.drop_namespace(&own).await)?;
    let listed = done("list_namespaces", listed)?;
    holds("the namespace is listed", listed.contains(&own))?;
    holds("the list is sorted", listed.is_sorted())?;
    for known in ["default", "hbase"] {
        holds(format!("{known} is listed"), listed.iter().any(|name| name == known))?;
    }
    refused("create_namespace again", again, "NamespaceExistException")?;
    let listed = done("list_namespaces", lab.store.list_namespaces().await)?;
    holds("the namespace is not listed", !listed.contains(&own))?;
    refused("drop_namespace again", lab.store.drop_namespace(&own).await, "NamespaceNotFoundException")
}

pub(super) async fn must_exist_for_a_table(lab: &Lab<'_>) -> Checked {
    let name = named(&format!("{}_missing", lab.namespace), "t")?;
    let answer = lab.store.create_table(TableDescriptor::new(name, [family("f")]), Vec::new()).await;
    refused("create in a missing namespace", answer, "NamespaceNotFoundException")
}

pub(super) async fn stay_while_they_have_tables(lab: &Lab<'_>) -> Checked {
    lab.table([family("f")]).await?;
    refused("drop_namespace", lab.store.drop_namespace(lab.namespace).await, "ConstraintException")?;
    for reserved in ["default", "hbase"] {
        let what = format!("drop_namespace {reserved}");
        refused(what, lab.store.drop_namespace(reserved).await, "ConstraintException")?;
    }
    Ok(())
}

pub(super) async fn keep_tables_of_one_name_apart(lab: &Lab<'_>) -> Checked {
    let table = lab.table([family("f")]).await?;
    table.put(&[("r", "f:q", 1, "here")]).await?;
    let other = format!("{}_apart", lab.namespace);
    done("create_namespace", lab.store.create_namespace(&other).await)?;
    let name = named(&other, table.name.table())?;
    let result = apart(lab, &name).await;
    let cleared = clear(lab, &name, &other).await;
    result.and(cleared)?;
    table.raw("r: f:q@1=here").await
}

async fn apart(lab: &Lab<'_>, name: &TableName) -> Checked {
    let descriptor = TableDescriptor::new(name.clone(), [family("f")]);
    done("create", lab.store.create_table(descriptor, Vec::new()).await)?;
    super::table::Table { store: lab.store, name: name.clone() }.raw("nothing").await
}

async fn clear(lab: &Lab<'_>, name: &TableName, namespace: &str) -> Checked {
    done("disable", lab.store.disable_table(name).await)?;
    done("drop", lab.store.drop_table(name).await)?;
    done("drop_namespace", lab.store.drop_namespace(namespace).await)
}
