//! Calls to coprocessors: code of the user's that runs in the region servers, beside the data.

use std::time::Instant;

use bytes::Bytes;

use crate::cluster::Cluster;
use crate::region::each::{Failure, RegionWork, each_region, region_of_row};
use crate::region::range::KeyRange;
use crate::rpc::{CallOptions, Service, region_specifier};
use crate::{Error, Location, Region, Table, pb};

/// A method of a coprocessor's service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceMethod {
    /// The service's full name, e.g. `AggregateService`.
    pub service: String,
    /// The method's name.
    pub method: String,
}

impl ServiceMethod {
    /// A method of a service.
    pub fn new(service: impl Into<String>, method: impl Into<String>) -> Self {
        Self { service: service.into(), method: method.into() }
    }
}

/// What a coprocessor answered in one region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceAnswer {
    /// The region.
    pub region: Region,
    /// The first row that was asked for in it.
    pub start: Bytes,
    /// The row behind the last one; empty at the table's end.
    pub stop: Bytes,
    /// The answer's message.
    pub message: Bytes,
}

impl Table {
    /// Calls a coprocessor in the region of a row. Returns the answer's message.
    ///
    /// It is called again when the answer is lost: a method that changes something must be able to bear that. The call
    /// may take as long as the whole operation.
    pub async fn exec_service(
        &self,
        row: impl Into<Bytes>,
        method: &ServiceMethod,
        request: Bytes,
    ) -> Result<Bytes, Error> {
        let work = Exec { method: method.clone(), request: move |_: &Bytes, _: &Bytes| request.clone() };
        let answer = region_of_row(&self.cluster, &self.name, &row.into(), work, self.deadline()).await?;
        Ok(answer.message)
    }

    /// Calls a coprocessor in every region that has rows from `start` up to `stop` (empty keys are the table's ends),
    /// in parallel. Returns the answers in key order.
    ///
    /// `request` makes the message for a share of the range, from a row up to another one, all in one region. The
    /// method must answer for these rows only: when regions are split or merged meanwhile the shares are others, and
    /// together they are always the range, with every row once.
    pub async fn exec_service_in_range<F>(
        &self,
        start: impl Into<Bytes>,
        stop: impl Into<Bytes>,
        method: &ServiceMethod,
        request: F,
    ) -> Result<Vec<ServiceAnswer>, Error>
    where
        F: Fn(&Bytes, &Bytes) -> Bytes + Send + Sync + 'static,
    {
        let range = KeyRange { start: start.into(), stop: stop.into() };
        if range.is_empty() {
            return Ok(Vec::new());
        }
        let work = Exec { method: method.clone(), request };
        each_region(&self.cluster, &self.name, &range, work, self.deadline()).await
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.cluster.config.operation_timeout
    }
}

struct Exec<F> {
    method: ServiceMethod,
    request: F,
}

impl<F: Fn(&Bytes, &Bytes) -> Bytes + Send + Sync + 'static> RegionWork for Exec<F> {
    type Output = ServiceAnswer;

    fn name(&self) -> &'static str {
        "ExecService"
    }

    #[tracing::instrument(level = "debug", skip_all, fields(service = self.method.service, method = self.method.method))]
    async fn run(
        &self,
        cluster: &Cluster,
        location: &Location,
        part: &KeyRange,
        deadline: Instant,
    ) -> Result<ServiceAnswer, Failure> {
        let call = pb::CoprocessorServiceCall {
            row: part.start.clone(),
            service_name: self.method.service.clone(),
            method_name: self.method.method.clone(),
            request: (self.request)(&part.start, &part.stop),
        };
        let region = region_specifier(location.region.name.clone());
        let request = pb::CoprocessorServiceRequest { region, call };
        let connection = cluster.pool.connection(&location.address, Service::Client).await?;
        let reply =
            connection.call("ExecService", &request, CallOptions { deadline, priority: None }).await?;
        let response: pb::CoprocessorServiceResponse = reply.read()?;
        Ok(ServiceAnswer {
            region: location.region.clone(),
            start: part.start.clone(),
            stop: part.stop.clone(),
            message: response.value.value.unwrap_or_default(),
        })
    }
}
