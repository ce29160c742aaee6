//! The copy that the browser keeps: complete, used without a network, replaced when the reader says so.

use std::path::Path;
use support::page::{FIGURES, on_served, on_site};
use support::setup;
use support::site::Site;
use support::{Error, Look, Page, Result, on_page};

async fn wait_for_copy(page: &Page) -> Result {
    page.figure("hero").await?;
    page.until("the offline copy is complete", async || {
        let state: Option<String> = page
            .script(
                "return document.documentElement.dataset.offline ?? null",
                vec![],
            )
            .await?;
        Ok(state.as_deref() == Some("complete"))
    })
    .await
}

async fn cached(page: &Page) -> Result<Vec<String>> {
    let script = "
        const done = arguments[arguments.length - 1];
        caches.keys().then(done);";
    let answer = page.driver.execute_async(script, vec![]).await?;
    Ok(serde_json::from_value(answer.json().clone())?)
}

/// Every figure of the page comes alive, and nothing else is shown in its place.
async fn every_figure_lives(page: &Page) -> Result {
    let names: Vec<String> = page
        .script(
            "return [...document.querySelectorAll('figure[data-figure]')].map(f => f.dataset.figure)",
            vec![],
        )
        .await?;
    assert_eq!(names.len(), FIGURES, "{names:?}");
    for name in names {
        page.figure(&name).await?;
    }
    let hero = page.figure("hero").await?;
    assert_eq!(hero.top("table.readout[data-lens='output']").await?, "8");
    Ok(())
}

async fn works_without_its_server(page: &Page, path: &str) -> Result {
    wait_for_copy(page).await?;
    let missing: Vec<_> = page
        .site
        .fetched()
        .into_iter()
        .filter(|fetch| fetch.status >= 400)
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    page.take_errors().await?;
    page.site.stop().await?;
    page.open(path).await?;
    every_figure_lives(page).await?;
    // The control model is one of the files that are fetched on demand.
    let script = "
        const done = arguments[arguments.length - 1];
        fetch('models/control.safetensors.shuffled').then(r => r.arrayBuffer()).then(b => done(b.byteLength), e => done(String(e)));";
    let answer = page.driver.execute_async(script, vec![]).await?;
    assert!(
        answer.json().as_u64().is_some_and(|n| n > 1_000_000),
        "{:?}",
        answer.json()
    );
    // What the browser logs about the network that is not there is no fault of the page.
    let errors = page.take_errors().await?;
    let other: Vec<_> = errors
        .iter()
        .filter(|error| !error.contains("net::ERR_") && !error.contains("Failed to fetch"))
        .collect();
    assert!(other.is_empty(), "{other:?}");
    Ok(())
}

#[tokio::test]
async fn the_whole_page_lives_on_without_its_server() -> Result {
    on_page(Look::desktop(), async |page| {
        works_without_its_server(page, "/").await
    })
    .await
}

#[tokio::test]
async fn the_same_in_a_folder_of_a_host() -> Result {
    let site = Site::start_under(setup::dist()?, "/some/where/").await?;
    on_served(site, Look::desktop(), "/some/where/", async |page| {
        let asked = page.site.fetched();
        assert!(
            asked.iter().all(|f| f.path.starts_with("/some/where/")),
            "{asked:?}"
        );
        works_without_its_server(page, "/some/where/").await?;
        let caches = cached(page).await?;
        assert!(
            caches.len() == 1 && caches[0].contains("/some/where/"),
            "{caches:?}"
        );
        Ok(())
    })
    .await
}

#[tokio::test]
async fn nothing_is_copied_before_the_hero_is_live() -> Result {
    on_page(Look::desktop(), async |page| {
        page.figure("hero").await?;
        let paths: Vec<String> = page.site.fetched().into_iter().map(|f| f.path).collect();
        for late in [
            "/sw.js",
            "/models/control.safetensors.shuffled",
            "/goldens/manifest.json",
        ] {
            assert!(!paths.iter().any(|path| path == late), "{late} came early");
        }
        Ok(())
    })
    .await
}

/// A build that differs in nothing but its version.
fn renew(folder: &Path, from: &str, to: &str) -> Result {
    for name in ["index.html", "sw.js"] {
        let file = folder.join(name);
        let text = std::fs::read_to_string(&file).map_err(Error::io(file.display()))?;
        assert!(text.contains(from), "{name} does not name its version");
        std::fs::write(&file, text.replace(from, to)).map_err(Error::io(file.display()))?;
    }
    Ok(())
}

fn copy_folder(from: &Path, to: &Path) -> Result {
    std::fs::create_dir_all(to).map_err(Error::io(to.display()))?;
    for entry in std::fs::read_dir(from).map_err(Error::io(from.display()))? {
        let entry = entry.map_err(Error::io(from.display()))?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), &target).map_err(Error::io(target.display()))?;
        }
    }
    Ok(())
}

async fn version(page: &Page) -> Result<String> {
    page.script(
        "return document.querySelector('meta[name=version]').content",
        vec![],
    )
    .await
}

/// Has the browser look for a new version, as it does by itself at the next visit, or the page after ten minutes.
async fn until_announced(page: &Page) -> Result {
    let look = "navigator.serviceWorker.ready.then(r => r.update())";
    page.driver.execute(look, vec![]).await?;
    page.until("the page says that a new version is ready", async || {
        let note: String = page
            .script(
                "return document.getElementById('update-note').textContent",
                vec![],
            )
            .await?;
        Ok(note.contains("new version"))
    })
    .await
}

async fn press_reload(page: &Page) -> Result {
    let press = "document.querySelector('#update-note button').click()";
    page.driver.execute(press, vec![]).await?;
    Ok(())
}

#[tokio::test]
async fn the_reload_button_works_when_another_tab_has_been_first() -> Result {
    let folder = tempfile::tempdir().map_err(Error::io("temporary folder"))?;
    copy_folder(&setup::dist()?, folder.path())?;
    on_site(folder.path().to_owned(), Look::phone(), "/", async |page| {
        wait_for_copy(page).await?;
        let (old, new) = (version(page).await?, "feedfacefeedface");
        renew(folder.path(), &old, new)?;
        until_announced(page).await?;
        // What the button of another tab does.
        let first = "navigator.serviceWorker.ready.then(r => r.waiting?.postMessage('take-over'))";
        page.driver.execute(first, vec![]).await?;
        page.until("the new copy has taken over", async || {
            let caches = cached(page).await?;
            Ok(caches.len() == 1 && caches[0].ends_with(new))
        })
        .await?;
        assert_eq!(version(page).await?, old, "this tab waits for its reader");
        press_reload(page).await?;
        page.until("the new version is there", async || {
            Ok(version(page).await? == new)
        })
        .await
    })
    .await
}

#[tokio::test]
async fn a_new_version_is_announced_and_comes_when_asked_for() -> Result {
    let folder = tempfile::tempdir().map_err(Error::io("temporary folder"))?;
    copy_folder(&setup::dist()?, folder.path())?;
    on_site(folder.path().to_owned(), Look::phone(), "/", async |page| {
        wait_for_copy(page).await?;
        let (old, new) = (version(page).await?, "feedfacefeedface");
        let before = cached(page).await?;
        assert!(before.len() == 1 && before[0].ends_with(&old), "{before:?}");
        renew(folder.path(), &old, new)?;
        until_announced(page).await?;
        page.check_accessibility().await?;
        assert_eq!(
            version(page).await?,
            old,
            "nothing changes before the reader says so"
        );
        press_reload(page).await?;
        page.until("the new version is there, and its copy alone", async || {
            let caches = cached(page).await?;
            Ok(version(page).await? == new && caches.len() == 1 && caches[0].ends_with(new))
        })
        .await?;
        wait_for_copy(page).await
    })
    .await
}
