//! A Vulkan driver for the native tests of the WebGPU backend; Mesa's software driver where there is no GPU.

use super::apt;
use crate::context::Context;
use crate::failure::{Failure, Result};
use std::path::Path;

/// Where drivers announce themselves on Linux.
const ANNOUNCED: [&str; 2] = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"];

/// Only Linux needs one: macOS and Windows bring Metal and DirectX 12.
pub fn ensure(context: &Context) -> Result<()> {
    if !cfg!(target_os = "linux") || is_there() {
        return Ok(());
    }
    if apt::is_there() {
        let why = "native tests of the WebGPU backend, on a software Vulkan driver";
        apt::ensure(context, &["mesa-vulkan-drivers"], why)?;
    }
    if is_there() {
        return Ok(());
    }
    Err(
        Failure::new("no Vulkan driver; the native tests of the WebGPU backend need one")
            .fix("install Mesa's Vulkan drivers with the system's package manager"),
    )
}

fn is_there() -> bool {
    let has_files = |folder: &str| {
        Path::new(folder)
            .read_dir()
            .is_ok_and(|mut files| files.next().is_some())
    };
    ANNOUNCED.into_iter().any(has_files)
}
