//! What derives write only into programs that read items: those that have the feature `serde`.

/// Writes what it is given.
#[cfg(feature = "serde")]
#[doc(hidden)]
#[macro_export]
macro_rules! with_serde {
    ($($written:tt)*) => { $($written)* };
}

/// Writes nothing.
#[cfg(not(feature = "serde"))]
#[doc(hidden)]
#[macro_export]
macro_rules! with_serde {
    ($($written:tt)*) => {};
}
