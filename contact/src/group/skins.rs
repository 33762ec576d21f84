//! The skins of all bodies in one frame.
//!
//! Each body writes its vertices where they belong. Those of a sleeping body are kept and copied, which costs no more than its bytes.

use rayon::prelude::*;

use pliant_core::mesh::{SkinPart, SurfaceFrame};
use pliant_core::model::SteppedModel;

use crate::group::body_group::BodyGroup;
use crate::group::state::KeptSkin;

/// Bodies with their first vertices, and one past the last.
#[derive(Clone, Copy)]
struct Skins<'a, M> {
    models: &'a [M],
    kept: &'a [KeptSkin],
    starts: &'a [u32],
}

impl<M: SteppedModel> Skins<'_, M> {
    /// Fills `out`, the vertices of these bodies, in tasks of one body.
    fn write(self, out: SkinPart<'_>) {
        match (self.models, self.kept) {
            ([], _) => {}
            ([_], [kept]) if kept.is_valid => out.copy_from(&kept.frame),
            ([model], _) => model.write_skin(out),
            (models, _) => {
                let half = models.len() / 2;
                let (first, others) = out.split((self.starts[half] - self.starts[0]) as usize);
                let one = Self {
                    models: &models[..half],
                    kept: &self.kept[..half],
                    starts: &self.starts[..=half],
                };
                let other = Self {
                    models: &models[half..],
                    kept: &self.kept[half..],
                    starts: &self.starts[half..],
                };
                rayon::join(|| one.write(first), || other.write(others));
            }
        }
    }
}

impl<M: SteppedModel> BodyGroup<M> {
    /// Skins of all bodies, one after the other.
    pub(crate) fn write_skins(&self, out: &mut SurfaceFrame) {
        let vertices = self.starts.last().copied().unwrap_or(0);
        let skins = Skins {
            models: &self.models,
            kept: &self.kept,
            starts: &self.starts,
        };
        out.cut = None;
        skins.write(out.room_for(vertices as usize));
    }

    /// Writes the skins of bodies that fell asleep once, for all frames until they wake.
    pub(crate) fn keep_skins(&mut self) {
        let each = self.kept.par_iter_mut().zip(&self.models);
        each.zip(&self.rest).for_each(|((kept, model), rest)| {
            kept.follow(model, rest);
        });
    }

    /// Bodies were moved, asleep or not.
    pub(crate) fn forget_skins(&mut self) {
        self.kept.iter_mut().for_each(|kept| kept.is_valid = false);
    }
}
