//! Balancing: regions spread evenly over the servers.

use super::Admin;
use super::master::{ask, ask_patiently};
use super::wait::Patience;
use crate::{Error, pb};
use pb::region_state::State;

/// What a run of the balancer did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balanced {
    /// It ran; not so when it is switched off, or regions are in transition, or a server has died just now.
    pub ran: bool,
    /// Moves that it thought of.
    pub moves_calculated: u32,
    /// Moves that it made.
    pub moves_executed: u32,
}

impl Admin {
    /// Lets the balancer run now, and waits until the regions that it moved are served again.
    pub async fn balance(&self) -> Result<Balanced, Error> {
        let mut attempts = self.long_attempts();
        let request = pb::BalanceRequest { ignore_rit: None, dry_run: None };
        let reply: pb::BalanceResponse =
            ask_patiently(&self.cluster, "Balance", &request, &mut attempts).await?;
        let moves_executed = reply.moves_executed.unwrap_or_default();
        let mut patience = Patience::until(attempts.deadline());
        while moves_executed > 0 && self.regions_are_under_way().await? {
            patience.pause(|| "regions are in transition".to_owned()).await?;
        }
        let moves_calculated = reply.moves_calculated.unwrap_or_default();
        Ok(Balanced { ran: reply.balancer_ran, moves_calculated, moves_executed })
    }

    /// Whether a region is on its way. One that failed for good is not: it would be waited for in vain.
    async fn regions_are_under_way(&self) -> Result<bool, Error> {
        let regions =
            self.status_of(vec![pb::ClusterOption::RegionsInTransition]).await?.regions_in_transition;
        let stuck = [State::FailedOpen, State::FailedClose];
        Ok(regions.iter().any(|region| !stuck.contains(&region.region_state.state())))
    }

    /// Whether the balancer runs by itself from time to time.
    pub async fn is_balancer_on(&self) -> Result<bool, Error> {
        let request = pb::IsBalancerEnabledRequest {};
        let reply: pb::IsBalancerEnabledResponse =
            ask(&self.cluster, "IsBalancerEnabled", &request, &mut self.attempts()).await?;
        Ok(reply.enabled)
    }

    /// Switches the balancer on or off, and waits for a run that is under way. Returns what it was before.
    pub async fn switch_balancer(&self, on: bool) -> Result<bool, Error> {
        let request = pb::SetBalancerRunningRequest { on, synchronous: Some(true) };
        let reply: pb::SetBalancerRunningResponse =
            ask_patiently(&self.cluster, "SetBalancerRunning", &request, &mut self.long_attempts()).await?;
        Ok(reply.prev_balance_value())
    }
}
