//! The accessibility checker axe-core, run inside the page.

use crate::{Error, Page, Result, setup};
use serde::Deserialize;

#[derive(Deserialize)]
struct Violation {
    id: String,
    help: String,
    impact: Option<String>,
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    html: String,
    #[serde(rename = "failureSummary")]
    summary: Option<String>,
}

impl Page {
    /// Fails when axe finds anything wrong on the page as it is now.
    pub async fn check_accessibility(&self) -> Result {
        self.driver.execute(setup::axe()?, vec![]).await?;
        let script = "
            const done = arguments[arguments.length - 1];
            axe.run(document, {resultTypes: ['violations']})
               .then(result => done(result.violations), error => done(String(error)));";
        let answer = self.driver.execute_async(script, vec![]).await?;
        let violations: Vec<Violation> = serde_json::from_value(answer.json().clone())?;
        if violations.is_empty() {
            return Ok(());
        }
        let list: Vec<String> = violations.iter().map(describe).collect();
        Err(Error::page(format!("axe found:\n{}", list.join("\n"))))
    }
}

fn describe(violation: &Violation) -> String {
    let impact = violation.impact.as_deref().unwrap_or("unknown impact");
    let places: Vec<String> = violation
        .nodes
        .iter()
        .take(3)
        .map(|node| {
            let summary = node.summary.as_deref().unwrap_or_default();
            format!(
                "    {}\n      {}",
                node.html,
                summary.replace('\n', "\n      ")
            )
        })
        .collect();
    format!(
        "  {} ({impact}, {} places): {}\n{}",
        violation.id,
        violation.nodes.len(),
        violation.help,
        places.join("\n")
    )
}
