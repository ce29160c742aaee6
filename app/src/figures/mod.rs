//! The figures. Each is mounted once into its `<figure data-figure="...">` and never unmounted.
