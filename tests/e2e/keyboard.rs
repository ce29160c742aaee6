//! The page by keyboard alone: no mouse, no finger, no focus that a script has set. Each figure's task is done on the way; at every
//! stop the focus moves on and can be seen, and no key that is pressed makes it lose its place.
//!
//! What is done in a figure stands in the figure's own file, in `by_keys`.

use crate::*;
use support::page::on_address;
use support::{Error, Keyboard, Look, Page, Result, on_page};
use thirtyfour::prelude::*;

/// All figures in the page's order, in walks of a minute or so, each begun at the figure that its link leads to.
const WALKS: [&[&str]; 6] = [
    &["hero", "curve", "gradient"],
    &["square", "chain", "rows"],
    &["average", "local", "fit"],
    &["relatives", "stein", "cone"],
    &["pursuit", "causal", "steer"],
    &["dual", "swap", "band"],
];

/// Walks to a figure and does what it proposes.
async fn task(keys: &Keyboard<'_>, name: &str) -> Result {
    let figure = keys.to_figure(name).await?;
    match name {
        "hero" => hero::by_keys(keys, &figure).await,
        "curve" => curve::by_keys(keys, &figure).await,
        "gradient" => gradient::by_keys(keys, &figure).await,
        "square" => square::by_keys(keys, &figure).await,
        "chain" => chain::by_keys(keys, &figure).await,
        "rows" => rows::by_keys(keys, &figure).await,
        "average" => average::by_keys(keys, &figure).await,
        "local" => local::by_keys(keys, &figure).await,
        "fit" => fit::by_keys(keys, &figure).await,
        "relatives" => relatives::by_keys(keys, &figure).await,
        "stein" => stein::by_keys(keys, &figure).await,
        "cone" => cone::by_keys(keys, &figure).await,
        "pursuit" => pursuit::by_keys(keys, &figure).await,
        "causal" => causal::by_keys(keys, &figure).await,
        "steer" => steer::by_keys(keys, &figure).await,
        "dual" => dual::by_keys(keys, &figure).await,
        "swap" => swap::by_keys(keys, &figure).await,
        "band" => band::by_keys(keys, &figure).await,
        other => Err(Error::page(format!("no task for `{other}`: add a line"))),
    }
}

async fn walk(keys: &Keyboard<'_>, names: &[&str]) -> Result {
    for name in names {
        let inside = |error| Error::page(format!("in `{name}`: {error}"));
        task(keys, name).await.map_err(inside)?;
    }
    Ok(())
}

async fn walk_from_link(names: &[&str]) -> Result {
    let link = format!("/#fig-{}", names[0]);
    on_address(Look::desktop(), &link, async |page| {
        walk(&Keyboard::of(page).await?, names).await
    })
    .await
}

#[tokio::test]
async fn from_the_top_past_the_skip_link() -> Result {
    on_page(Look::desktop(), async |page| {
        let keys = Keyboard::of(page).await?;
        assert_eq!(keys.tab().await?.says, "Skip to the text");
        page.key(Key::Enter).await?;
        walk(&keys, WALKS[0]).await
    })
    .await
}

#[tokio::test]
async fn jacobians_of_maps_and_of_the_model() -> Result {
    walk_from_link(WALKS[1]).await
}

#[tokio::test]
async fn building_the_lens() -> Result {
    walk_from_link(WALKS[2]).await
}

#[tokio::test]
async fn its_relatives_and_the_cone() -> Result {
    walk_from_link(WALKS[3]).await
}

#[tokio::test]
async fn taking_activations_apart() -> Result {
    walk_from_link(WALKS[4]).await
}

#[tokio::test]
async fn from_the_contents_to_the_end() -> Result {
    on_page(Look::desktop(), async |page| {
        let keys = Keyboard::of(page).await?;
        while !keys.tab().await?.says.contains("The surgical swap") {}
        page.key(Key::Enter).await?;
        walk(&keys, WALKS[5]).await?;
        keys.to_the_end().await
    })
    .await
}

/// The names of the page's figures.
async fn names(page: &Page) -> Result<Vec<String>> {
    let all =
        "return [...document.querySelectorAll('figure[data-figure]')].map(f => f.dataset.figure);";
    page.script(all, vec![]).await
}

#[tokio::test]
async fn no_figure_is_left_out() -> Result {
    on_page(Look::desktop(), async |page| {
        assert_eq!(names(page).await?, WALKS.concat());
        Ok(())
    })
    .await
}
