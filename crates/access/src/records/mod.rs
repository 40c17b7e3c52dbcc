//! Records of one layout as a stream: what answers are put together from.
//!
//! ```text
//!  Wanted ──Layout::read──▶ RecordRead ──records──▶ RecordStream ──next──▶ values of one record
//!  fields, conditions,      rows and cells to read,  gets in batches, a scan,
//!  order, limit             what is left to check     or strands merged in order
//! ```
//!
//! A read is planned without a store, and says in words what it will do. The stream holds one portion of rows at a time,
//! and gives only records that meet all conditions.

mod beside;
mod decode;
mod read;
mod source;
mod stream;

pub use beside::Beside;
pub use read::{RecordRead, Wanted};
pub(crate) use stream::Located;
pub use stream::{RecordStats, RecordStream, records, records_beside};
