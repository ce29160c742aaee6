//! The page's first program: the hero, and as soon as it is live (or has failed) the program of all other figures.
#![forbid(unsafe_code)]

use app::client::{Client, ModelName};
use app::figures::hero::HeroFigure;
use app::figures::place::{mount_now, when_settled};
use app::figures::{address, announce, stopped};
use leptos::prelude::*;

/// Where Trunk puts the start of `bin/guide.rs`.
const GUIDE: &str = "./guide_loader.js";

fn main() {
    stopped::report();
    address::start();
    let client = Client::start(ModelName::World);
    announce::announce(client);
    mount_now("hero", move || {
        when_settled("hero", client, || start(GUIDE));
        view! { <HeroFigure client=client /> }
    });
}

/// Runs a module script of the site.
fn start(script: &str) {
    let document = document();
    if let (Ok(element), Some(head)) = (document.create_element("script"), document.head()) {
        // Attributes and a new child fail only for malformed names.
        let _ = element.set_attribute("type", "module");
        let _ = element.set_attribute("src", script);
        let _ = head.append_child(&element);
    }
}
