//! Files of the user of a page: those that are chosen in a dialogue of the browser, and downloads.

use eframe::wasm_bindgen::closure::Closure;
use eframe::wasm_bindgen::{JsCast as _, JsValue};

/// Lets the user choose files, and calls `chosen` with them. Must be called while a click is handled: browsers refuse the dialogue otherwise.
///
/// # Errors
/// The browser's error.
pub fn choose(chosen: impl Fn(Vec<web_sys::File>) + 'static) -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|w| w.document());
    let document = document.ok_or("no document")?;
    let input: web_sys::HtmlInputElement = document.create_element("input")?.dyn_into()?;
    input.set_type("file");
    input.set_multiple(true);
    let dialogue = input.clone();
    let changed = Closure::<dyn Fn()>::new(move || {
        let files = dialogue.files();
        let files = files
            .iter()
            .flat_map(|list| (0..list.length()).filter_map(|k| list.get(k)));
        chosen(files.collect());
    });
    input.set_onchange(Some(changed.as_ref().unchecked_ref()));
    // the browser calls it whenever the user is ready
    changed.forget();
    input.click();
    Ok(())
}

/// Gives the user a file of this name.
///
/// # Errors
/// The browser's error.
pub fn download(name: &str, bytes: &[u8]) -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|w| w.document());
    let document = document.ok_or("no document")?;
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    let content = web_sys::Blob::new_with_u8_array_sequence(&parts)?;
    let address = web_sys::Url::create_object_url_with_blob(&content)?;
    let link: web_sys::HtmlAnchorElement = document.create_element("a")?.dyn_into()?;
    link.set_href(&address);
    link.set_download(name);
    link.click();
    web_sys::Url::revoke_object_url(&address)
}

/// The content of a file.
///
/// # Errors
/// The browser's error.
pub async fn content(file: &web_sys::File) -> Result<Vec<u8>, JsValue> {
    let buffer = wasm_bindgen_futures::JsFuture::from(file.array_buffer()).await?;
    Ok(js_sys::Uint8Array::new(&buffer).to_vec())
}
