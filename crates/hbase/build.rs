//! Compiles the `.proto` files with protox, so that no `protoc` is needed.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=proto");
    let mut files: Vec<_> =
        std::fs::read_dir("proto")?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    files.sort();
    let descriptors = protox::compile(&files, ["proto"])?;
    // `Bytes` for every bytes field: cells and rows are slices of the frame that they arrived in.
    prost_build::Config::new().bytes(["."]).compile_fds(descriptors)?;
    Ok(())
}
