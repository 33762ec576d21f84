//! What a window asks of the simulation.

use std::ffi::OsString;

use pliant_core::inspect::ParameterValue;
use pliant_core::material::Material;
use pliant_core::math::Vec3;
use pliant_core::scene::{Method, ViewDescription};

use crate::compare::advice::Goal;
use crate::scenes::ImportOptions;

/// A request to the simulation thread; carried out between frames.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Open a scene or a mesh: a bundled name or a path, as [`crate::scenes::load`] takes it. The old one runs on until the new skin is there.
    Open {
        /// Name or path.
        source: OsString,
        /// How to read a mesh.
        import: ImportOptions,
    },
    /// Open the scene that is shown once more, as its files are now. A changed file of the scene does the same by itself.
    Reload,
    /// Prepare the open scene again with another material of its first body, for all methods. The old one runs on until the new skin is there.
    SetMaterial(Material),
    /// Open the scene again with a blade that rests far from its bodies, if it has none, so that they are prepared for cutting. The old one runs on until the new skin is there.
    PrepareForCutting,
    /// Run.
    Play,
    /// Stand still.
    Pause,
    /// One frame, then stand still: the next one of the timeline where the past is shown.
    Step,
    /// One frame back, then stand still.
    StepBack,
    /// To a frame of the timeline, counted from time zero; as near to it as it can be reached. Playing goes on from there: it repeats what the hand did, until
    /// the hand takes hold again.
    Seek(u64),
    /// Whether the timeline is repeated from its beginning when it is over.
    Loop(bool),
    /// Back to rest at time zero; the timeline begins anew.
    Reset,
    /// Where the tool that follows the pointer is, m; `None` gives it back to its script.
    MoveTool(Option<Vec3>),
    /// Hold skin vertices at their present mean displacement, which follows the pointer from now on.
    Grab {
        /// Skin vertices, ascending.
        vertices: Vec<u32>,
        /// Displacement from rest, m.
        displacement: Vec3,
    },
    /// Move what is held.
    MoveGrab(Vec3),
    /// Pull at skin vertices with a force, which is none at first and follows [`Command::MovePull`].
    Pull {
        /// Skin vertices, ascending.
        vertices: Vec<u32>,
    },
    /// The force of the pull on all of its vertices together, N, which is reached within some frames.
    MovePull(Vec3),
    /// Let go of what is held or pulled.
    Release,
    /// Move the edge of the blade in the hand to between these ends, m; the first move takes it up there. Methods that can be cut are cut by what it sweeps.
    MoveBlade([Vec3; 2]),
    /// Lift the blade.
    LiftBlade,
    /// Switch gravity on or off in a scene that has none.
    SetGravity(bool),
    /// Set a parameter of one method.
    SetParameter {
        /// The method.
        method: Method,
        /// Name of the parameter.
        name: String,
        /// New value.
        value: ParameterValue,
    },
    /// Look for the method and the settings that suit the open scene, in the background; what was found before is forgotten.
    Advise(Goal),
    /// Give up looking.
    CancelAdvice,
    /// Prepare the advised method with the advised settings; its pane runs on until it can take their place.
    ApplyAdvice,
    /// Colour a method's skin by a quantity, or plainly.
    ShowQuantity {
        /// The method.
        method: Method,
        /// Name of the quantity.
        name: Option<String>,
    },
    /// Whether skins of more than [`MEASURED_ALWAYS`](crate::snapshot::MEASURED_ALWAYS) vertices are measured, too: their change of volume, and how far they are from each other.
    MeasureSkins(bool),
    /// Write the scene that runs as text, with the motion of the hand, and with a view of it if one is given: [`WorldSnapshot::written_scene`](crate::snapshot::WorldSnapshot::written_scene).
    WriteScene(Option<Box<ViewDescription>>),
    /// End the thread.
    Quit,
}

impl Command {
    /// Whether the hand takes hold or moves what it holds: the next frame shows it.
    pub const fn is_motion_of_hand(&self) -> bool {
        matches!(
            self,
            Self::MoveTool(Some(_))
                | Self::Grab { .. }
                | Self::MoveGrab(_)
                | Self::MovePull(_)
                | Self::MoveBlade(_)
        )
    }
}
