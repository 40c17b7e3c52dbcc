//! Namespaces: groups of tables.

use std::collections::BTreeMap;

use super::Admin;
use super::master::ask;
use super::procedure::Nonces;
use super::schema::{name_map, name_pairs};
use crate::{Error, pb};

/// A group of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Namespace {
    /// Its name.
    pub name: String,
    /// Settings, e.g. how many tables it may have.
    pub configuration: BTreeMap<String, String>,
}

impl Namespace {
    /// A namespace without settings.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), configuration: BTreeMap::new() }
    }

    fn to_pb(&self) -> pb::NamespaceDescriptor {
        pb::NamespaceDescriptor {
            name: self.name.clone().into(),
            configuration: name_pairs(&self.configuration),
        }
    }

    fn from_pb(descriptor: pb::NamespaceDescriptor) -> Self {
        Self {
            name: String::from_utf8_lossy(&descriptor.name).into_owned(),
            configuration: name_map(descriptor.configuration),
        }
    }
}

impl Admin {
    /// Makes a namespace.
    pub async fn create_namespace(&self, namespace: &Namespace) -> Result<(), Error> {
        self.run_procedure("CreateNamespace", &request_with(namespace)).await
    }

    /// Changes a namespace's settings.
    pub async fn modify_namespace(&self, namespace: &Namespace) -> Result<(), Error> {
        self.run_procedure("ModifyNamespace", &request_with(namespace)).await
    }

    /// Drops a namespace, which must be empty.
    pub async fn delete_namespace(&self, name: &str) -> Result<(), Error> {
        let Nonces { group, nonce } = Nonces::new();
        let request =
            pb::DeleteNamespaceRequest { namespace_name: name.to_owned(), nonce_group: group, nonce };
        self.run_procedure("DeleteNamespace", &request).await
    }

    /// All namespaces by name, HBase's own too.
    pub async fn namespaces(&self) -> Result<Vec<Namespace>, Error> {
        let request = pb::ListNamespaceDescriptorsRequest {};
        let reply: pb::ListNamespaceDescriptorsResponse =
            ask(&self.cluster, "ListNamespaceDescriptors", &request, &mut self.attempts()).await?;
        let mut found: Vec<Namespace> =
            reply.namespace_descriptor.into_iter().map(Namespace::from_pb).collect();
        found.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(found)
    }
}

fn request_with(namespace: &Namespace) -> pb::NamespaceRequest {
    let Nonces { group, nonce } = Nonces::new();
    pb::NamespaceRequest { namespace_descriptor: namespace.to_pb(), nonce_group: group, nonce }
}
