/*
 * Pliant: real-time deformable bodies.
 *
 * SI units: metres, kilograms, seconds, newtons, pascals. Right-handed axes, y up; world
 * coordinates. Forces of a tool are those on the tool; those of supports and grabs act on the body.
 *
 * Every function gives a status. Where that is not PLIANT_STATUS_OK, pliant_last_error has the words,
 * a thread for itself. Handles are numbers in structures: copy them, free each once. A null handle
 * (zeros), one that was freed and one of another kind are errors; so are null pointers. What is
 * written through a pointer is left as it is where a call fails, but for handles, which become null.
 *
 * Text is UTF-8 and ends with NUL. Buffers are those of the caller, and are not kept.
 *
 * Calls may come from any thread. Those that use the same world wait for each other.
 *
 * Written by `cargo xtask header` from ffi/src: do not edit.
 */

#ifndef PLIANT_H
#define PLIANT_H

#include <stddef.h>
#include <stdint.h>

/**
 * Version of this interface. A program that was compiled with another one may not work: compare it
 * with pliant_abi_version.
 */
#define PLIANT_ABI_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/**
 * How a call ends. Everything but PLIANT_STATUS_OK leaves words for pliant_last_error and a code
 * for pliant_last_error_code. Later versions may add values.
 */
typedef int32_t PliantStatus;
enum {
    /** It did what it says. */
    PLIANT_STATUS_OK = 0,
    /** A pointer that has to point to something is null. */
    PLIANT_STATUS_NULL_POINTER = 1,
    /** The handle is null, was freed, or is of another kind. */
    PLIANT_STATUS_INVALID_HANDLE = 2,
    /** Text is not UTF-8. */
    PLIANT_STATUS_NOT_UTF8 = 3,
    /**
     * An argument cannot be used: a number that is not finite or out of range, a vertex that is not
     * there, a key or value that cannot be read.
     */
    PLIANT_STATUS_INVALID_ARGUMENT = 4,
    /** The buffer is too small. The size that is needed was written to the count. */
    PLIANT_STATUS_BUFFER_TOO_SMALL = 5,
    /**
     * No tool, support, probe, parameter or quantity has this name; a ray hits nothing; no name has
     * this number.
     */
    PLIANT_STATUS_NOT_FOUND = 6,
    /** The method has nothing of the kind: the quasistatic method has no energies. */
    PLIANT_STATUS_NOT_AVAILABLE = 7,
    /** The scene, its mesh or its material is wrong, or the method cannot run it. */
    PLIANT_STATUS_BUILD_FAILED = 8,
    /** A frame could not be computed. The world keeps its last good frame. */
    PLIANT_STATUS_STEP_FAILED = 9,
    /** The progress callback cancelled the work. */
    PLIANT_STATUS_CANCELLED = 10,
    /** A fault of Pliant, or a process that was forked after Pliant began to compute. */
    PLIANT_STATUS_INTERNAL = 11
};

/** A method. */
typedef int32_t PliantMethod;
enum {
    /** Explicit tetrahedral finite elements over levels of detail: large deformation, swinging. */
    PLIANT_METHOD_ADAPTIVE = 0,
    /** Precomputed Green's functions: forces of a held body that does not swing. */
    PLIANT_METHOD_QUASISTATIC = 1,
    /** Shape matching of a voxel lattice: any mesh, many bodies, fracture. */
    PLIANT_METHOD_LATTICE = 2
};

/** Whose names pliant_world_name gives. */
typedef int32_t PliantName;
enum {
    /** Tools. */
    PLIANT_NAME_TOOL = 0,
    /** Supports. */
    PLIANT_NAME_SUPPORT = 1,
    /** Probes. */
    PLIANT_NAME_PROBE = 2,
    /** Parameters of the model. */
    PLIANT_NAME_PARAMETER = 3,
    /** Quantities of the model. */
    PLIANT_NAME_QUANTITY = 4,
    /** What was repaired or assumed while the world was built: sentences, not names. */
    PLIANT_NAME_NOTE = 5
};

/** A body: its mesh, what it is made of and what holds it. Zeros are the null handle. */
typedef struct PliantBody {
    /** Which one; 0 for none. */
    uint64_t id;
} PliantBody;

/** A rigid tool: its shape and where it begins. Zeros are the null handle. */
typedef struct PliantTool {
    /** Which one; 0 for none. */
    uint64_t id;
} PliantTool;

/** A scene: bodies, tools, gravity. Zeros are the null handle. */
typedef struct PliantScene {
    /** Which one; 0 for none. */
    uint64_t id;
} PliantScene;

/** A scene whose skin is there. Zeros are the null handle. */
typedef struct PliantPrepared {
    /** Which one; 0 for none. */
    uint64_t id;
} PliantPrepared;

/** One method on one scene. Zeros are the null handle. */
typedef struct PliantWorld {
    /** Which one; 0 for none. */
    uint64_t id;
} PliantWorld;

/** A world at one instant. Zeros are the null handle. */
typedef struct PliantSnapshot {
    /** Which one; 0 for none. */
    uint64_t id;
} PliantSnapshot;

/** Energies of a world after a frame, J. */
typedef struct PliantEnergy {
    /** Kinetic energy. */
    double kinetic;
    /** Strain energy, zero at rest. */
    double elastic;
    /** Potential energy of gravity, zero at rest. */
    double potential;
    /** Lost to damping and contact so far. */
    double dissipated;
    /** Put in by tools, grabs and loads so far. */
    double work;
    /** kinetic + elastic + potential + dissipated - work: zero where nothing is lost or made. */
    double balance;
} PliantEnergy;

/** What a frame did. */
typedef struct PliantFrameReport {
    /** Work units spent. */
    uint64_t work_units;
    /** Deepest penetration or largest distance from a held target at the end of the frame, m. */
    double max_violation;
    /** Wall time of the model and its contact, ms. */
    double cost_ms;
    /** Steps taken inside the frame. */
    uint32_t substeps;
    /** 1 where quality was given up to stay in the budget, 0 else. */
    int32_t is_degraded;
} PliantFrameReport;

/**
 * Is told about long work, on the thread that called: what is done now and the finished share of
 * that, 0 to 1; at first "begin" and 0, at last "done" and 1. Gives 0 to go on, anything else to
 * cancel. The text is valid during the call. It must not throw; it may call functions of this
 * interface.
 */
typedef int32_t (*PliantProgress)(void *user_data, const char *stage, double fraction);

/* ---- About this library, and errors ---- */

/** Version of the library, for example "0.1.0". Never null. */
const char *pliant_version(void);

/**
 * Version of this interface in the library that runs: PLIANT_ABI_VERSION of the header that it was
 * built with.
 */
uint32_t pliant_abi_version(void);

/**
 * What went wrong in the last call of this thread that failed: the thing, the place and, after a
 * line break, the remedy, in UTF-8. Empty where none has failed yet, never null. Valid until the
 * next call of this thread that fails.
 */
const char *pliant_last_error(void);

/**
 * The same as a code for programs, that of the command line's JSON: "FileNotFound", "UnknownKey",
 * "ToolTooSharp". Empty where no call has failed yet, never null. Valid as long.
 */
const char *pliant_last_error_code(void);

/**
 * From now on no vector instructions but what every machine has: the same bits on all of them,
 * slower. Call it before worlds are built.
 */
PliantStatus pliant_use_portable_kernels(void);

/* ---- Bodies ---- */

/**
 * Makes a body of the solid that a closed surface bounds: vertex_count positions (x, y, z), m, and
 * triangle_count triangles of three vertex numbers from 0, counter-clockwise from outside. The
 * buffers are copied. What is no solid is mended, or refused when the scene is built.
 */
PliantStatus pliant_body_from_triangles(
    const char *name,
    const float *positions,
    size_t vertex_count,
    const uint32_t *triangles,
    size_t triangle_count,
    PliantBody *body);

/** The same with positions in double precision. */
PliantStatus pliant_body_from_triangles_f64(
    const char *name,
    const double *positions,
    size_t vertex_count,
    const uint32_t *triangles,
    size_t triangle_count,
    PliantBody *body);

/**
 * Makes a body of tetrahedra of a mesher of your own: node_count nodes (x, y, z), m, and
 * tetrahedron_count tetrahedra of four node numbers from 0, each with positive volume. Their
 * boundary is the skin, cut finer where it is coarse. The buffers are copied.
 */
PliantStatus pliant_body_from_tetrahedra(
    const char *name,
    const double *nodes,
    size_t node_count,
    const uint32_t *tetrahedra,
    size_t tetrahedron_count,
    PliantBody *body);

/**
 * Makes a body of the solid in a mesh file: OBJ, STL, PLY, OFF, glTF, Gmsh, VTK, TetGen, Medit,
 * Abaqus. Coordinates are metres with y up, unless pliant_body_set says otherwise ("mesh.units",
 * "mesh.up", "mesh.longest"). The file is read when the scene is built.
 */
PliantStatus pliant_body_from_file(const char *path, PliantBody *body);

/**
 * Makes a body of Pliant's own: "sphere", "torus", "kidney", "liver", "penguin", "rabbit" and more.
 * Its name is that of the shape.
 */
PliantStatus pliant_body_procedural(const char *shape, PliantBody *body);

/**
 * Makes a box around the origin with these sides along x, y and z, m, in cells of about edge
 * metres.
 */
PliantStatus pliant_body_box(
    const char *name,
    const double sides[3],
    double edge,
    PliantBody *body);

/**
 * What it is made of: Young's modulus, Pa; Poisson's ratio; density, kg/m3; damping ratio of the
 * lowest elastic mode. Soft tissue of 20 kPa if nothing is said. Numbers out of range are refused
 * when the scene is built.
 */
PliantStatus pliant_body_set_material(
    PliantBody body,
    double young,
    double poisson,
    double density,
    double damping_ratio);

/** Scales it so that its longest side has this length, m. */
PliantStatus pliant_body_set_longest(PliantBody body, double length);

/** Puts it onto y = 0. */
PliantStatus pliant_body_set_on_floor(PliantBody body);

/**
 * Sets any key of a body in a scene file, with dots between tables; the value is written as there:
 * "lattice.cells_longest" and "16", "mesh.units" and "\"mm\"". docs/scenes.md has all keys. One
 * that does not exist is refused when the scene is built.
 */
PliantStatus pliant_body_set(PliantBody body, const char *key, const char *value);

/** Frees a body. Scenes to which it was added keep their copy. A null handle frees nothing. */
PliantStatus pliant_body_free(PliantBody body);

/* ---- What holds a body ---- */

/** Holds everything below this share of the height, 0 to 1, for good, under the name "foot". */
PliantStatus pliant_body_hold_lowest(PliantBody body, double share);

/** Holds what is in a box at rest, m, for good. */
PliantStatus pliant_body_hold_box(
    PliantBody body,
    const char *name,
    const double min[3],
    const double max[3]);

/** Holds what is in a ball at rest, m, for good. */
PliantStatus pliant_body_hold_sphere(
    PliantBody body,
    const char *name,
    const double center[3],
    double radius);

/** Holds what lies at rest on the side of a plane that its normal points to, m, for good. */
PliantStatus pliant_body_hold_half_space(
    PliantBody body,
    const char *name,
    const double point[3],
    const double normal[3]);

/**
 * Holds vertices by their numbers, for good. They are those of the skin: of a mesh that has to be
 * mended they may be others than those of the file.
 */
PliantStatus pliant_body_hold_vertices(
    PliantBody body,
    const char *name,
    const uint32_t *vertices,
    size_t vertex_count);

/* ---- Tools ---- */

/**
 * Makes a ball with this radius, m, that begins at a place, m. A moving tool needs a radius of one
 * and a half mean edges of the skin.
 */
PliantStatus pliant_tool_sphere(
    const char *name,
    double radius,
    const double at[3],
    PliantTool *tool);

/**
 * Makes a cylinder with round ends along its y axis: radius and half the distance between the
 * centres of the ends, m.
 */
PliantStatus pliant_tool_capsule(
    const char *name,
    double radius,
    double half_length,
    const double at[3],
    PliantTool *tool);

/**
 * Makes a cylinder with flat ends along its y axis: radius and half the distance between the ends,
 * m.
 */
PliantStatus pliant_tool_cylinder(
    const char *name,
    double radius,
    double half_length,
    const double at[3],
    PliantTool *tool);

/** Makes a box with these sides and with edges of this rounding, m. */
PliantStatus pliant_tool_box(
    const char *name,
    const double sides[3],
    double rounding,
    const double at[3],
    PliantTool *tool);

/** Makes everything below y = height, m. */
PliantStatus pliant_tool_floor(const char *name, double height, PliantTool *tool);

/**
 * Makes a blade, which cuts what its edge sweeps and does not push. The edge lies along its x axis,
 * the back is towards its y axis: length of the edge, from edge to back, thickness, m.
 */
PliantStatus pliant_tool_blade(
    const char *name,
    double length,
    double height,
    double thickness,
    const double at[3],
    PliantTool *tool);

/** Coulomb friction with a coefficient while sticking and one while sliding, 0 to 10. */
PliantStatus pliant_tool_set_friction(PliantTool tool, double sticking, double sliding);

/**
 * Bodies stick to the tool: what it has pushed moves with it in all directions. It releases the
 * body when it pulls with more than pull, N, 0 to 1e6, or INFINITY for never. It can stick again
 * once it has left the body.
 */
PliantStatus pliant_tool_set_sticky(PliantTool tool, double pull);

/**
 * The same, but each vertex is released by itself when the tool pulls at it along its normal with
 * more than pull, N, 0 to 1e6: the body comes off from the edge. A vertex can stick again once the
 * tool has left it.
 */
PliantStatus pliant_tool_set_bonded(PliantTool tool, double pull);

/**
 * Follows a path, unless the program moves it: key_count rising times, s, and as many positions (x,
 * y, z), m, with constant velocity between them. orientations has as many quaternions (w, x, y, z),
 * or is null. is_looping: 0, or 1 to begin anew after the last key.
 */
PliantStatus pliant_tool_set_path(
    PliantTool tool,
    const double *times,
    const double *positions,
    const double *orientations,
    size_t key_count,
    int32_t is_looping);

/**
 * Pokes the highest free place of the body, 4 % of its diagonal deep but at most a third of its
 * height, every four seconds, unless the program moves it.
 */
PliantStatus pliant_tool_set_poking(PliantTool tool);

/** Frees a tool. Scenes to which it was added keep their copy. A null handle frees nothing. */
PliantStatus pliant_tool_free(PliantTool tool);

/* ---- Scenes ---- */

/** Makes an empty scene with earth's gravity and sixty frames a second. */
PliantStatus pliant_scene_new(const char *name, PliantScene *scene);

/**
 * Makes a scene of the text of a scene file (TOML, docs/scenes.md). Its relative paths count from
 * the current folder.
 */
PliantStatus pliant_scene_parse(const char *text, PliantScene *scene);

/**
 * Makes a scene of a scene file (.toml), of a bundled scene by name ("poke", "liver"), or of a mesh
 * file: the body then stands on its foot, 0.3 m long, and a ball pokes it from above.
 */
PliantStatus pliant_scene_load(const char *source, PliantScene *scene);

/** Adds a copy of a body as it is now. */
PliantStatus pliant_scene_add_body(PliantScene scene, PliantBody body);

/** Adds a copy of a tool as it is now. */
PliantStatus pliant_scene_add_tool(PliantScene scene, PliantTool tool);

/** Gravity, m/s2. */
PliantStatus pliant_scene_set_gravity(PliantScene scene, const double gravity[3]);

/** Frames a second; a method takes as many steps inside a frame as it needs. */
PliantStatus pliant_scene_set_frame_rate(PliantScene scene, double rate);

/**
 * Sets any key of the scene's own tables in a scene file, with dots between tables; the value is
 * written as there. docs/scenes.md has all keys. One that does not exist is refused when the scene
 * is built.
 */
PliantStatus pliant_scene_set(PliantScene scene, const char *key, const char *value);

/**
 * Keeps baked assets in a folder, so that they are baked once. Without it every build bakes anew. A
 * folder that cannot be written is the same as none.
 */
PliantStatus pliant_scene_set_cache(PliantScene scene, const char *folder);

/** Frees a scene. What was built of it stays. A null handle frees nothing. */
PliantStatus pliant_scene_free(PliantScene scene);

/* ---- Building worlds ---- */

/**
 * Builds one method on a scene: meshes, bakes (or takes from the cache), and puts everything at
 * rest. It may take seconds to minutes. progress may be null; else it is told twenty times a second
 * and can cancel (PLIANT_STATUS_CANCELLED; what a bake had finished in a cache is kept).
 */
PliantStatus pliant_scene_build(
    PliantScene scene,
    PliantMethod method,
    PliantProgress progress,
    void *user_data,
    PliantWorld *world);

/**
 * Reads or makes the skin and resolves everything that refers to it: what all methods share. Worlds
 * of several methods that are built of it have the same skin.
 */
PliantStatus pliant_scene_prepare(
    PliantScene scene,
    PliantProgress progress,
    void *user_data,
    PliantPrepared *prepared);

/** Builds one method on a prepared scene, as pliant_scene_build does. */
PliantStatus pliant_prepared_build(
    PliantPrepared prepared,
    PliantMethod method,
    PliantProgress progress,
    void *user_data,
    PliantWorld *world);

/** Frees a prepared scene. Worlds that were built of it stay. A null handle frees nothing. */
PliantStatus pliant_prepared_free(PliantPrepared prepared);

/* ---- Stepping worlds, going back ---- */

/**
 * Advances by one frame of pliant_world_frame_duration. The same calls give the same bits, for any
 * number of threads.
 */
PliantStatus pliant_world_step(PliantWorld world);

/**
 * Advances by as many frames as fit into seconds of a game's clock, and keeps the rest for the next
 * call; their number goes to frames, which may be null. It never takes more than four at once and
 * lets go of what is left then, so that a slow game slows down instead of standing still.
 */
PliantStatus pliant_world_advance(PliantWorld world, double seconds, size_t *frames);

/** Back to rest at time zero. */
PliantStatus pliant_world_reset(PliantWorld world);

/** Physical time, s. */
PliantStatus pliant_world_time(PliantWorld world, double *seconds);

/** Length of a frame, s. */
PliantStatus pliant_world_frame_duration(PliantWorld world, double *seconds);

/** What the last frame did: steps, work, what was given up, deepest violation. */
PliantStatus pliant_world_report(PliantWorld world, PliantFrameReport *report);

/**
 * Energies after the last frame, J. PLIANT_STATUS_NOT_AVAILABLE for the quasistatic method and
 * before the first frame.
 */
PliantStatus pliant_world_energy(PliantWorld world, PliantEnergy *energy);

/** Takes a snapshot of everything that changes from frame to frame, for undo and for rollback. */
PliantStatus pliant_world_snapshot(PliantWorld world, PliantSnapshot *snapshot);

/**
 * Back to a snapshot of this world, or of one that was built in the same way. The same calls then
 * give the same bits.
 */
PliantStatus pliant_world_restore(PliantWorld world, PliantSnapshot snapshot);

/** Frees a snapshot. A null handle frees nothing. */
PliantStatus pliant_snapshot_free(PliantSnapshot snapshot);

/** Frees a world; a call of another thread that uses it ends first. A null handle frees nothing. */
PliantStatus pliant_world_free(PliantWorld world);

/* ---- Moving tools, grabbing, pushing; forces ---- */

/**
 * Moves a tool to a place, m, during the next frame; it stays there until it is moved again. A jump
 * of more than a fifth of the body touches nothing.
 */
PliantStatus pliant_world_move_tool(PliantWorld world, const char *tool, const double position[3]);

/** The same with an orientation, a quaternion (w, x, y, z), which is made a unit one. */
PliantStatus pliant_world_pose_tool(
    PliantWorld world,
    const char *tool,
    const double position[3],
    const double orientation[4]);

/** Gives a tool back to its path, or to the tool that carries it. */
PliantStatus pliant_world_release_tool(PliantWorld world, const char *tool);

/**
 * Where a tool was at the end of the last frame: position, m, and orientation (w, x, y, z). Either
 * may be null.
 */
PliantStatus pliant_world_tool_pose(
    PliantWorld world,
    const char *tool,
    double position[3],
    double orientation[4]);

/** Force on the tool, N: what a hand that holds it feels. Zero before the first frame. */
PliantStatus pliant_world_tool_force(PliantWorld world, const char *tool, double force[3]);

/** Force, N, and torque about the tool's origin, N m, on the tool. Either may be null. */
PliantStatus pliant_world_tool_wrench(
    PliantWorld world,
    const char *tool,
    double force[3],
    double torque[3]);

/**
 * Force, N, and torque about the tool's origin, N m, on a tool together with those that it carries.
 * Either may be null.
 */
PliantStatus pliant_world_wrench_with_carried(
    PliantWorld world,
    const char *tool,
    double force[3],
    double torque[3]);

/**
 * Force of a support on the body, or on all bodies of its kind together, N. Of several supports of
 * one name it is that of the first.
 */
PliantStatus pliant_world_support_force(PliantWorld world, const char *support, double force[3]);

/**
 * Takes hold of skin vertices as they lie now, and moves them by displacement, m, from there. The
 * frame in which they are taken hold of keeps them where they are. Call it again with the same
 * vertices to move on. One grab at a time.
 */
PliantStatus pliant_world_grab(
    PliantWorld world,
    const uint32_t *vertices,
    size_t vertex_count,
    const double displacement[3]);

/**
 * The same with a displacement (x, y, z), m, of its own for each vertex: as many as vertices, and
 * in their order. Equal displacements give the same bits as pliant_world_grab, and both may be
 * called in turn with the same vertices. A vertex that is named with two different displacements is
 * an error.
 */
PliantStatus pliant_world_grab_each(
    PliantWorld world,
    const uint32_t *vertices,
    const double *displacements,
    size_t vertex_count);

/** Lets go of what pliant_world_grab or pliant_world_grab_each holds. */
PliantStatus pliant_world_release_grab(PliantWorld world);

/** Force of the hand of pliant_world_grab or pliant_world_grab_each on the body, N. */
PliantStatus pliant_world_grab_force(PliantWorld world, double force[3]);

/**
 * Pushes a skin vertex with a force, N, during the next frame; call it in every frame in which it
 * pushes.
 */
PliantStatus pliant_world_push(PliantWorld world, uint32_t vertex, const double force[3]);

/* ---- Surfaces, for drawing ---- */

/**
 * Buffers are the caller's. With a null buffer, only the number of rows goes to count. A buffer
 * that has place for too few (capacity, in rows) is left as it is, and count says how many are
 * needed. Where a buffer is given, count may be null.
 */

/**
 * Positions (x, y, z) of the skin's vertices now, m. The skin of a body has more vertices than its
 * mesh where that is coarse or was mended.
 */
PliantStatus pliant_world_positions(
    PliantWorld world,
    float *positions,
    size_t capacity,
    size_t *count);

/** Unit outward normals (x, y, z) of the skin's vertices now. */
PliantStatus pliant_world_normals(
    PliantWorld world,
    float *normals,
    size_t capacity,
    size_t *count);

/**
 * Vertices of the skin's triangles, three numbers each, counter-clockwise from outside. They never
 * change.
 */
PliantStatus pliant_world_triangles(
    PliantWorld world,
    uint32_t *triangles,
    size_t capacity,
    size_t *count);

/**
 * The same as pliant_world_positions of what there is to be seen: the skin, or where a body has
 * broken or was cut, all pieces with their cut faces. Numbers of vertices and triangles change when
 * something is cut.
 */
PliantStatus pliant_world_drawn_positions(
    PliantWorld world,
    float *positions,
    size_t capacity,
    size_t *count);

/** Unit outward normals (x, y, z) of the vertices of pliant_world_drawn_positions. */
PliantStatus pliant_world_drawn_normals(
    PliantWorld world,
    float *normals,
    size_t capacity,
    size_t *count);

/** Triangles of the vertices of pliant_world_drawn_positions, three numbers each. */
PliantStatus pliant_world_drawn_triangles(
    PliantWorld world,
    uint32_t *triangles,
    size_t capacity,
    size_t *count);

/** Displacement of a skin vertex from rest, m. */
PliantStatus pliant_world_displacement(PliantWorld world, uint32_t vertex, double displacement[3]);

/** The skin vertex that is nearest to a place at rest, m. */
PliantStatus pliant_world_nearest_vertex(
    PliantWorld world,
    const double place[3],
    uint32_t *vertex);

/**
 * Where a ray from origin, m, first hits the skin as it is now: how far along it in lengths of
 * direction, and the triangle; either may be null. PLIANT_STATUS_NOT_FOUND where it hits nothing.
 */
PliantStatus pliant_world_pick(
    PliantWorld world,
    const double origin[3],
    const double direction[3],
    double *distance,
    uint32_t *triangle);

/* ---- Names, probes, parameters, quantities ---- */

/**
 * The name of a tool, support, probe, parameter or quantity by its number from 0, in UTF-8 with NUL
 * at its end; PLIANT_STATUS_NOT_FOUND past the last one. capacity and count are bytes, that of NUL
 * included; a null buffer asks for count alone.
 */
PliantStatus pliant_world_name(
    PliantWorld world,
    PliantName kind,
    size_t index,
    char *name,
    size_t capacity,
    size_t *count);

/**
 * Value of a probe of the scene after the last frame, m: a displacement or a position, as the scene
 * says. Zero before the first frame.
 */
PliantStatus pliant_world_probe(PliantWorld world, const char *probe, double value[3]);

/**
 * Sets a parameter of the model that acts at once; the value is written as in a scene file:
 * "damping_ratio" and "0.1".
 */
PliantStatus pliant_world_set_parameter(
    PliantWorld world,
    const char *parameter,
    const char *value);

/**
 * A quantity now, for colouring: a number for each skin vertex; for few quantities one for each
 * point inside. "surface_stress" and "surface_strain" come first, which every method has; then
 * those of the model, "von_mises_stress" for example. Buffers as in pliant_world_positions.
 */
PliantStatus pliant_world_quantity(
    PliantWorld world,
    const char *quantity,
    float *values,
    size_t capacity,
    size_t *count);

#ifdef __cplusplus
}
#endif

#endif
