//! The skins of all bodies in one frame.
//!
//! Each body writes its own vertices. The skin of a sleeping body is written once and then copied. A body that is cut writes a frame of its own, from which its skin and its cut surface are
//! copied.

use std::ops::Range;

use rayon::prelude::*;

use pliant_core::mesh::{SkinPart, SurfaceFrame};
use pliant_core::model::SteppedModel;

use crate::group::body_group::BodyGroup;
use crate::group::state::{CutDrawing, SleepingSkin};
use crate::merged_cut::RestingBody;

/// Bodies with their first vertices, and one past the last.
struct Skins<'a, M> {
    models: &'a [M],
    /// [`BodyGroup::sleeping_skins`]
    sleeping_skins: &'a [SleepingSkin],
    /// [`CutDrawing::frames`]; empty where no body is cut
    cut: &'a [SurfaceFrame],
    starts: &'a [u32],
}

impl<'a, M: SteppedModel> Skins<'a, M> {
    /// The frame that holds the skin of a body, where there is one: it sleeps or is cut.
    fn own(&self, body: usize) -> Option<&'a SurfaceFrame> {
        let sleeping = &self.sleeping_skins[body];
        match sleeping.is_valid {
            true => Some(&sleeping.frame),
            false => self.cut.get(body).filter(|_| self.models[body].draws_cut()),
        }
    }

    /// Fills `out`, the vertices of these bodies, with one task for each body.
    fn write(&self, bodies: Range<usize>, out: SkinPart<'_>) {
        let Range { start, end } = bodies;
        match end - start {
            0 => {}
            1 => match self.own(start) {
                Some(frame) => out.copy_from(frame),
                None => self.models[start].write_skin(out),
            },
            count => {
                let middle = start + count / 2;
                let vertices = self.starts[middle] - self.starts[start];
                let (first, others) = out.split(vertices as usize);
                rayon::join(
                    || self.write(start..middle, first),
                    || self.write(middle..end, others),
                );
            }
        }
    }
}

impl<M: SteppedModel> BodyGroup<M> {
    /// Skins of all bodies, one after the other, and the merged cut surface where one of them is cut.
    pub(crate) fn write_skins(&self, out: &mut SurfaceFrame) {
        let mut bodies = self.models.iter().zip(&self.sleeping_skins);
        let is_cut = bodies.any(|(model, sleeping)| match sleeping.is_valid {
            true => sleeping.frame.cut.is_some(),
            false => model.draws_cut(),
        });
        if is_cut {
            self.write_cut(out);
            return;
        }
        out.cut = None;
        self.write_all(&self.skins(&[]), out);
    }

    fn skins<'a>(&'a self, cut: &'a [SurfaceFrame]) -> Skins<'a, M> {
        Skins {
            models: &self.models,
            sleeping_skins: &self.sleeping_skins,
            cut,
            starts: &self.starts,
        }
    }

    fn write_all(&self, skins: &Skins<'_, M>, out: &mut SurfaceFrame) {
        let part = out.room_for(self.skin.vertex_count());
        skins.write(0..self.models.len(), part);
    }

    /// Skins, and the surface of all bodies, whole or cut.
    fn write_cut(&self, out: &mut SurfaceFrame) {
        let mut unshared;
        let mut shared = self.drawing.try_lock();
        let CutDrawing { merged, frames } = match &mut shared {
            Ok(drawing) => &mut **drawing,
            // somebody else draws this group: a thread of the pool must not wait for that
            Err(_) => {
                unshared = CutDrawing::default();
                &mut unshared
            }
        };
        frames.resize_with(self.models.len(), SurfaceFrame::default);
        let each = frames
            .par_iter_mut()
            .zip(&self.models)
            .zip(&self.sleeping_skins);
        each.for_each(|((frame, model), sleeping)| {
            if !sleeping.is_valid && model.draws_cut() {
                model.write_surface(frame);
            }
        });
        let skins = self.skins(&frames[..]);
        self.write_all(&skins, out);
        let cut = |body: usize| skins.own(body).and_then(|frame| frame.cut.as_deref());
        let bodies = self.models.iter().zip(&self.homes).enumerate();
        let bodies = bodies.map(|(body, (model, home))| RestingBody {
            skin: model.surface(),
            home,
            cut: cut(body),
        });
        merged.update(&self.skin, bodies);
        merged.write((0..self.models.len()).map(cut), out);
    }

    /// Writes the skins of bodies that have fallen asleep, for all frames until they wake.
    pub(crate) fn update_sleeping_skins(&mut self) {
        let each = self.sleeping_skins.par_iter_mut().zip(&self.models);
        each.zip(&self.sleep)
            .for_each(|((sleeping, model), sleep)| {
                sleeping.update(model, sleep);
            });
    }

    /// After sleeping bodies were moved from outside: their skins have to be written anew.
    pub(crate) fn invalidate_sleeping_skins(&mut self) {
        self.sleeping_skins
            .iter_mut()
            .for_each(|sleeping| sleeping.is_valid = false);
    }
}
