//! How a device is opened.

use shaders::Shader;
use std::borrow::Cow;

/// What [`crate::Gpu::open_with`] may be asked for; the default is what a page wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Breaks the device on purpose. Only for tests: it is how the fault tests, native and in a browser, get a device that fails.
    pub fault: Option<Fault>,
    /// Multiply-adds after which recorded work is sent off, and matrix products are cut; `None` is [`Options::LONG`].
    pub long: Option<u64>,
    /// Bytes that one binding and one buffer hold; `None` is [`Limits::default`]. Lower only in tests.
    pub limits: Option<Limits>,
}

/// How large buffers may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a buffer that a kernel sees at a time.
    pub binding: u64,
    /// Bytes of a buffer.
    pub buffer: u64,
}

impl Default for Limits {
    /// What WebGPU guarantees everywhere: 128 and 256 MiB.
    fn default() -> Self {
        Self {
            binding: 128 << 20,
            buffer: 256 << 20,
        }
    }
}

impl Options {
    /// About 0.1 s on a slow integrated GPU (200 GFLOP/s, half of which are multiply-adds).
    pub const LONG: u64 = 10_000_000_000;
}

/// A device that is broken on purpose, see [`Options::fault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Numbers that are a little wrong, without any error: the VJP of the activations is 1 % too large. Some drivers do such
    /// things, and only a comparison finds them.
    WrongNumbers,
}

/// The right and the wrong last line of `activation_vjp.wgsl`.
const SLOPE: [&str; 2] = [
    "gx[i] = g[source] * slope[i % p.period];",
    "gx[i] = 1.01 * g[source] * slope[i % p.period];",
];

impl Fault {
    /// A kernel's text on a device with this fault.
    pub(crate) fn source(fault: Option<Self>, shader: Shader) -> Cow<'static, str> {
        let source = shader.kernel().source;
        match (fault, shader) {
            (Some(Self::WrongNumbers), Shader::ActivationVjp) => {
                Cow::Owned(source.replace(SLOPE[0], SLOPE[1]))
            }
            _ => Cow::Borrowed(source),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fault_changes_one_kernel_only() {
        for &shader in Shader::ALL {
            let right = shader.kernel().source;
            let wrong = Fault::source(Some(Fault::WrongNumbers), shader);
            assert_eq!(wrong != right, shader == Shader::ActivationVjp);
            assert_eq!(Fault::source(None, shader), right);
        }
    }
}
