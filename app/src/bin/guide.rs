//! The page's second program: every figure but the first one, and the engine panel. It is fetched when the hero is live (or has
//! failed), so that nothing of it stands before the hero; it has a worker of its own, and so leaves the hero's alone.
#![forbid(unsafe_code)]

use app::client::{Client, ModelName};
use app::figures::average::AverageFigure;
use app::figures::band::BandFigure;
use app::figures::causal::CausalFigure;
use app::figures::chain::ChainFigure;
use app::figures::cone::ConeFigure;
use app::figures::curve::CurveFigure;
use app::figures::dual::DualFigure;
use app::figures::fit::FitFigure;
use app::figures::gradient::GradientFigure;
use app::figures::local::LocalFigure;
use app::figures::place::{mount, mount_panel};
use app::figures::pursuit::PursuitFigure;
use app::figures::relatives::RelativesFigure;
use app::figures::rows::RowsFigure;
use app::figures::square::SquareFigure;
use app::figures::steer::SteerFigure;
use app::figures::stein::SteinFigure;
use app::figures::swap::SwapFigure;
use app::figures::{address, announce, stopped};
use app::panel::EnginePanel;
use leptos::prelude::*;

fn main() {
    stopped::report();
    address::start();
    let client = Client::start(ModelName::World);
    announce::announce(client);
    mount("curve", move || view! { <CurveFigure /> });
    mount("gradient", move || view! { <GradientFigure /> });
    mount("square", move || view! { <SquareFigure client=client /> });
    mount("rows", move || view! { <RowsFigure client=client /> });
    mount("average", move || view! { <AverageFigure client=client /> });
    mount("local", move || view! { <LocalFigure client=client /> });
    mount("chain", move || view! { <ChainFigure client=client /> });
    mount("fit", move || view! { <FitFigure client=client /> });
    mount(
        "relatives",
        move || view! { <RelativesFigure client=client /> },
    );
    mount("stein", move || view! { <SteinFigure client=client /> });
    mount("causal", move || view! { <CausalFigure client=client /> });
    mount("band", move || view! { <BandFigure client=client /> });
    mount("pursuit", move || view! { <PursuitFigure client=client /> });
    mount("steer", move || view! { <SteerFigure client=client /> });
    mount("cone", move || view! { <ConeFigure /> });
    mount("dual", move || view! { <DualFigure /> });
    mount("swap", move || view! { <SwapFigure client=client /> });
    mount_panel("engine", move || view! { <EnginePanel client=client /> });
}
