//! Compiles the `.proto` files with protox, so that no `protoc` is needed, and writes down which fields of a message
//! take memory of their own when they are decoded (see `wire/decode.rs`).

use std::error::Error;
use std::fmt::Write;
use std::path::Path;

use protox::prost_reflect::{DescriptorPool, Kind, MessageDescriptor};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=proto");
    let mut files: Vec<_> =
        std::fs::read_dir("proto")?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    files.sort();
    let descriptors = protox::compile(&files, ["proto"])?;
    let pool = DescriptorPool::from_file_descriptor_set(descriptors.clone())?;
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("shapes.rs"), shapes(&pool)?)?;
    // `Bytes` for every bytes field: cells and rows are slices of the frame that they arrived in.
    prost_build::Config::new().bytes(["."]).enable_type_names().compile_fds(descriptors)?;
    Ok(())
}

/// For each message by name: its fields of text, bytes or messages, and the place in this list of what a message field
/// holds.
fn shapes(pool: &DescriptorPool) -> Result<String, std::fmt::Error> {
    let mut messages: Vec<MessageDescriptor> = pool.all_messages().collect();
    messages.sort_by(|one, other| one.full_name().cmp(other.full_name()));
    let mut source = "[\n".to_owned();
    for message in &messages {
        let mut fields = String::new();
        for field in message.fields() {
            let shape = match field.kind() {
                Kind::Message(inner) => messages.iter().position(|other| *other == inner),
                Kind::String | Kind::Bytes => None,
                _ => continue,
            };
            write!(fields, "({}, {shape:?}), ", field.number())?;
        }
        writeln!(source, "    ({:?}, &[{}]),", message.full_name(), fields.trim_end_matches([',', ' ']))?;
    }
    source.push_str("]\n");
    Ok(source)
}
