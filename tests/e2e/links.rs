//! The state of figures in the page's address: links that are copied, opened, followed and left again.

use serde_json::json;
use support::page::on_address;
use support::{Error, Figure, Look, Page, Result, With, on_page};
use thirtyfour::prelude::*;

const OUTPUT: &str = "table.readout[data-lens='output']";
const PARIS: &str = "the capital of the country that built the eiffel tower is";

async fn hash(page: &Page) -> Result<String> {
    page.script("return location.hash", vec![]).await
}

async fn prompt(hero: &Figure<'_>) -> Result<String> {
    let field = hero.part("#hero-prompt").await?;
    Ok(field.prop("value").await?.unwrap_or_default())
}

async fn until_top(page: &Page, hero: &Figure<'_>, word: &str) -> Result {
    page.until(&format!("the model answers `{word}`"), async || {
        Ok(hero.top(OUTPUT).await? == word)
    })
    .await
}

/// Whether a part of the page with this id is in sight.
async fn in_sight(page: &Page, id: &str) -> Result<bool> {
    let script = "
        const box = document.getElementById(arguments[0]).getBoundingClientRect();
        return box.top > -50 && box.top < innerHeight;";
    page.script(script, vec![json!(id)]).await
}

/// Presses the figure's button and returns what it has put into the clipboard.
async fn copied(page: &Page, figure: &Figure<'_>) -> Result<String> {
    figure.tap("[data-share]", With::Mouse).await?;
    page.until("the button says that the link was copied", async || {
        Ok(figure.text(".share-said").await?.contains("copied"))
    })
    .await?;
    let script = "const done = arguments[arguments.length - 1];
        navigator.clipboard.readText().then(done, error => done(String(error)));";
    let answer = page.driver.execute_async(script, vec![]).await?;
    Ok(answer.json().as_str().unwrap_or_default().to_owned())
}

async fn allow_clipboard(page: &Page) -> Result {
    let permissions = json!({
        "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"],
        "origin": page.site.address(),
    });
    let cdp = page.driver.cdp();
    cdp.send_raw("Browser.grantPermissions", permissions)
        .await?;
    Ok(())
}

#[tokio::test]
async fn a_copied_link_leads_to_the_figure_as_it_was() -> Result {
    on_page(Look::desktop(), async |page| {
        allow_clipboard(page).await?;
        let hero = page.figure("hero").await?;
        hero.write("#hero-prompt", PARIS).await?;
        until_top(page, &hero, "paris").await?;
        let link = copied(page, &hero).await?;
        assert!(
            link.contains("#fig-hero?v1&hero=") && !link.contains(' '),
            "{link}"
        );
        let path = link.trim_start_matches(page.site.address()).to_owned();
        page.driver.goto("about:blank").await?;
        page.open(&path).await?;
        let hero = page.figure("hero").await?;
        assert_eq!(prompt(&hero).await?, PARIS);
        until_top(page, &hero, "paris").await?;
        // A figure that stands as it starts has a plain link.
        let curve = page.figure("curve").await?;
        let link = copied(page, &curve).await?;
        assert!(link.ends_with("/#fig-curve"), "{link}");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn a_refused_clipboard_leaves_the_link_to_be_copied_by_hand() -> Result {
    on_page(Look::phone(), async |page| {
        let curve = page.figure("curve").await?;
        let script = "navigator.clipboard.writeText = () => Promise.reject(new Error('no'));";
        page.driver.execute(script, vec![]).await?;
        page.until("the link is shown", async || {
            // Figures above may still be coming; a finger that missed tries again.
            if curve.parts(".share-link").await?.is_empty() {
                curve.tap("[data-share]", With::Finger).await?;
            }
            let field = curve.part(".share-link").await?;
            let link = field.prop("value").await?.unwrap_or_default();
            Ok(link.ends_with("/#fig-curve"))
        })
        .await?;
        page.check_accessibility().await
    })
    .await
}

#[tokio::test]
async fn links_on_the_page_keep_all_settings_and_back_returns_to_them() -> Result {
    on_page(Look::desktop(), async |page| {
        let hero = page.figure("hero").await?;
        hero.write("#hero-prompt", PARIS).await?;
        page.until("the address says so", async || {
            Ok(hash(page).await?.contains("eiffel"))
        })
        .await?;
        // On to another section: the prompt stays, in the figure and in the address.
        page.driver
            .execute("document.querySelector('.toc a').click()", vec![])
            .await?;
        page.until("the address names the section and the prompt", async || {
            let hash = hash(page).await?;
            Ok(!hash.starts_with("#?") && hash.contains("eiffel"))
        })
        .await?;
        assert_eq!(prompt(&hero).await?, PARIS);
        let other = "the number of legs on the animal that spins webs is";
        let hero = page.figure("hero").await?;
        hero.write("#hero-prompt", other).await?;
        page.until("the address has the other prompt", async || {
            Ok(!hash(page).await?.contains("eiffel"))
        })
        .await?;
        page.driver.back().await?;
        page.until("back: the prompt of before is there again", async || {
            Ok(prompt(&hero).await? == PARIS)
        })
        .await?;
        until_top(page, &hero, "paris").await?;
        page.driver.forward().await?;
        page.until("forward: the other one", async || {
            Ok(prompt(&hero).await? == other)
        })
        .await?;
        until_top(page, &hero, "8").await
    })
    .await
}

#[tokio::test]
async fn plain_anchors_links_with_settings_and_old_links_lead_to_their_place() -> Result {
    for (path, id) in [
        ("/#fig-swap", "fig-swap"),
        ("/#fig-square?v1&square=fold,-0.2,0.45,0.3", "fig-square"),
        ("/#fig-square?v9&square=other", "fig-square"),
        ("/?square=fold,-0.2,0.45,0.3#fig-square", "fig-square"),
    ] {
        on_address(Look::desktop(), path, async |page| {
            page.until(&format!("{path} shows #{id}"), async || {
                in_sight(page, id).await
            })
            .await?;
            if path.contains("fold") {
                let square = page.figure("square").await?;
                let checked = square.part("input[name='square-map']:checked").await?;
                let label = checked.parent().await?;
                assert!(
                    label.text().await?.to_lowercase().contains("fold"),
                    "{path}"
                );
                let search: String = page.script("return location.search", vec![]).await?;
                assert_eq!(search, "", "settings have left the query");
                assert!(hash(page).await?.contains("square=fold"));
            }
            Ok(())
        })
        .await?;
    }
    Ok(())
}

#[tokio::test]
async fn hostile_links_break_nothing() -> Result {
    for hash in [
        "?v1&hero=%FF%00;;;;&square=NaN,1e999,,&curve=wave,x,y&swap=a;b&gradient=,",
        "%3Cimg%20src=x%20onerror=alert(1)%3E?v1&hero=1;2;logit;all;spider;<b>bold",
        "?v1&hero=99999999999;99999999999;logit;all;spider;the",
        "fig-nowhere?v1&&&=&=&nothing=1&__proto__=2",
    ] {
        on_address(Look::desktop(), &format!("/#{hash}"), async |page| {
            page.figure("hero").await?;
            for name in ["curve", "square", "swap"] {
                page.figure(name).await?;
            }
            let bold = page.driver.find_all(By::Css("figure b, main img")).await?;
            assert!(bold.is_empty());
            Ok(())
        })
        .await?;
    }
    Ok(())
}

/// Links that can be read and ask for more than the model has, by figure.
const BEYOND: [(&str, &str); 10] = [
    (
        "hero",
        "99;99;jacobian;future;spider;the number of legs on the animal that spins webs is",
    ),
    (
        "square",
        "model,0.5,0.5,0.3;99;99;spider;ant;the number of legs is",
    ),
    ("chain", "polar,shears,0.1,0.35,0.25,0,99,99"),
    ("rows", "coordinate;500;8;99;99;99;the number of legs is"),
    ("average", "99;word;spider;1;6;0"),
    ("local", "99;future;spider;99;the number of legs is"),
    ("stein", "64;same;1;spider;the eiffel tower"),
    ("pursuit", "99;all;1;5;99;the number of legs is"),
    (
        "steer",
        "add;ant;spider;6;0.3;5;1;99;all;1;1;the animal that spins webs is",
    ),
    ("swap", "recall;animals;0;0;spider;ant;1;64;all;clamped;1;0"),
];

/// Sliders of layers and coordinates that say more than they reach to.
async fn too_far(page: &Page, figure: &Figure<'_>) -> Result<Vec<String>> {
    let script = "
        const sliders = [...arguments[0].querySelectorAll('.slider')];
        const far = slider => {
            const [end, said] = [slider.querySelector('input').max, slider.querySelector('output').textContent];
            return /layer|coordinate/i.test(slider.textContent) && !(parseFloat(said) <= +end);
        };
        return sliders.filter(far).map(slider => slider.textContent);";
    page.script(script, vec![figure.element().to_json()?]).await
}

/// Each grid of the figure can be reached by keyboard, at one cell.
async fn one_cell_takes_the_keyboard(page: &Page, figure: &Figure<'_>) -> Result {
    page.until(
        "each grid has one cell that takes the keyboard",
        async || {
            let cells = figure.parts("[role='grid'] button[tabindex='0']").await?;
            let grids = figure.parts("[role='grid']").await?;
            Ok(!grids.is_empty() && cells.len() == grids.len())
        },
    )
    .await
}

#[tokio::test]
async fn links_beyond_the_model_show_what_is_run() -> Result {
    let settings = BEYOND.map(|(name, text)| format!("&{name}={}", text.replace(' ', "+")));
    let path = format!("/#?v1{}", settings.concat());
    on_address(Look::desktop(), &path, async |page| {
        for (name, _) in BEYOND {
            let figure = page.figure(name).await?;
            page.until(
                &format!("the sliders of {name} are in their ranges"),
                async || {
                    let far = too_far(page, &figure).await?;
                    if far.is_empty() {
                        Ok(true)
                    } else {
                        Err(Error::page(far.join("; ")))
                    }
                },
            )
            .await?;
        }
        let hero = page.figure("hero").await?;
        one_cell_takes_the_keyboard(page, &hero).await?;
        let rows = page.figure("rows").await?;
        one_cell_takes_the_keyboard(page, &rows).await?;
        page.until("the last row is named, at the last token", async || {
            let title = rows
                .content(".panel-title:has(+ .bars-frame [aria-label^='Row'])")
                .await?;
            Ok(title == "Row 95 of J from layer 8, at “is”")
        })
        .await?;
        let steer = page.figure("steer").await?;
        page.until("the layers that were run are said", async || {
            Ok(steer
                .content(".summary-line")
                .await?
                .contains("layers 1 to 7"))
        })
        .await?;
        let square = page.figure("square").await?;
        page.until("the slice's layer is the last", async || {
            let title = square.content(".panel-title").await?;
            Ok(title.contains("residual at layer 7"))
        })
        .await?;
        // The same prompt, another cell: nothing has to be asked for, and no answer comes to mend it.
        let settings = BEYOND[0].1.replacen("99", "0", 1).replace(' ', "+");
        let link = json!(format!("#fig-hero?v1&hero={settings}"));
        page.driver
            .execute("location.hash = arguments[0]", vec![link])
            .await?;
        let cell = "[role='grid'] button[tabindex='0'][data-layer='0'][data-position='11']";
        page.until(
            "the nearest cell takes the keyboard in both maps",
            async || Ok(hero.parts(cell).await?.len() == 2),
        )
        .await
    })
    .await
}

#[tokio::test]
async fn a_link_without_a_slice_shows_the_first_one() -> Result {
    let slice = "1;11;france;china;the capital of the country that bakes baguettes is";
    let with = format!("/#?v1&square=model,0,0,0.3;{}", slice.replace(' ', "+"));
    on_address(Look::desktop(), &with, async |page| {
        let square = page.figure("square").await?;
        let word = async || {
            let field = square.part("#square-word-1").await?;
            Ok::<_, Error>(field.prop("value").await?.unwrap_or_default())
        };
        page.until("the linked slice", async || Ok(word().await? == "france"))
            .await?;
        let script = "location.hash = '#?v1&square=model,0,0,0.3'";
        page.driver.execute(script, vec![]).await?;
        page.until("the first slice", async || Ok(word().await? == "spider"))
            .await
    })
    .await
}

#[tokio::test]
async fn the_backend_stays_in_the_query() -> Result {
    on_address(
        Look::desktop(),
        "/?backend=cpu&curve=wave,0.25,0.5",
        async |page| {
            page.figure("curve").await?;
            let search: String = page.script("return location.search", vec![]).await?;
            assert_eq!(search, "?backend=cpu");
            assert!(hash(page).await?.contains("curve=wave,0.25,0.5"));
            Ok(())
        },
    )
    .await
}
