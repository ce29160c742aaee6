//! naga accepts every kernel with every set of overrides, within the limits of the WGSL baseline.

use naga::valid::{Capabilities, ValidationFlags, Validator};
use shaders::Shader;

#[test]
fn every_kernel_with_every_override_set_is_valid() {
    for shader in Shader::ALL {
        let k = shader.kernel();
        let module = naga::front::wgsl::parse_str(k.source)
            .unwrap_or_else(|e| panic!("{}: {}", k.name, e.emit_to_string(k.source)));
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
        let info = validator
            .validate(&module)
            .unwrap_or_else(|e| panic!("{}: {e:?}", k.name));
        for set in k.overrides {
            let constants = set
                .iter()
                .map(|(name, value)| ((*name).to_string(), *value))
                .collect();
            let (module, _) =
                naga::back::pipeline_constants::process_overrides(&module, &info, None, &constants)
                    .unwrap_or_else(|e| panic!("{} {set:?}: {e:?}", k.name));
            validator
                .validate(&module)
                .unwrap_or_else(|e| panic!("{} {set:?}: {e:?}", k.name));
        }
    }
}

#[test]
fn bindings_are_as_the_table_says_and_within_the_baseline() {
    for shader in Shader::ALL {
        let k = shader.kernel();
        let module = naga::front::wgsl::parse_str(k.source).unwrap();
        let mut storage: Vec<(u32, bool)> = Vec::new();
        let mut workgroup_bytes = 0;
        for (_, v) in module.global_variables.iter() {
            match v.space {
                naga::AddressSpace::Storage { access } => {
                    storage.push((
                        v.binding.as_ref().unwrap().binding,
                        access.contains(naga::StorageAccess::STORE),
                    ));
                }
                naga::AddressSpace::WorkGroup => {
                    workgroup_bytes += module.types[v.ty].inner.size(module.to_ctx());
                }
                _ => {}
            }
        }
        storage.sort_unstable();
        let want: Vec<(u32, bool)> = k
            .writes
            .iter()
            .enumerate()
            .map(|(i, w)| (i as u32 + 1, *w))
            .collect();
        assert_eq!(storage, want, "{}", k.name);
        assert!(
            storage.len() <= 8,
            "{}: {} storage buffers",
            k.name,
            storage.len()
        );
        assert!(
            workgroup_bytes <= 16_352,
            "{}: {workgroup_bytes} bytes of workgroup memory",
            k.name
        );
        let size = module.entry_points[0].workgroup_size;
        assert!(size.iter().product::<u32>() <= 256, "{}", k.name);
        assert_eq!(module.entry_points[0].name, "main");
    }
}

#[test]
fn every_kernel_opens_with_its_header() {
    for shader in Shader::ALL {
        let k = shader.kernel();
        for part in [
            "// What:",
            "// Formula:",
            "// Bindings:",
            "// Dispatch:",
            "// Barriers:",
        ] {
            assert!(k.source.contains(part), "{}.wgsl has no {part}", k.name);
        }
        let barrier = k.source.contains("workgroupBarrier()");
        assert_eq!(
            barrier,
            !k.source.contains("// Barriers: none."),
            "{}.wgsl: header and code disagree on barriers",
            k.name
        );
    }
}
