//! The `fscrypt` example on the image that comes with it, and on input that is wrong.
