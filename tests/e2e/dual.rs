//! Figure 16: dual coordinates are exchanged exactly, dot products are not.

use support::{Figure, Keyboard, Look, Page, Result, With, on_page};
use thirtyfour::prelude::*;

const H: &str = ".handle[aria-label='activation h']";
const ANT: &str = ".handle[aria-label='vector of ant']";

/// Numbers of a row of the amounts: found, wished for, in h′.
async fn row(dual: &Figure<'_>, id: &str) -> Result<Vec<f64>> {
    let script = "
        const cells = arguments[0].querySelectorAll(`tr[data-row='${arguments[1]}'] td`);
        return [...cells].map(cell => +cell.textContent.replace('−', '-'));";
    let arguments = vec![dual.element().to_json()?, serde_json::json!(id)];
    dual.page().script(script, arguments).await
}

/// The four products of dual vectors and vectors are 1, 0, 0, 1.
async fn are_dual(dual: &Figure<'_>) -> Result<bool> {
    for (id, wanted) in [("00", 1.0), ("01", 0.0), ("10", 0.0), ("11", 1.0)] {
        let text = dual.content(&format!("[data-product='{id}']")).await?;
        let number: f64 = text.replace('−', "-").parse().unwrap_or(f64::NAN);
        if (number - wanted).abs() > 1e-9 {
            return Ok(false);
        }
    }
    Ok(true)
}

async fn drags(page: &Page, with: With) -> Result {
    let dual = page.figure("dual").await?;
    let before = row(&dual, "source").await?;
    dual.drag(H, (-30.0, 20.0), with).await?;
    page.until("the amounts follow h", async || {
        Ok(row(&dual, "source").await? != before)
    })
    .await?;
    let overlap = dual.measure("overlap").await?;
    dual.drag(ANT, (-15.0, -20.0), with).await?;
    page.until("the overlap follows the vector", async || {
        Ok(dual.measure("overlap").await? != overlap)
    })
    .await?;
    assert!(are_dual(&dual).await?, "the dual basis follows the vectors");
    let [s, t] = [row(&dual, "source").await?, row(&dual, "target").await?];
    assert_eq!((s[0], t[0]), (t[2], s[2]), "exchanged");
    Ok(())
}

/// By keys alone: dot products miss, the dual basis does not; the activation is moved and its amounts change places.
pub async fn by_keys(keys: &Keyboard<'_>, dual: &Figure<'_>) -> Result {
    let page = dual.page();
    keys.to("Amounts found by").await?;
    keys.press(&[Key::Right]).await?;
    page.until("the naive exchange misses", async || {
        Ok(dual.measure("miss").await? > 0.1)
    })
    .await?;
    keys.press(&[Key::Left]).await?;
    page.until("the dual one does not", async || {
        Ok(dual.measure("miss").await? < 1e-9)
    })
    .await?;
    let before = row(dual, "source").await?;
    keys.to("activation h").await?;
    keys.press(&[Key::Left, Key::Up, Key::Up]).await?;
    page.until("the amounts follow h", async || {
        Ok(row(dual, "source").await? != before)
    })
    .await?;
    let [s, t] = [row(dual, "source").await?, row(dual, "target").await?];
    assert_eq!((s[0], t[0]), (t[2], s[2]), "exchanged");
    assert!(are_dual(dual).await?);
    Ok(())
}

#[tokio::test]
async fn it_is_dragged_by_mouse() -> Result {
    on_page(Look::desktop(), async |page| drags(page, With::Mouse).await).await
}

#[tokio::test]
async fn it_is_dragged_by_touch_on_a_phone() -> Result {
    on_page(Look::phone(), async |page| {
        page.figure("hero").await?;
        drags(page, With::Finger).await
    })
    .await
}

#[tokio::test]
async fn dot_products_miss_and_the_remainder_stays() -> Result {
    on_page(Look::desktop(), async |page| {
        let dual = page.figure("dual").await?;
        assert!(dual.measure("miss").await? < 1e-9);
        let wished = row(&dual, "source").await?[1];
        dual.choose("Amounts found by", "dot products").await?;
        page.until("the naive exchange misses", async || {
            let s = row(&dual, "source").await?;
            Ok(dual.measure("miss").await? > 0.1 && s[1] == wished && s[2] != wished)
        })
        .await?;
        let rest = dual.content("[data-measure='rest']").await?;
        let sides: Vec<&str> = rest.split(" → ").collect();
        assert_eq!(sides[0], sides[1], "the remainder before and after");
        Ok(())
    })
    .await
}

#[tokio::test]
async fn by_keyboard_until_the_vectors_are_alike_and_home_again() -> Result {
    on_page(Look::desktop(), async |page| {
        let dual = page.figure("dual").await?;
        let said = async || dual.attribute(ANT, "aria-valuetext").await;
        let home = said().await?;
        // From (0.55, 0.85) straight down to (0.95, 0.20)'s direction and length.
        let mut keys = vec![Key::Right; 8];
        keys.extend(vec![Key::Down; 13]);
        dual.press(ANT, &keys).await?;
        page.until("alike vectors cannot be told apart", async || {
            Ok(dual
                .content(".panel-note[role='status']")
                .await?
                .contains("same way"))
        })
        .await?;
        dual.press(ANT, &[Key::Home]).await?;
        page.until("the vector is home", async || {
            Ok(said().await? == home && are_dual(&dual).await?)
        })
        .await
    })
    .await
}
