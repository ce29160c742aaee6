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
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::oneshot;
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
    end: Mutex<Option<oneshot::Sender<()>>>,
}

impl Site {
    /// Serves a folder.
    pub async fn start(folder: PathBuf) -> Result<Self> {
        Self::start_under(folder, "/").await
    }

    /// Serves a folder below a path that begins and ends with a slash; the rest of the host is empty.
    pub async fn start_under(folder: PathBuf, path: &str) -> Result<Self> {
        let log = Log::default();
        let files = ServeDir::new(&folder);
        let router = match path {
            "/" => Router::new().fallback_service(files),
            path => Router::new().nest_service(path, files),
        };
        let router = router.layer(middleware::from_fn_with_state(log.clone(), remember));
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .map_err(Error::io("listening on the loopback address"))?;
        let address = listener
            .local_addr()
            .map_err(Error::io("asking for the server's port"))?;
        let (end, ended) = oneshot::channel::<()>();
        let server = tokio::spawn(async move {
            // Ends with the task that this handle belongs to, or when told to.
            let serve = axum::serve(listener, router);
            let _ = serve
                .with_graceful_shutdown(async { drop(ended.await) })
                .await;
        });
        Ok(Self {
            folder,
            address: format!("http://{address}"),
            log,
            server,
            end: Mutex::new(Some(end)),
        })
    }

    /// Ends the server, open connections included: from now on the address answers no more.
    pub async fn stop(&self) -> Result<()> {
        let end = self
            .end
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        drop(end);
        for _ in 0..200 {
            if self.server.is_finished() {
                return Ok(());
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        Err(Error::page("the server did not end within ten seconds"))
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

    /// All files that it serves, as paths from its folder.
    pub fn files(&self) -> Result<Vec<String>> {
        let mut files = Vec::new();
        list(&self.folder, "", &mut files)?;
        files.sort();
        Ok(files)
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

fn list(folder: &Path, prefix: &str, files: &mut Vec<String>) -> Result<()> {
    for entry in std::fs::read_dir(folder).map_err(Error::io(folder.display()))? {
        let entry = entry.map_err(Error::io(folder.display()))?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            list(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.push(name);
        }
    }
    Ok(())
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
