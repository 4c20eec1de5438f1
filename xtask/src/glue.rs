//! Glue: the JavaScript that loads the module, made by wasm-bindgen as a library.
//!
//! Promises: `flameline.js` and `flameline_bg.wasm`, whatever the module was called.
//! Knows nothing of: where the module comes from and where the bundle goes.

use std::path::Path;

use wasm_bindgen_cli_support::Bindgen;

use crate::failure::{Failure, Result};
use crate::settings::Target;

pub const MODULE: &str = "flameline_bg.wasm";
/// The one global that the classic script defines.
pub const GLOBAL: &str = "wasm_bindgen";

pub fn write_glue(module: &Path, target: Target, dir: &Path) -> Result<()> {
    let mut bindgen = Bindgen::new();
    let made = match target {
        Target::NoModules => {
            bindgen.no_modules(true).and_then(|bindgen| bindgen.no_modules_global(GLOBAL)).map(|_| ())
        }
        Target::Web => bindgen.web(true).map(|_| ()),
    };
    made.and_then(|()| {
        bindgen
            .input_path(module)
            .out_name("flameline")
            .typescript(false)
            .remove_producers_section(true)
            .generate(dir)
    })
    .map_err(|error| Failure::Cannot(format!("can't make the glue for {}: {error:#}", module.display())))
}
