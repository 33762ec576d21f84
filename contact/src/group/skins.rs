//! The skins of all bodies in one frame.
//!
//! Each body writes its vertices where they belong. Those of a sleeping body are kept and copied, which costs no more than its bytes. A body that is cut writes a frame of its own, from which its skin and
//! its cut surface are copied.

use std::ops::Range;

use rayon::prelude::*;

use pliant_core::mesh::{SkinPart, SurfaceFrame};
use pliant_core::model::SteppedModel;

use crate::group::body_group::BodyGroup;
use crate::group::state::{CutDrawing, KeptSkin};
use crate::merged_cut::RestingBody;

/// Bodies with their first vertices, and one past the last.
struct Skins<'a, M> {
    models: &'a [M],
    kept: &'a [KeptSkin],
    /// [`CutDrawing::frames`]; empty where no body is cut
    cut: &'a [SurfaceFrame],
    starts: &'a [u32],
}

impl<'a, M: SteppedModel> Skins<'a, M> {
    /// The frame of a body that has one of its own.
    fn own(&self, body: usize) -> Option<&'a SurfaceFrame> {
        let kept = &self.kept[body];
        match kept.is_valid {
            true => Some(&kept.frame),
            false => self.cut.get(body).filter(|_| self.models[body].draws_cut()),
        }
    }

    /// Fills `out`, the vertices of these bodies, in tasks of one body.
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
        let mut bodies = self.models.iter().zip(&self.kept);
        let is_cut = bodies.any(|(model, kept)| match kept.is_valid {
            true => kept.frame.cut.is_some(),
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
            kept: &self.kept,
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
        let mut unshared = CutDrawing::default();
        let mut shared = self.drawing.try_lock();
        let CutDrawing { merged, frames } = match &mut shared {
            Ok(drawing) => &mut **drawing,
            // somebody else draws this group at the moment: a thread of the pool must not wait for that
            Err(_) => &mut unshared,
        };
        frames.resize_with(self.models.len(), SurfaceFrame::default);
        let each = frames.par_iter_mut().zip(&self.models).zip(&self.kept);
        each.for_each(|((frame, model), kept)| {
            if !kept.is_valid && model.draws_cut() {
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
        merged.follow(&self.skin, bodies);
        merged.write((0..self.models.len()).map(cut), out);
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
