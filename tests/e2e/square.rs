//! Figure 4: the square of nudges is dragged, and what the map makes of it follows.

use support::{Error, Figure, Keyboard, Look, Page, Result, With, on_page};
use thirtyfour::prelude::*;

const POINT: &str = ".handle[aria-label='point p']";
const SIZE: &str = ".handle[aria-label='size of the square']";

/// Where p stands and what J(p) is, as the page shows them.
async fn state(square: &Figure<'_>) -> Result<(String, String)> {
    let place = square.attribute(POINT, "aria-valuetext").await?;
    Ok((place, square.content("table.matrix").await?))
}

/// The two coordinates in `x 0.30, y 0.52`.
fn coordinates(text: &str) -> Result<(f64, f64)> {
    let number = |part: Option<&str>| part.and_then(|p| p.trim_end_matches(',').parse().ok());
    let mut words = text.split_whitespace();
    match (number(words.nth(1)), number(words.nth(1))) {
        (Some(x), Some(y)) => Ok((x, y)),
        _ => Err(Error::page(format!("no coordinates in `{text}`"))),
    }
}

/// The slope of the gap over the size, on axes where every step is a factor; not a number until it has been measured.
async fn slope(square: &Figure<'_>) -> Result<f64> {
    let said = square.content("[data-measure='slope']").await?;
    let number = said.split_whitespace().find_map(|word| word.parse().ok());
    Ok(number.unwrap_or(f64::NAN))
}

async fn drags(page: &Page, with: With) -> Result {
    let square = page.figure("square").await?;
    let (place, matrix) = state(&square).await?;
    square.drag(POINT, (40.0, -30.0), with).await?;
    page.until("p and J(p) follow", async || {
        let now = state(&square).await?;
        Ok(now.0 != place && now.1 != matrix)
    })
    .await?;
    let (before, after) = (coordinates(&place)?, coordinates(&state(&square).await?.0)?);
    assert!(
        after.0 > before.0 && after.1 > before.1,
        "right and up: {before:?} {after:?}"
    );

    // The knob stands on a diagonal of the square; pulled outward, the square grows.
    let (p, knob) = (square.place(POINT).await?, square.place(SIZE).await?);
    let away = |from: f64, to: f64| 12.0 * (to - from).signum();
    let size = square.attribute(SIZE, "aria-valuetext").await?;
    let by = (away(p.0, knob.0), away(p.1, knob.1));
    square.drag(SIZE, by, with).await?;
    page.until("the size follows", async || {
        Ok(square.attribute(SIZE, "aria-valuetext").await? != size)
    })
    .await
}

/// By keys alone: the square is made smaller, p is moved, and the matrix follows.
pub async fn by_keys(keys: &Keyboard<'_>, square: &Figure<'_>) -> Result {
    let size = square.attribute(SIZE, "aria-valuetext").await?;
    keys.to("Size of the square").await?;
    keys.press(&[Key::Left, Key::Left]).await?;
    keys.to("point p").await?;
    let (place, matrix) = state(square).await?;
    keys.press(&[Key::Right, Key::Right]).await?;
    square
        .page()
        .until("size, place and matrix follow", async || {
            let (now, columns) = state(square).await?;
            let right = coordinates(&now)?.0 - coordinates(&place)?.0;
            let smaller = square.attribute(SIZE, "aria-valuetext").await? != size;
            Ok(smaller && (right - 0.1).abs() < 0.011 && columns != matrix)
        })
        .await?;
    assert!(
        (slope(square).await? - 2.0).abs() < 0.1,
        "a quarter per halving"
    );
    Ok(())
}

#[tokio::test]
async fn it_is_dragged_by_mouse() -> Result {
    on_page(Look::desktop(), async |page| drags(page, With::Mouse).await).await
}

#[tokio::test]
async fn it_is_dragged_by_touch_on_a_phone_without_scrolling() -> Result {
    on_page(Look::phone(), async |page| {
        let square = page.figure("square").await?;
        square.middle(POINT).await?;
        // Where the figure stands in the window: figures that come alive above it change the page's length, and the browser scrolls
        // so that it stays.
        let script = "return document.querySelector('figure[data-figure=square]').getBoundingClientRect().top;";
        let place = async || page.script::<f64>(script, vec![]).await;
        page.until("the figure is at rest", async || {
            let before = place().await?;
            tokio::time::sleep(std::time::Duration::from_millis(500)).await;
            Ok(place().await? == before)
        })
        .await?;
        let before = place().await?;
        square.drag(POINT, (0.0, 60.0), With::Finger).await?;
        let moved = (place().await? - before).abs();
        assert!(
            moved < 2.0,
            "the page scrolled by {moved} px under the finger"
        );
        square.press_button("Reset").await?;
        drags(page, With::Finger).await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn it_is_moved_by_keyboard_finely_with_shift_and_home_again() -> Result {
    on_page(Look::desktop(), async |page| {
        let square = page.figure("square").await?;
        let place = async || coordinates(&square.attribute(POINT, "aria-valuetext").await?);
        let home = place().await?;
        square.press(POINT, &[Key::Right, Key::Right]).await?;
        let right = place().await?;
        assert!((right.0 - home.0 - 0.1).abs() < 1e-6, "{home:?} {right:?}");
        square
            .press(POINT, &[Key::Shift, Key::Up, Key::Shift, Key::Up])
            .await?;
        page.until("two tenths of a step up", async || {
            Ok((place().await?.1 - home.1 - 0.01).abs() < 1e-6)
        })
        .await?;
        square.press(POINT, &[Key::Home]).await?;
        assert_eq!(place().await?, home);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn it_is_silent_until_something_is_moved() -> Result {
    on_page(Look::desktop(), async |page| {
        let square = page.figure("square").await?;
        let said = async || -> Result<String> {
            let mut all = String::new();
            for part in square.parts(".visually-hidden[role='status']").await? {
                all += &part.prop("textContent").await?.unwrap_or_default();
            }
            Ok(all)
        };
        tokio::time::sleep(std::time::Duration::from_millis(600)).await;
        assert_eq!(said().await?, "", "nobody has asked");
        square.press(POINT, &[Key::Right]).await?;
        page.until("the move is spoken", async || Ok(!said().await?.is_empty()))
            .await
    })
    .await
}

#[tokio::test]
async fn half_the_size_leaves_a_quarter_of_the_gap() -> Result {
    on_page(Look::desktop(), async |page| {
        let square = page.figure("square").await?;
        page.until("the slope is measured", async || {
            Ok((slope(&square).await? - 2.0).abs() < 0.1)
        })
        .await
    })
    .await
}

/// The model's Jacobian appears, and changes when p is dragged.
pub async fn the_model_is_a_map(page: &Page) -> Result {
    let square = page.figure("square").await?;
    square.choose("Map F", "the real model").await?;
    let matrix = async || square.content("table.matrix").await;
    page.until("the model's Jacobian is there", async || {
        Ok(matrix().await?.chars().any(|c| c.is_ascii_digit()))
    })
    .await?;
    let before = matrix().await?;
    square.drag(POINT, (40.0, -30.0), With::Mouse).await?;
    page.until("the model's Jacobian changes with p", async || {
        let now = matrix().await?;
        Ok(now != before && now.chars().any(|c| c.is_ascii_digit()))
    })
    .await
}

#[tokio::test]
async fn two_directions_of_the_real_model_are_such_a_map_too() -> Result {
    on_page(Look::desktop(), async |page| the_model_is_a_map(page).await).await
}
