//! Serves the built site on an ephemeral loopback port, as any static host would, and remembers
//! what was fetched.

use crate::{Error, Result};
use axum::{
    Router,
    extract::{Request, State},
    middleware::{self, Next},
    response::Response,
};
use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::{net::TcpListener, task::JoinHandle};
use tower_http::services::ServeDir;

type Log = Arc<Mutex<Vec<Fetch>>>;

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetch {
    /// Path on the server, with its leading slash.
    pub path: String,
    /// Status code of the answer.
    pub status: u16,
}

/// A running server; it stops when dropped.
#[derive(Debug)]
pub struct Site {
    folder: PathBuf,
    address: String,
    log: Log,
    server: JoinHandle<()>,
}

impl Site {
    /// Serves a folder.
    pub async fn start(folder: PathBuf) -> Result<Self> {
        let log = Log::default();
        let router = Router::new()
            .fallback_service(ServeDir::new(&folder))
            .layer(middleware::from_fn_with_state(log.clone(), remember));
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .map_err(Error::io("listening on the loopback address"))?;
        let address = listener
            .local_addr()
            .map_err(Error::io("asking for the server's port"))?;
        let server = tokio::spawn(async move {
            // Ends with the task that this handle belongs to.
            let _ = axum::serve(listener, router).await;
        });
        Ok(Self {
            folder,
            address: format!("http://{address}"),
            log,
            server,
        })
    }

    /// The server's address without a path.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Everything fetched so far, in order.
    pub fn fetched(&self) -> Vec<Fetch> {
        self.log
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Size in bytes of a served file, gzipped at the usual level.
    pub fn gzipped(&self, path: &str) -> Result<usize> {
        let name = match path.trim_start_matches('/') {
            "" => "index.html",
            name => name,
        };
        let file = self.folder.join(name);
        let bytes = std::fs::read(&file).map_err(Error::io(file.display()))?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder
            .write_all(&bytes)
            .and_then(|()| encoder.finish())
            .map(|packed| packed.len())
            .map_err(Error::io("compressing"))
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn remember(State(log): State<Log>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let response = next.run(request).await;
    let status = response.status().as_u16();
    log.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(Fetch { path, status });
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Browsers refuse modules and WebAssembly that come with another type.
    #[tokio::test]
    async fn files_come_with_the_types_that_browsers_insist_on() -> Result<()> {
        let folder = tempfile::tempdir().map_err(Error::io("temporary folder"))?;
        for name in ["index.html", "app.js", "app_bg.wasm", "style.css"] {
            std::fs::write(folder.path().join(name), "x").map_err(Error::io(name))?;
        }
        let site = Site::start(folder.path().to_owned()).await?;
        for (path, kind) in [
            ("/", "text/html"),
            ("/app.js", "text/javascript"),
            ("/app_bg.wasm", "application/wasm"),
            ("/style.css", "text/css"),
        ] {
            let head = head(&site, path).await?;
            assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
            assert!(
                head.contains(&format!("content-type: {kind}")),
                "{path}: {head}"
            );
        }
        assert!(head(&site, "/none").await?.starts_with("HTTP/1.1 404"));
        let missing = Fetch {
            path: "/none".into(),
            status: 404,
        };
        assert_eq!(site.fetched().last(), Some(&missing));
        Ok(())
    }

    async fn head(site: &Site, path: &str) -> Result<String> {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let address = site.address().trim_start_matches("http://");
        let mut stream = tokio::net::TcpStream::connect(address)
            .await
            .map_err(Error::io("connecting"))?;
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
        stream
            .write_all(request.as_bytes())
            .await
            .map_err(Error::io("asking"))?;
        let mut answer = String::new();
        stream
            .read_to_string(&mut answer)
            .await
            .map_err(Error::io("reading"))?;
        Ok(answer)
    }
}
