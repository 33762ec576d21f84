//! glTF with its buffer embedded or in a chunk.

use pliant_core::asset::bytes::base64;

use super::{Packed, surface};

pub fn all() -> Vec<Vec<u8>> {
    let surface = surface();
    let (vertices, corners) = (surface.positions.len(), 3 * surface.triangles.len());
    let mut buffer = Packed::new("", false);
    for p in &surface.positions {
        [p.x, p.y, p.z].into_iter().for_each(|x| buffer.float(x));
    }
    for v in surface.triangles.iter().flatten() {
        buffer.put((*v as u16).to_le_bytes());
    }
    let (positions, length) = (12 * vertices, buffer.bytes.len());
    let text = |uri: &str| {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0,2]}}],
"nodes":[{{"children":[1],"translation":[1,0,0],"scale":[1,2,-1]}},{{"mesh":0,"rotation":[0,0,0.7071,0.7071]}},{{"mesh":0,"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,5,0,0,1]}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}},{{"attributes":{{"POSITION":0}},"mode":5}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":{vertices},"type":"VEC3"}},{{"bufferView":1,"byteOffset":0,"componentType":5123,"count":{corners},"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":{positions}}},{{"buffer":0,"byteOffset":{positions},"byteLength":{}}}],
"buffers":[{{{uri}"byteLength":{length}}}]}}"#,
            length - positions
        )
    };
    let uri = format!(
        r#""uri":"data:application\/octet-stream;base64,{}","#,
        base64(&buffer.bytes)
    );
    vec![text(&uri).into_bytes(), glb(text(""), &buffer.bytes)]
}

/// The two chunks of a GLB file.
pub fn glb(mut json: String, buffer: &[u8]) -> Vec<u8> {
    json += &" ".repeat(json.len().next_multiple_of(4) - json.len());
    let mut file = Packed::new("glTF", false);
    file.int(2);
    file.int((28 + json.len() + buffer.len()) as u32);
    file.int(json.len() as u32);
    file.text("JSON");
    file.text(&json);
    file.int(buffer.len() as u32);
    file.text("BIN\0");
    file.bytes.extend(buffer);
    file.bytes
}
