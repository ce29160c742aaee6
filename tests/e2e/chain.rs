//! Figure 5: matrices multiply, those of two maps and those of the model's blocks.

use support::{Figure, Keyboard, Look, Page, Result, With, on_page};
use thirtyfour::prelude::*;

const POINT: &str = ".handle[aria-label='point p']";
const SIZE: &str = ".handle[aria-label='size of the square']";

/// The four numbers of a matrix.
async fn matrix(chain: &Figure<'_>, id: &str) -> Result<Vec<f64>> {
    let script = "
        const cells = arguments[0].querySelectorAll(`table[data-matrix='${arguments[1]}'] td`);
        return [...cells].map(cell => +cell.textContent.replace('−', '-'));";
    let arguments = vec![chain.element().to_json()?, serde_json::json!(id)];
    chain.page().script(script, arguments).await
}

/// The printed product is the product of the printed factors, and the printed measured one, up to the digits printed.
async fn multiplies(chain: &Figure<'_>) -> Result<bool> {
    let [g, f] = [
        matrix(chain, "second").await?,
        matrix(chain, "first").await?,
    ];
    let [product, measured] = [
        matrix(chain, "product").await?,
        matrix(chain, "measured").await?,
    ];
    let ours = [
        g[0] * f[0] + g[1] * f[2],
        g[0] * f[1] + g[1] * f[3],
        g[2] * f[0] + g[3] * f[2],
        g[2] * f[1] + g[3] * f[3],
    ];
    let close = |a: &f64, b: &f64| (a - b).abs() < 0.005;
    Ok(ours.iter().zip(&product).all(|(a, b)| close(a, b)) && product == measured)
}

async fn drags(page: &Page, with: With) -> Result {
    let chain = page.figure("chain").await?;
    assert!(multiplies(&chain).await?, "at first");
    let before = matrix(&chain, "product").await?;
    chain.drag(POINT, (-40.0, -25.0), with).await?;
    page.until("the matrices follow p", async || {
        Ok(matrix(&chain, "product").await? != before)
    })
    .await?;
    assert!(multiplies(&chain).await?, "after the drag");
    assert!(chain.measure("error").await? < 1e-8, "rounding only");
    assert!(chain.measure("wrong").await? > 0.01, "the order matters");
    let size = chain.attribute(SIZE, "aria-valuetext").await?;
    let (p, knob) = (chain.place(POINT).await?, chain.place(SIZE).await?);
    let away = |from: f64, to: f64| 12.0 * (to - from).signum();
    chain
        .drag(SIZE, (away(p.0, knob.0), away(p.1, knob.1)), with)
        .await?;
    page.until("the size follows", async || {
        Ok(chain.attribute(SIZE, "aria-valuetext").await? != size)
    })
    .await
}

/// By keys alone: p is moved and the product of the factors stays what is measured; then fewer blocks of the model are multiplied.
pub async fn by_keys(keys: &Keyboard<'_>, chain: &Figure<'_>) -> Result {
    let page = chain.page();
    let before = matrix(chain, "product").await?;
    keys.to("point p").await?;
    keys.press(&[Key::Up, Key::Left, Key::Left]).await?;
    page.until("another product, measured all the same", async || {
        Ok(matrix(chain, "product").await? != before && multiplies(chain).await?)
    })
    .await?;
    let norms = async || chain.content("[data-measure='model-norms']").await;
    page.until("the model's product is there", async || {
        Ok(chain.measure("model-error").await? < 1e-4)
    })
    .await?;
    let whole = norms().await?;
    keys.to("From layer").await?;
    keys.press(&[Key::Right, Key::Right, Key::Right]).await?;
    page.until("from layer 3, another product, as exact", async || {
        Ok(norms().await? != whole && chain.measure("model-error").await? < 1e-4)
    })
    .await
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
async fn other_maps_in_another_order_by_keyboard() -> Result {
    on_page(Look::desktop(), async |page| {
        let chain = page.figure("chain").await?;
        chain.choose("First map f", "fold").await?;
        chain.choose("Second map g", "polar-like").await?;
        chain
            .press(POINT, &[Key::Up, Key::Shift, Key::Left])
            .await?;
        page.until(
            "the matrices are those of the fold and the polar map",
            async || {
                let p = chain.attribute(POINT, "aria-valuetext").await?;
                Ok(p.ends_with("0.40") && multiplies(&chain).await?)
            },
        )
        .await?;
        chain.press(POINT, &[Key::Home]).await?;
        page.until("p is home", async || {
            Ok(chain
                .attribute(POINT, "aria-valuetext")
                .await?
                .ends_with("0.35"))
        })
        .await
    })
    .await
}

#[tokio::test]
async fn the_models_blocks_multiply_to_the_whole() -> Result {
    on_page(Look::desktop(), async |page| {
        let chain = page.figure("chain").await?;
        page.until("the product equals the backward pass", async || {
            Ok(chain.measure("model-error").await? < 1e-4)
        })
        .await?;
        let norms = async || chain.content("[data-measure='model-norms']").await;
        let whole = norms().await?;
        let slider = "input[type='range']";
        chain
            .press(slider, &[Key::Right, Key::Right, Key::Right])
            .await?;
        page.until("from layer 3, another product, as exact", async || {
            Ok(norms().await? != whole && chain.measure("model-error").await? < 1e-4)
        })
        .await?;
        let title = chain.text(".chain-both .panel-title").await?;
        assert_eq!(title, "Product of blocks 8 · … · 4");
        assert_eq!(chain.parts(".chain-blocks canvas").await?.len(), 8);
        assert_eq!(chain.parts("li[data-left-out='true']").await?.len(), 3);
        Ok(())
    })
    .await
}
