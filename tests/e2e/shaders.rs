//! Every kernel with every set of overrides through the browser's own compiler (Tint in Chromium): naga accepts barriers and names
//! that a browser refuses, and wgpu hands WGSL to the browser as it is. Any message, a warning too, fails the test.

use serde_json::{Value, json};
use shaders::Shader;
use std::path::Path;
use support::{Look, Result, page::on_site};

/// Compiles `arguments[0]` and returns the messages.
const COMPILE: &str = r"
    const [kernels, done] = arguments;
    (async () => {
        const adapter = await navigator.gpu?.requestAdapter();
        if (!adapter) return ['this browser gives no WebGPU adapter'];
        const device = await adapter.requestDevice();
        const said = [];
        for (const { name, source, overrides } of kernels) {
            const module = device.createShaderModule({ code: source });
            for (const m of (await module.getCompilationInfo()).messages)
                said.push(`${name}.wgsl:${m.lineNum}: ${m.type}: ${m.message}`);
            for (const constants of overrides) {
                try {
                    const compute = { module, entryPoint: 'main', constants };
                    await device.createComputePipelineAsync({ layout: 'auto', compute });
                } catch (e) { said.push(`${name}.wgsl ${JSON.stringify(constants)}: ${e.message}`); }
            }
        }
        return said;
    })().then(done, e => done([String(e)]));
";

async fn compile(page: &support::Page, kernels: Value) -> Result<Vec<String>> {
    let said = page.driver.execute_async(COMPILE, vec![kernels]).await?;
    Ok(serde_json::from_value(said.json().clone())?)
}

#[tokio::test]
async fn the_browser_compiles_every_kernel_without_a_word() -> Result {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("e2e/fixture");
    on_site(folder, Look::desktop(), "/", async |page| {
        let kernels = Shader::ALL.iter().map(|s| s.kernel()).map(|k| {
            let overrides: Vec<Value> = k
                .overrides
                .iter()
                .map(|set| set.iter().map(|(name, x)| ((*name).to_string(), json!(x))).collect())
                .collect();
            json!({"name": k.name, "source": k.source, "overrides": overrides})
        });
        let said = compile(page, kernels.collect()).await?;
        assert!(said.is_empty(), "{}", said.join("\n"));

        // and it would notice
        let broken = json!([{"name": "broken", "source": "fn main() { let x: u32 = 1.5; }", "overrides": []}]);
        let said = compile(page, broken).await?;
        assert!(said.iter().any(|m| m.contains("broken.wgsl:1: error")), "{said:?}");
        Ok(())
    })
    .await
}
