//! The pipes of a child, all moved at once.

use std::future;
use std::io;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};

use crate::capture::{Head, Tail};
use crate::{Captured, Invocation, Stdin};

/// As much as a pipe holds.
const CHUNK: usize = 64 << 10;

/// The pipes of a child, with what was kept of them.
pub(crate) struct Pipes<'i> {
    stdin: Option<(ChildStdin, &'i [u8])>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    out_chunk: Vec<u8>,
    err_chunk: Vec<u8>,
    head: Head,
    tail: Tail,
}

/// What moved through a pipe.
pub(crate) enum Moved<'b> {
    Out(&'b [u8]),
    Err,
    InOrClosed,
}

impl<'i> Pipes<'i> {
    pub(crate) fn of(child: &mut Child, invocation: &'i Invocation) -> Self {
        let prompt: &[u8] = match &invocation.stdin {
            Stdin::Bytes(bytes) => bytes,
            Stdin::Null => &[],
        };
        Self {
            stdin: child.stdin.take().map(|pipe| (pipe, prompt)),
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            out_chunk: vec![0; CHUNK],
            err_chunk: vec![0; CHUNK],
            head: Head::new(invocation.limits.stdout_cap),
            tail: Tail::new(invocation.limits.stderr_cap),
        }
    }

    /// Whether the child, and everybody who holds its pipes, has said everything.
    pub(crate) fn are_closed(&self) -> bool {
        self.stdout.is_none() && self.stderr.is_none()
    }

    /// Moves bytes through one of the pipes, whichever is ready. May be dropped at any time.
    pub(crate) async fn move_on(&mut self) -> io::Result<Moved<'_>> {
        tokio::select! {
            read = read(self.stdout.as_mut(), &mut self.out_chunk) => match read? {
                0 => self.stdout = None,
                length => {
                    let bytes = &self.out_chunk[..length];
                    self.head.take(bytes);
                    return Ok(Moved::Out(bytes));
                }
            },
            read = read(self.stderr.as_mut(), &mut self.err_chunk) => match read? {
                0 => self.stderr = None,
                length => {
                    self.tail.take(&self.err_chunk[..length]);
                    return Ok(Moved::Err);
                }
            },
            written = write(self.stdin.as_mut()) => match written {
                Ok(true) => {}
                // All is written; or the child reads no more, which is its own affair.
                Ok(false) | Err(_) => self.stdin = None,
            },
        }
        Ok(Moved::InOrClosed)
    }

    pub(crate) fn finish(self) -> (Captured, Vec<u8>) {
        (self.head.finish(), self.tail.finish())
    }
}

async fn read(pipe: Option<&mut (impl AsyncRead + Unpin)>, chunk: &mut [u8]) -> io::Result<usize> {
    match pipe {
        Some(pipe) => pipe.read(chunk).await,
        None => future::pending().await,
    }
}

/// Writes some of what is left; `false` once nothing is.
async fn write(feed: Option<&mut (ChildStdin, &[u8])>) -> io::Result<bool> {
    let Some((pipe, left)) = feed else { return future::pending().await };
    if left.is_empty() {
        return Ok(false);
    }
    let written = pipe.write(left).await?;
    *left = &left[written..];
    Ok(written > 0)
}
