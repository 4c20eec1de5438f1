//! Convert: plain JavaScript objects from and to the types of the module.
//!
//! Promises: what one side writes here the other side reads here; a missing or odd property reads as `None`.
//! Does not do: large columns, which cross as typed arrays; anything but names and numbers.

use js_sys::{Array, BigInt, Object, Reflect};
use serde::Serialize;
use wasm_bindgen::{JsCast, JsValue};

/// Integers beyond this are not exact as a JavaScript number and become a BigInt.
const MAX_SAFE: i128 = 1 << 53;

/// An object with these properties.
pub fn object<const N: usize>(properties: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in properties {
        set(&object, name, &value);
    }
    object.into()
}

/// Puts a property into an object made here.
pub fn set(object: &Object, name: &str, value: &JsValue) {
    // a fresh, extensible object refuses nothing
    let _ = Reflect::set(object, &JsValue::from_str(name), value);
}

/// An array of these values.
pub fn list<T: Into<JsValue>>(values: impl IntoIterator<Item = T>) -> JsValue {
    values.into_iter().map(Into::into).collect::<Array>().into()
}

/// An integer as a number where that is exact, else as a BigInt.
pub fn integer(value: i128) -> JsValue {
    if value.unsigned_abs() <= MAX_SAFE.unsigned_abs() {
        return JsValue::from_f64(value as f64);
    }
    BigInt::from(value).into()
}

/// A small answer as plain objects; `undefined` for none.
pub fn plain<T: Serialize>(answer: &Option<T>) -> JsValue {
    serde_wasm_bindgen::to_value(answer).unwrap_or(JsValue::UNDEFINED)
}

/// A property of an object.
pub fn get(object: &JsValue, name: &str) -> Option<JsValue> {
    Reflect::get(object, &JsValue::from_str(name)).ok().filter(|value| !value.is_undefined())
}

/// A number among an object's properties.
pub fn number(object: &JsValue, name: &str) -> Option<f64> {
    get(object, name)?.as_f64()
}

/// A small whole number among an object's properties.
pub fn index(object: &JsValue, name: &str) -> Option<u32> {
    // casts from f64 saturate, and what was written here was a u32
    number(object, name).map(|value| value as u32)
}

/// A text among an object's properties.
pub fn text(object: &JsValue, name: &str) -> Option<String> {
    get(object, name)?.as_string()
}

/// A time among an object's properties, written as a BigInt.
pub fn time(object: &JsValue, name: &str) -> Option<i64> {
    i64::try_from(get(object, name)?.unchecked_into::<BigInt>()).ok()
}

/// The bytes of a typed array among an object's properties.
pub fn bytes(object: &JsValue, name: &str) -> Option<Vec<u8>> {
    Some(get(object, name)?.dyn_into::<js_sys::Uint8Array>().ok()?.to_vec())
}
