//! Every figure, and the top of the page, looks as its golden does: at 1280 and 360 pixels, light and dark.
//! `cargo xtask shots --accept [figure …]` renews goldens.
#![forbid(unsafe_code)]

use support::Result;
use support::golden::{camera::looks, check};

#[tokio::test]
async fn at_1280_pixels_in_light() -> Result {
    check(looks()[0]).await
}

#[tokio::test]
async fn at_1280_pixels_in_dark() -> Result {
    check(looks()[1]).await
}

#[tokio::test]
async fn at_360_pixels_in_light() -> Result {
    check(looks()[2]).await
}

#[tokio::test]
async fn at_360_pixels_in_dark() -> Result {
    check(looks()[3]).await
}
