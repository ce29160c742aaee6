//! Names the build: a hash of the sources that page and worker share, the same on every machine.
use std::path::{Path, PathBuf};
use std::{fs, io};

const SHARED: [&str; 7] = [
    "src",
    "../transformer/src",
    "../lens/src",
    "../formats/src",
    "../smallworld/src",
    "../../app/src/bin",
    "../../app/src/client",
];

fn main() -> io::Result<()> {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64; // FNV-1a, 64 bits: names a build, protects nothing
    for folder in SHARED {
        println!("cargo:rerun-if-changed={folder}");
        for file in files(Path::new(folder))? {
            let name = file.to_string_lossy().replace('\\', "/");
            for byte in name.bytes().chain(fs::read(&file)?) {
                // line ends may differ between checkouts
                if byte != b'\r' {
                    hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
                }
            }
        }
    }
    println!("cargo:rustc-env=SOURCES_HASH={hash:016x}");
    Ok(())
}

/// All files below `folder`, in order of their names.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<io::Result<_>>()?;
    entries.sort();
    let mut all = Vec::new();
    for path in entries {
        if path.is_dir() {
            all.extend(files(&path)?);
        } else {
            all.push(path);
        }
    }
    Ok(all)
}
