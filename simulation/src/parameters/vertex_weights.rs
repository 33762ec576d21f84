//! Weights of skin vertices: parts with a factor, and numbers from a mesh file.

use std::sync::Arc;

use pliant_core::scene::VertexWeight;

use crate::setup::Setup;

/// The weight of each vertex of the body's skin, 1 where no entry says otherwise; later entries count. `None` where the list is empty.
pub(super) fn vertex_weights(list: &[VertexWeight], setup: &Setup) -> Option<Arc<[f64]>> {
    if list.is_empty() {
        return None;
    }
    let skin = &setup.geometry.skin;
    let mut factors = vec![1.0; skin.vertex_count()];
    for weight in list {
        match weight {
            VertexWeight::Part { select, factor } => {
                for v in select.skin_vertices(skin) {
                    factors[v as usize] = *factor;
                }
            }
            VertexWeight::Attribute(name) => {
                if let Some(values) = setup.attribute(name) {
                    factors.copy_from_slice(values);
                }
            }
        }
    }
    Some(factors.into())
}
