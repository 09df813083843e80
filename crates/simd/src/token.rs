//! Proof tokens, which every architecture makes of its own features.

/// Makes a token: a type whose values prove that this process may execute some features.
macro_rules! token {
    ($(#[$doc:meta])* $name:ident: $($feature:literal)+) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name(());

        impl $name {
            /// The features that it proves.
            pub const FEATURES: &'static [&'static str] = &[$($feature),+];

            /// The proof, if the CPU has the features and no mask removes one.
            #[inline]
            pub fn new() -> Option<Self> {
                const FEATURES: $crate::Features = $crate::Features::of($name::FEATURES);
                $crate::process::usable().contains(FEATURES).then_some($name(()))
            }

            /// Whether [`new`](Self::new) succeeds.
            ///
            /// # Errors
            /// As [`require`](crate::require).
            pub fn require() -> Result<(), alloc::borrow::Cow<'static, str>> {
                $crate::require(Self::FEATURES)
            }
        }
    };
}
pub(crate) use token;
