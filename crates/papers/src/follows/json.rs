//! The designs side by side, for programs.

use crate::follows::design::Kind;
use crate::follows::measure::{DesignTook, Measured, Took};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::run::Outcome;

/// The claims, and a table for each part.
impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        value(self).serialize(serializer)
    }
}

fn value(outcome: &Outcome) -> Value {
    let evidence = &outcome.evidence;
    json!({
        "experiment": "follows",
        "store": evidence.store,
        "scale": outcome.scale,
        "seed": evidence.seed,
        "claims": evidence.claims,
        "tables": { "graph": designs(&outcome.graph), "stream": designs(&outcome.stream) },
        "verdict": evidence.verdict,
        "answers_equal": evidence.answers_equal,
        "notes": evidence.notes,
    })
}

fn designs(measured: &Measured) -> Vec<Value> {
    measured.designs.iter().map(design).collect()
}

fn design(design: &DesignTook) -> Value {
    let question = |(kind, took): (&Kind, &Took)| {
        let value = json!({
            "calls": took.calls, "rows": took.rows, "cells": took.cells, "median_ms": took.median_ms, "mean_ms": took.mean_ms,
            "says_all": took.says_all,
        });
        (kind.words().to_owned(), value)
    };
    let questions: Map<String, Value> = design.took.iter().map(question).collect();
    json!({
        "name": design.name, "origin": design.origin, "looks": design.looks, "stored_bytes": design.stored_bytes,
        "questions": questions,
    })
}
