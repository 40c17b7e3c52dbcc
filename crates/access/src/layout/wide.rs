//! Rows that hold many records: what their qualifiers are made of.

use tablesmith_model::design::{Cells, Rows};
use tablesmith_model::key::{Key, KeyCodec};
use tablesmith_model::value::ValueType;

use crate::error::LayoutError;

/// What the qualifiers of a wide layout are made of.
#[derive(Clone, Debug)]
pub(crate) struct Wide {
    pub key: Key,
    pub codec: KeyCodec,
}

impl Wide {
    /// What `rows` makes its qualifiers of; none where they are names of columns.
    pub fn of(
        table: &str,
        rows: &Rows,
        type_of: impl Fn(&str) -> Option<ValueType>,
    ) -> Result<Option<Self>, LayoutError> {
        let mut qualifiers = rows.cells.iter().map(|cells| cells.qualifier.as_ref());
        let refused = |reason: &str| LayoutError::Wide { table: table.to_owned(), reason: reason.to_owned() };
        let Some(first) = qualifiers.next().flatten() else {
            return match qualifiers.any(|other| other.is_some()) {
                true => Err(refused("some of its cells have a `qualifier` and others have none")),
                false => Ok(None),
            };
        };
        if qualifiers.any(|other| other != Some(first)) {
            return Err(refused("its cells have different qualifiers"));
        }
        let parts = first.parts().ok_or_else(|| refused("its qualifier is an offset"))?;
        let key = Key { parts, encoding: rows.key.encoding };
        let codec =
            key.codec(type_of).map_err(|source| LayoutError::Key { table: table.to_owned(), source })?;
        Ok(Some(Self { key, codec }))
    }

    /// Whether the value of a field comes back from a qualifier.
    pub fn gives(&self, field: &str) -> bool {
        self.key.parts.iter().any(|part| part.gives_back() == Some(field))
    }
}

/// The columns that a cell holds, where its qualifier is data: none, one, or several together.
pub(super) fn held<'c>(table: &str, cells: &'c Cells) -> Result<Vec<&'c String>, LayoutError> {
    let columns: Vec<&String> = cells.columns.iter().chain(&cells.value).collect();
    if columns.len() > 1 && !cells.together {
        let reason = "its qualifier is data, and it has several columns: say `together = true`".to_owned();
        return Err(LayoutError::Wide { table: table.to_owned(), reason });
    }
    Ok(columns)
}
