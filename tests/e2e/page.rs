//! The page as a whole.

use serde_json::json;
use support::page::{FIGURES, NOTE_HERO};
use support::{Error, Look, Result, on_page};

/// Everything fetched before the hero is live, gzipped.
const BUDGET: usize = 2_500_000;
/// Everything that the page can fetch, gzipped.
const WHOLE: usize = 5_000_000;
/// Words that the article has at least, folded answers and tables not counted.
const WORDS: usize = 12_000;
/// Layout shifts, summed while loading and scrolling through.
const SHIFTS: f64 = 0.02;

/// The visible words of the article, counted without running a script in the page.
async fn words_in_layout(page: &support::Page) -> Result<usize> {
    let answer = page
        .driver
        .cdp()
        .send_raw("Accessibility.getFullAXTree", json!({}))
        .await?;
    let nodes = answer["nodes"].as_array().cloned().unwrap_or_default();
    let texts = nodes
        .iter()
        .filter(|node| node["role"]["value"] == "StaticText");
    Ok(texts
        .filter_map(|node| node["name"]["value"].as_str())
        .map(|text| text.split_whitespace().count())
        .sum())
}

#[tokio::test]
async fn prose_is_readable_with_scripting_off() -> Result {
    let with = std::cell::Cell::new(0);
    on_page(Look::desktop(), async |page| {
        with.set(words_in_layout(page).await?);
        Ok(())
    })
    .await?;
    on_page(Look::desktop().without_scripting(), async |page| {
        let words = words_in_layout(page).await?;
        page.photograph_all("page-without-scripting").await.ok();
        // With scripts some figures have come alive, with words of their own.
        if words < WORDS || words * 5 < with.get() * 4 {
            return Err(Error::page(format!(
                "only {words} words are on the page without scripts ({} with)",
                with.get()
            )));
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn everything_the_page_asks_for_is_there() -> Result {
    on_page(Look::desktop(), async |page| {
        page.figure("hero").await?;
        let missing: Vec<_> = page
            .site
            .fetched()
            .into_iter()
            .filter(|fetch| fetch.status >= 400)
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        Err(Error::page(format!("not served: {missing:?}")))
    })
    .await
}

/// What was asked for only once [`NOTE_HERO`] had seen the hero: the guide's worker loads the model again.
const LATE: &str = "
    const files = isLate => performance.getEntriesByType('resource')
        .filter(e => (e.startTime >= window.__heroReady) === isLate).map(e => new URL(e.name).pathname);
    const early = new Set(files(false));
    return files(true).filter(file => !early.has(file));";

#[tokio::test]
async fn bytes_before_the_hero_is_live_stay_in_budget() -> Result {
    on_page(Look::desktop(), async |page| {
        let watch = json!({"source": NOTE_HERO});
        page.driver
            .cdp()
            .send_raw("Page.addScriptToEvaluateOnNewDocument", watch)
            .await?;
        page.open("/").await?;
        page.figure("hero").await?;
        let mut files: Vec<String> = page.site.fetched().into_iter().map(|f| f.path).collect();
        files.sort();
        files.dedup();
        // what the page asked for after that, but before this test looked
        page.figure("curve").await?;
        let late: Vec<String> = page.script(LATE, vec![]).await?;
        assert!(late.iter().any(|file| file == "/guide.js"), "{late:?}");
        files.retain(|file| !late.contains(file));
        for needed in ["/models/world.safetensors.shuffled", "/worker_bg.wasm"] {
            assert!(files.iter().any(|file| file == needed), "{needed}");
        }
        let mut total = 0;
        println!("gzipped bytes fetched before the hero was live:");
        for file in &files {
            let size = page.site.gzipped(file)?;
            println!("{size:>10}  {file}");
            total += size;
        }
        println!("{total:>10}  in all, of {BUDGET}");
        if total > BUDGET {
            return Err(Error::page(format!("{total} bytes, more than {BUDGET}")));
        }
        Ok(())
    })
    .await
}

#[tokio::test]
async fn the_whole_guide_stays_in_budget() -> Result {
    on_page(Look::desktop(), async |page| {
        let mut sizes = Vec::new();
        for file in page.site.files()? {
            sizes.push((page.site.gzipped(&file)?, file));
        }
        sizes.sort();
        for (size, file) in &sizes {
            println!("{size:>10}  {file}");
        }
        // fetched only where a GPU is tried, or when a reader asks for the comparison
        let apart = |file: &str| file.starts_with("goldens/") || file.starts_with("gpu_worker");
        let sum = |of: bool| -> usize {
            let these = sizes.iter().filter(|(_, file)| apart(file) == of);
            these.map(|(size, _)| size).sum()
        };
        let total = sum(false);
        println!(
            "{:>10}  for the GPU and the golden fixtures, apart",
            sum(true)
        );
        println!("{total:>10}  in all, of {WHOLE}");
        if total > WHOLE {
            return Err(Error::page(format!("{total} bytes, more than {WHOLE}")));
        }
        Ok(())
    })
    .await
}

/// From top to bottom in steps of half a window, each figure awaited.
async fn scroll_through(page: &support::Page) -> Result {
    let names: Vec<String> = page
        .script(
            "return [...document.querySelectorAll('figure[data-figure]')].map(f => f.dataset.figure)",
            vec![],
        )
        .await?;
    let ends = "
        scrollBy(0, innerHeight / 2);
        return document.documentElement.scrollHeight - innerHeight - scrollY < 2;";
    while !page.script::<bool>(ends, vec![]).await? {
        tokio::time::sleep(std::time::Duration::from_millis(150)).await;
    }
    for name in names {
        page.figure(&name).await?;
    }
    Ok(())
}

#[tokio::test]
async fn nothing_moves_while_figures_come_alive() -> Result {
    for look in [Look::desktop(), Look::phone()] {
        on_page(look, async |page| {
            let watch = "
                window.__shifts = [];
                new PerformanceObserver(list => {
                    for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.__shifts.push([
                        shift.value, shift.sources.map(s => s.node?.outerHTML?.slice(0, 80) ?? s.node?.nodeName ?? '?').join(' | '),
                    ]);
                }).observe({type: 'layout-shift', buffered: true});";
            let cdp = page.driver.cdp();
            cdp.send_raw("Page.addScriptToEvaluateOnNewDocument", json!({"source": watch}))
                .await?;
            page.driver.refresh().await?;
            page.figure("hero").await?;
            scroll_through(page).await?;
            let shifts: Vec<(f64, String)> = page.script("return window.__shifts", vec![]).await?;
            let total: f64 = shifts.iter().map(|(value, _)| value).sum();
            println!("layout shift at {}: {total:.4}, {shifts:#?}", look.name());
            if total >= SHIFTS {
                return Err(Error::page(format!("{total}, not under {SHIFTS}: {shifts:#?}")));
            }
            Ok(())
        })
        .await?;
    }
    Ok(())
}

#[tokio::test]
async fn no_other_server_is_asked_for_anything() -> Result {
    on_page(Look::desktop(), async |page| {
        scroll_through(page).await?;
        let foreign: Vec<String> = page
            .script(
                "return performance.getEntriesByType('resource').map(entry => entry.name)
                    .filter(name => !name.startsWith(location.origin + '/') && !name.startsWith('data:') && !name.startsWith('blob:'));",
                vec![],
            )
            .await?;
        assert!(foreign.is_empty(), "{foreign:?}");
        // The policy itself: a request to elsewhere is refused before it leaves.
        let script = "
            const done = arguments[arguments.length - 1];
            document.addEventListener('securitypolicyviolation', event => done(event.effectiveDirective), {once: true});
            fetch('http://localhost:9/').catch(() => {});";
        let refused = page.driver.execute_async(script, vec![]).await?;
        assert_eq!(refused.json(), "connect-src");
        let script = "
            const done = arguments[arguments.length - 1];
            document.addEventListener('securitypolicyviolation', event => done(event.effectiveDirective), {once: true});
            const script = document.createElement('script');
            script.textContent = 'window.__ran = true';
            document.head.append(script);";
        let refused = page.driver.execute_async(script, vec![]).await?;
        assert_eq!(refused.json(), "script-src-elem");
        let ran: bool = page.script("return window.__ran === true", vec![]).await?;
        assert!(!ran);
        page.take_errors().await?; // those that were provoked
        Ok(())
    })
    .await
}

#[tokio::test]
async fn axe_finds_nothing_with_scripting_off() -> Result {
    for look in [Look::desktop(), Look::phone().dark()] {
        on_page(look.without_scripting(), async |page| {
            // The page was read without scripts and stays as it is; the checker needs them.
            let cdp = page.driver.cdp();
            cdp.send_raw(
                "Emulation.setScriptExecutionDisabled",
                json!({"value": false}),
            )
            .await?;
            let hints: usize = page
                .script(
                    "return document.querySelectorAll('.figure-noscript').length",
                    vec![],
                )
                .await?;
            assert_eq!(hints, FIGURES, "the page has run its scripts");
            page.check_accessibility().await
        })
        .await?;
    }
    Ok(())
}

#[tokio::test]
async fn axe_finds_nothing() -> Result {
    for look in [Look::desktop(), Look::phone().dark()] {
        on_page(look, async |page| {
            scroll_through(page).await?;
            page.check_accessibility().await
        })
        .await?;
    }
    Ok(())
}

#[tokio::test]
async fn nothing_sticks_out_on_a_phone() -> Result {
    on_page(Look::phone(), async |page| {
        let names: Vec<String> = page
            .script(
                "return [...document.querySelectorAll('figure[data-figure]')].map(f => f.dataset.figure);",
                vec![],
            )
            .await?;
        for name in &names {
            page.figure(name).await?;
        }
        // what is wider than the window, and not inside something that scrolls sideways by itself
        let wide: Vec<String> = page
            .script(
                "const root = document.documentElement, width = root.clientWidth;
                 if (root.scrollWidth <= width) return [];
                 const scrolls = e => e && (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
                 return [...document.querySelectorAll('main *')]
                    .filter(e => e.getBoundingClientRect().right > width + 1 && !scrolls(e.parentElement))
                    .map(e => `${e.closest('[data-figure]')?.dataset.figure ?? '-'}: ${e.tagName}.${e.className?.baseVal ?? e.className} ${(e.textContent || '').slice(0, 40)}`)
                    .slice(0, 40);",
                vec![],
            )
            .await?;
        assert!(wide.is_empty(), "{}", wide.join("\n"));
        Ok(())
    })
    .await
}
