//! `tablesmith query`: a statement is answered through a design.

use std::path::PathBuf;

use clap::Args;
use tablesmith_app::query::{self, QueryOptions, QueryResult};

use crate::arguments::Global;
use crate::failure::{Failure, Verdict};
use crate::rows::Printer;
use crate::show::show;
use crate::text;

const EXAMPLES: &str = "\
Examples:
  tablesmith query design.toml \"SELECT name, born FROM user WHERE id = 7\"
  tablesmith query design.toml \"whom does a user follow\" --param 1=alice
  tablesmith query design.toml \"SELECT COUNT(*) FROM follow WHERE followed = :who\" --param who=bob --explain
  tablesmith query design.toml \"EXPLAIN SELECT * FROM follow ORDER BY since DESC LIMIT 10\"
  tablesmith query design.toml \"UPDATE user SET name = 'Bob' WHERE id = 7\"

Joins along any equalities, WHERE with any conditions on columns, GROUP BY with COUNT, SUM, AVG, MIN and MAX, HAVING,
DISTINCT, ORDER BY, LIMIT and OFFSET; INSERT, UPDATE and DELETE keep all copies of a row true. What is not carried out is
refused by name. LIKE knows capitals from small letters.";

/// Answers a statement in SQL through the tables of a design
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct QueryArguments {
    /// The design, whose tables the store has
    #[arg(value_name = "DESIGN.toml")]
    design: PathBuf,
    /// The statement, or the name of a query of the workload
    #[arg(value_name = "SQL or NAME")]
    statement: String,
    /// The value of a parameter: of `:who` as who=…, of the first `?` or of `$1` as 1=…
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = parameter)]
    parameters: Vec<(String, String)>,
    /// A parameter that is null
    #[arg(long = "null", value_name = "NAME")]
    nulls: Vec<String>,
    /// Says also how the answer was come by: tables, calls, rows and regions, expected and real
    #[arg(long)]
    explain: bool,
}

fn parameter(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write the name, =, and the value")?;
    Ok((name.trim_start_matches([':', '$', '?', '@']).to_owned(), value.to_owned()))
}

pub async fn run(global: &Global, arguments: QueryArguments) -> Result<Verdict, Failure> {
    let QueryArguments { design, statement, parameters, nulls, explain } = arguments;
    let options = QueryOptions { design, statement, parameters, nulls };
    let mut printer = Printer::new(global.format);
    match query::run(&global.context(), &options, &mut printer).await? {
        QueryResult::Rows { plan } => printer.finish(&plan, explain).map_err(Failure::output)?,
        result => show(global, &result, |out, result| text::query::write(out, result, explain))?,
    }
    Ok(Verdict::Yes)
}
