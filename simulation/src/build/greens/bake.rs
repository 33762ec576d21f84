//! Bakes Green's functions, or takes them from the cache or from a file; opens a body before its columns are complete.

use std::sync::Arc;

use pliant_core::inspect::{Inspect, ParameterValue};
use pliant_quasistatic::bake::{
    BakeControl, ColumnJournal, Published, StageTimes, bake_controlled,
};
use pliant_quasistatic::{BakeError, GreensAsset, QuasistaticModel};

use super::from_file;
use crate::build::geometry::geometry_for;
use crate::build::job::{BuiltMethod, Job};
use crate::cache::journal::FileJournal;
use crate::error::BuildError;
use crate::parameters::{check_constraint_level, load_points, quasistatic_params};

/// Baked Green's functions and what their bake took.
pub struct BakedGreens {
    /// The Green's functions.
    pub asset: GreensAsset,
    /// Wall time of the stages of the bake; zero for a file.
    pub times: StageTimes,
    /// Number of boundary vertices, the held ones included.
    pub boundary_vertices: usize,
}

impl BakedGreens {
    /// Green's functions from a file, which took no time.
    pub(super) fn from_file(asset: GreensAsset) -> Self {
        Self {
            boundary_vertices: asset.skin.vertex_count(),
            times: StageTimes::default(),
            asset,
        }
    }
}

impl Job<'_> {
    /// Refuses a body that nothing holds.
    pub(crate) fn require_support(&self) -> Result<(), BuildError> {
        if self.setup.geometry.supports.is_empty() {
            let reason = "it needs a support: without one the body has no equilibrium\n  remedy: add a [[body.support]]";
            return Err(self.not_applicable("Unconstrained", reason));
        }
        Ok(())
    }

    /// The columns of the scene's file, where it names one.
    pub(super) fn asset_from_file(&self) -> Result<Option<GreensAsset>, BuildError> {
        let path = &self.setup.description.body.quasistatic.asset;
        let Some(path) = path else {
            return Ok(None);
        };
        let file = from_file::path_of(self.setup, path);
        let asset = from_file::read(self.setup, &file).map_err(|e| self.refused(&e))?;
        Ok(Some(asset))
    }

    /// Meshes and bakes. The outer error is one of meshing or of a file; the inner one is the solver's.
    pub(super) fn bake_greens(
        &self,
        control: &BakeControl<'_>,
    ) -> Result<Result<BakedGreens, BakeError>, BuildError> {
        let mut notes = Vec::new();
        let geometry = geometry_for(self.setup, self.method, &mut notes, self.progress)?;
        let params = quasistatic_params(self.setup);
        let (mut asset, times) = match bake_controlled(&geometry, &params, control) {
            Ok(baked) => baked,
            Err(BakeError::JournalUnwritable { path, reason }) => {
                return Err(BuildError::Unwritable {
                    file: path,
                    reason: format!("finished columns cannot be kept: {reason}"),
                });
            }
            Err(other) => return Ok(Err(other)),
        };
        notes.append(&mut asset.notes);
        asset.notes = notes;
        let boundary_vertices = geometry
            .greens_level
            .as_ref()
            .map_or(0, |mesh| mesh.boundary().node_of_vertex.len());
        Ok(Ok(BakedGreens {
            asset,
            times,
            boundary_vertices,
        }))
    }

    /// Green's functions, and whether they came from the cache or a file.
    pub(crate) fn quasistatic(
        &self,
        notes: &mut Vec<String>,
    ) -> Result<(GreensAsset, bool), BuildError> {
        self.require_support()?;
        if let Some(asset) = self.asset_from_file()? {
            return Ok((asset, true));
        }
        if let Some(wavelet) = self.setup.description.body.quasistatic.wavelet {
            return self.compressed(&wavelet, notes);
        }
        let params = quasistatic_params(self.setup);
        let key = self.key(pliant_quasistatic::bake::key(&self.setup.geometry, &params));
        if let Some(asset) = self.load_mapped(key, notes) {
            return Ok((asset, true));
        }
        let mut bake_notes = Vec::new();
        let geometry = geometry_for(self.setup, self.method, &mut bake_notes, self.progress)?;
        let columns_file = self.cache.columns_file(self.method.name(), key);
        let journal = columns_file.as_deref().map(FileJournal::new);
        let publish = |published| self.publish(published);
        let mut control = BakeControl {
            journal: journal
                .as_ref()
                .map(|journal| journal as &dyn ColumnJournal),
            ..BakeControl::new(self.progress)
        };
        if let Some((feed, _)) = &self.progressive {
            control.publish = Some(&publish);
            control.requests = Some(feed.requests());
        }
        let mut baked = bake_controlled(&geometry, &params, &control);
        if let Err(BakeError::JournalUnwritable { .. } | BakeError::JournalForeign { .. }) = &baked
        {
            // a cache that cannot be written is the same as none
            if let Some(columns_file) = &columns_file {
                let _ = std::fs::remove_file(columns_file);
            }
            control.journal = None;
            baked = bake_controlled(&geometry, &params, &control);
        }
        let (asset, _) = baked.map_err(|e| self.refused(&e))?;
        self.store(key, bake_notes, &asset.to_bytes(), notes);
        if let Some(columns_file) = columns_file {
            let _ = std::fs::remove_file(columns_file);
        }
        Ok((asset, false))
    }

    /// Opens a body that is still being baked as soon as everything but its columns is known; passes on its columns as they follow.
    fn publish(&self, published: Published) {
        let Some((feed, opened)) = &self.progressive else {
            return;
        };
        match published {
            Published::Asset(asset) => {
                // the same refusal comes again, with its reason, when the bake is done
                let Ok(model) = self.quasistatic_model(Arc::from(asset)) else {
                    return;
                };
                opened(BuiltMethod {
                    method: self.method,
                    model: Box::new(feed.open(model)),
                    seconds: 0.0,
                    from_cache: false,
                    notes: Vec::new(),
                });
            }
            Published::Columns(columns) => feed.send_columns(columns),
        }
    }

    /// The model of an asset. Columns from a file are scaled to the stiffness and density of the scene.
    pub(crate) fn quasistatic_model(
        &self,
        asset: Arc<GreensAsset>,
    ) -> Result<QuasistaticModel, BuildError> {
        let baked = asset.material;
        let mut model = QuasistaticModel::new(asset, &quasistatic_params(self.setup));
        let wanted = self.setup.geometry.material;
        for (name, baked, wanted) in [
            ("young", baked.elastic.young, wanted.elastic.young),
            ("density", baked.density, wanted.density),
        ] {
            if baked != wanted {
                let value = ParameterValue::Number(wanted);
                let set = model.set_parameter(name, value);
                set.map_err(|e| self.refused(&e))?;
            }
        }
        load_points(&mut model, self.setup).map_err(|e| self.refused(&e))?;
        check_constraint_level(&model, self.setup).map_err(|e| self.refused(&e))?;
        Ok(model)
    }
}
