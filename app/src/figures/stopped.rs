//! When one of the page's own programs stops: the text, the formulas and the stills stay, and the page says what happened.

use leptos::prelude::document;

/// Shows panics on the page, in the place of figures that would no longer answer, and in the console.
pub fn report() {
    std::panic::set_hook(Box::new(|info| {
        let what = info.payload_as_str().unwrap_or("no reason given");
        let place = info
            .location()
            .map_or(String::new(), |at| format!(" at {at}"));
        let message = format!("{what}{place}");
        leptos::logging::error!("panicked: {message}");
        // Nothing can be done about a document that refuses this.
        let _ = show(&message);
    }));
}

fn show(message: &str) -> Option<()> {
    for figure in super::place::mounted() {
        let _ = figure.remove_attribute("data-ready");
        let _ = figure.set_attribute("data-stopped", "true");
    }
    let note = document().get_element_by_id("update-note")?;
    note.set_text_content(None);
    let text = document().create_element("p").ok()?;
    text.set_text_content(Some(&format!(
        "Figures have stopped after an error in the page’s program ({message}). The text is complete; the link starts them again."
    )));
    let again = document().create_element("a").ok()?;
    again.set_class_name("btn btn-primary");
    // An empty address is the page itself, without the settings that may have led here.
    let _ = again.set_attribute("href", "?");
    again.set_text_content(Some("Start again"));
    note.append_with_node_2(&text, &again).ok()
}
