//! Requests to the worker while the map is the real model: the grid once per setting, the square while it moves, the gaps of all
//! sizes when it rests.

use super::maps::MapKind;
use super::model;
use super::presets::Setting;
use super::signals::Figure;
use crate::client::{Answer, Command, Latest, Reply};
use crate::figures::room::Room;
use engine::protocol::{Slice, SliceRequest};
use geometry::Square;
use leptos::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// The gaps of all sizes are asked for when p has rested so long.
const REST: Duration = Duration::from_millis(250);

/// Starts listening; runs as long as the page.
pub fn connect(figure: Figure) {
    keep_inside(figure);
    connect_grid(figure);
    connect_square(figure);
    connect_ladder(figure);
}

/// The slice says what is run, also after a link made for another model.
fn keep_inside(figure: Figure) {
    Effect::new(move |_| {
        let Some(model) = figure.client.model() else {
            return;
        };
        let setting = figure.setting.get();
        let inside = setting.inside(Room::of(&model));
        if inside != setting {
            figure.setting.set(inside);
        }
    });
}

/// Sends one slice request; `take` gets the answer if the setting is still the same.
fn send(
    figure: Figure,
    line: Latest,
    setting: Setting,
    request: Result<SliceRequest, String>,
    take: impl Fn(&Slice) -> Result<(), String> + 'static,
) {
    let request = match request {
        Ok(request) => request,
        Err(message) => {
            figure.trouble.set(Some(message));
            return;
        }
    };
    line.send(Command::Slice(request), move |answer| {
        if figure
            .setting
            .try_with_untracked(|s| *s != setting)
            .unwrap_or(true)
        {
            return;
        }
        let outcome = match answer {
            Answer::Last(Reply::Slice(slice)) => take(&slice),
            Answer::Failed(message) => Err(message),
            _ => return,
        };
        figure.trouble.try_set(outcome.err());
    });
}

fn is_model(figure: Figure) -> bool {
    figure.kind.get() == MapKind::Model
}

fn connect_grid(figure: Figure) {
    let line = figure.client.latest();
    Effect::new(move |_| {
        let setting = figure.setting.get();
        let Some(model) = figure.client.model().filter(|_| is_model(figure)) else {
            return;
        };
        figure.exact.set(None);
        figure.grid.set(None);
        let request = setting.grid_request(&model);
        send(figure, line, setting, request, move |slice| {
            figure.grid.try_set(Some(Arc::new(model::grid_of(slice)?)));
            Ok(())
        });
    });
}

fn connect_square(figure: Figure) {
    let line = figure.client.latest();
    Effect::new(move |_| {
        let (setting, square) = (figure.setting.get(), model::on_raster(figure.square()));
        let Some(model) = figure.client.model().filter(|_| is_model(figure)) else {
            return;
        };
        let request = setting.square_request(&model, square);
        send(figure, line, setting, request, move |slice| {
            let mut scene = model::scene_of(square, slice)
                .ok_or("The model's answer has an unexpected shape.")?;
            figure.exact.try_update(|exact| {
                let before = exact
                    .take()
                    .filter(|old| old.square.centre == square.centre);
                scene.ladder = before.and_then(|old| old.ladder.clone());
                *exact = Some(Arc::new(scene));
            });
            Ok(())
        });
    });
}

fn connect_ladder(figure: Figure) {
    let line = figure.client.latest();
    let waiting = StoredValue::new(None::<TimeoutHandle>);
    Effect::new(move |_| {
        let setting = figure.setting.get();
        let centre = model::on_raster(Square {
            centre: figure.p.get().into(),
            half: 1.0,
        })
        .centre;
        let Some(model) = figure.client.model().filter(|_| is_model(figure)) else {
            return;
        };
        if let Some(handle) = waiting.try_update_value(Option::take).flatten() {
            handle.clear();
        }
        let ask = move || {
            let request = setting.ladder_request(&model, centre);
            send(figure, line, setting.clone(), request, move |slice| {
                let ladder = model::ladder_of(centre, slice)
                    .ok_or("The model's answer has an unexpected shape.")?;
                figure.exact.try_update(|exact| {
                    if let Some(scene) =
                        exact.as_mut().filter(|scene| scene.square.centre == centre)
                    {
                        Arc::make_mut(scene).ladder = Some(ladder);
                    }
                });
                Ok(())
            });
        };
        waiting.set_value(set_timeout_with_handle(ask, REST).ok());
    });
}
