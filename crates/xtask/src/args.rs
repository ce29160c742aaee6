//! The command line.

/// What `cargo xtask` prints without a command or with `help`.
pub const HELP: &str = "\
cargo xtask <command> [options]

  serve      build the site and serve it at http://127.0.0.1:8080, rebuilding on change
               --port N    another port
               --no-open   open no browser (none is opened without a display)
               --dev       unoptimised: builds fast, computes slowly
  dist       build the static site into dist/, and as dist.zip
               --dev       unoptimised
               --out DIR   write it elsewhere
               --zip FILE  where the zip file for a classroom goes (default: the folder's name with .zip)
  test       every check: format, lints, native tests, web build, byte budget, browser tests
               --skip-e2e  leave the browser tests out
               --only STEP fmt | clippy | native | doc | web | e2e (may be repeated)
  shots      screenshot every figure at 1280 and 360 px, light and dark, into target/screenshots/
               --accept [figure ...]  take them for the goldens that the test compares with (default: all)
  bench      print the measured numbers: fit | large | gpu | wasm | cold-start | page | drag (default: all)
               heights            measure the room that the page keeps for each figure, and write it
               gpu --pack DIR     write the GPU benchmark and a script for another machine
               gpu --large        the large shape also on a software adapter
               gpu --peak TFLOPS  compare with the f32 peak of the GPU's data sheet
  toolchain  install what the commands above need, and nothing else
  help       this text

  --yes      install what is missing without asking (also without a terminal, or with CI set)";

/// A parsed command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Args {
    /// Install without asking.
    pub yes: bool,
    /// What to do.
    pub command: Command,
}

/// What to do.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    /// Print the help text.
    Help,
    /// Install everything.
    Toolchain,
    /// Build and serve.
    Serve(Serve),
    /// Build the static site.
    Dist(Dist),
    /// Run the checks.
    Test(Test),
    /// Screenshot the figures; the rest of the line goes to the program that does it.
    Shots(Vec<String>),
    /// Measure; the rest of the line selects what.
    Bench(Vec<String>),
}

/// Options of `serve`.
#[derive(Debug, PartialEq, Eq)]
pub struct Serve {
    /// TCP port on the loopback address.
    pub port: u16,
    /// Open a browser when there is a display.
    pub open: bool,
    /// Unoptimised build.
    pub dev: bool,
}

/// Options of `dist`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Dist {
    /// Unoptimised build.
    pub dev: bool,
    /// Output folder, `dist` when absent.
    pub out: Option<String>,
    /// The zip file, beside the folder when absent.
    pub zip: Option<String>,
}

/// Options of `test`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Test {
    /// Leave the browser tests out.
    pub skip_e2e: bool,
    /// Run these steps only; empty means all.
    pub only: Vec<String>,
}

impl Args {
    /// Parses the words after `cargo xtask`; the error is a sentence for the user.
    pub fn parse(words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut yes = false;
        let mut words: Vec<String> = words
            .filter(|word| {
                let is_yes = word == "--yes" || word == "-y";
                yes |= is_yes;
                !is_yes
            })
            .collect();
        if words.is_empty() {
            words.push("help".into());
        }
        let name = words.remove(0);
        let mut rest = words.into_iter();
        let command = match name.as_str() {
            "help" | "--help" | "-h" => Command::Help,
            "toolchain" => nothing_more(rest, Command::Toolchain)?,
            "serve" => Command::Serve(parse_serve(&mut rest)?),
            "dist" => Command::Dist(parse_dist(&mut rest)?),
            "test" => Command::Test(parse_test(&mut rest)?),
            "shots" => Command::Shots(rest.collect()),
            "bench" => Command::Bench(rest.collect()),
            other => return Err(format!("unknown command `{other}`")),
        };
        Ok(Self { yes, command })
    }
}

fn nothing_more(
    mut rest: impl Iterator<Item = String>,
    command: Command,
) -> Result<Command, String> {
    match rest.next() {
        None => Ok(command),
        Some(word) => Err(format!("unexpected `{word}`")),
    }
}

fn parse_serve(rest: &mut impl Iterator<Item = String>) -> Result<Serve, String> {
    let mut serve = Serve {
        port: 8080,
        open: true,
        dev: false,
    };
    while let Some(word) = rest.next() {
        match word.as_str() {
            "--port" => {
                let port = value(rest, "--port")?;
                serve.port = port
                    .parse()
                    .map_err(|_| format!("--port wants a number from 1 to 65535, got `{port}`"))?;
            }
            "--no-open" => serve.open = false,
            "--dev" => serve.dev = true,
            other => return Err(format!("serve: unknown option `{other}`")),
        }
    }
    Ok(serve)
}

fn parse_dist(rest: &mut impl Iterator<Item = String>) -> Result<Dist, String> {
    let mut dist = Dist::default();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "--dev" => dist.dev = true,
            "--out" => dist.out = Some(value(rest, "--out")?),
            "--zip" => dist.zip = Some(value(rest, "--zip")?),
            other => return Err(format!("dist: unknown option `{other}`")),
        }
    }
    Ok(dist)
}

fn parse_test(rest: &mut impl Iterator<Item = String>) -> Result<Test, String> {
    let mut test = Test::default();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "--skip-e2e" => test.skip_e2e = true,
            "--only" => {
                let step = value(rest, "--only")?;
                if !crate::test::STEPS.contains(&step.as_str()) {
                    let known = crate::test::STEPS.join(", ");
                    return Err(format!("test: no step `{step}`; there are {known}"));
                }
                test.only.push(step);
            }
            other => return Err(format!("test: unknown option `{other}`")),
        }
    }
    Ok(test)
}

fn value(rest: &mut impl Iterator<Item = String>, option: &str) -> Result<String, String> {
    rest.next()
        .ok_or_else(|| format!("{option} wants a value after it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Args, String> {
        Args::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn yes_may_stand_anywhere() {
        for line in ["--yes test", "test --yes", "test -y"] {
            let args = parse(line).unwrap();
            assert!(args.yes, "{line}");
            assert_eq!(args.command, Command::Test(Test::default()), "{line}");
        }
        assert!(!parse("test").unwrap().yes);
    }

    #[test]
    fn serve_options_are_read() {
        let args = parse("serve --port 9000 --no-open --dev").unwrap();
        let expected = Serve {
            port: 9000,
            open: false,
            dev: true,
        };
        assert_eq!(args.command, Command::Serve(expected));
    }

    #[test]
    fn mistakes_are_named() {
        for (line, part) in [
            ("serve --port eighty", "eighty"),
            ("serve --port", "wants a value"),
            ("frobnicate", "frobnicate"),
            ("dist --prod", "--prod"),
            ("toolchain now", "now"),
            ("test --only lunch", "lunch"),
        ] {
            let error = parse(line).unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
        }
    }
}
