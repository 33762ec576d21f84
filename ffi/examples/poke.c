/*
 * Makes a pad of triangles, pokes it with a ball and prints what the ball feels.
 *
 * cargo build --release -p pliant-ffi
 * cc -std=c99 -I ffi/include ffi/examples/poke.c -o poke -L target/release -lpliant_ffi -Wl,-rpath,target/release
 * ./poke
 */

#include <stdio.h>
#include <stdlib.h>

#include "pliant.h"

/* Corners of a pad of 20 x 10 x 20 cm on y = 0, m, and its triangles, counter-clockwise from outside. */
static const float corners[] = {
    -0.1f, 0.0f, -0.1f,  0.1f, 0.0f, -0.1f,  0.1f, 0.0f, 0.1f,  -0.1f, 0.0f, 0.1f,
    -0.1f, 0.1f, -0.1f,  0.1f, 0.1f, -0.1f,  0.1f, 0.1f, 0.1f,  -0.1f, 0.1f, 0.1f,
};
static const uint32_t faces[] = {
    0, 1, 2,  0, 2, 3, /* below */
    4, 6, 5,  4, 7, 6, /* above */
    0, 4, 5,  0, 5, 1,  1, 5, 6,  1, 6, 2,
    2, 6, 7,  2, 7, 3,  3, 7, 4,  3, 4, 0,
};

/* Ends the program where a call fails, with its words. */
static void check(PliantStatus status)
{
    if (status != PLIANT_STATUS_OK) {
        fprintf(stderr, "error %d (%s): %s\n", (int)status, pliant_last_error_code(), pliant_last_error());
        exit(1);
    }
}

/* Tells how far a bake is; anything but 0 would cancel it. */
static int32_t on_progress(void *user_data, const char *stage, double fraction)
{
    (void)stage;
    (void)fraction;
    *(int *)user_data += 1;
    return 0;
}

/* Cuts every triangle into four: the corners alone are too coarse to be poked. */
static size_t refine(float *positions, size_t vertices, uint32_t *triangles, size_t *count)
{
    size_t before = *count;
    for (size_t t = 0; t < before; ++t) {
        uint32_t corner[3], middle[3];
        for (int k = 0; k < 3; ++k)
            corner[k] = triangles[3 * t + k];
        for (int k = 0; k < 3; ++k) {
            const float *a = positions + 3 * corner[k], *b = positions + 3 * corner[(k + 1) % 3];
            float m[3];
            size_t v = 0;
            for (int i = 0; i < 3; ++i)
                m[i] = 0.5f * (a[i] + b[i]);
            while (v < vertices
                && (positions[3 * v] != m[0] || positions[3 * v + 1] != m[1] || positions[3 * v + 2] != m[2]))
                ++v;
            if (v == vertices) {
                for (int i = 0; i < 3; ++i)
                    positions[3 * v + i] = m[i];
                ++vertices;
            }
            middle[k] = (uint32_t)v;
        }
        for (int k = 0; k < 3; ++k) {
            uint32_t *added = triangles + 3 * (*count);
            added[0] = corner[k];
            added[1] = middle[k];
            added[2] = middle[(k + 2) % 3];
            *count += 1;
            triangles[3 * t + k] = middle[k];
        }
    }
    return vertices;
}

int main(void)
{
    if (pliant_abi_version() != PLIANT_ABI_VERSION) {
        fprintf(stderr, "compiled for another version of Pliant than %s\n", pliant_version());
        return 1;
    }

    /* 12 triangles, halved three times: 768 with 386 vertices */
    static float positions[3 * 386];
    static uint32_t triangles[3 * 768];
    size_t vertices = sizeof corners / sizeof corners[0] / 3, count = sizeof faces / sizeof faces[0] / 3;
    for (size_t k = 0; k < 3 * vertices; ++k)
        positions[k] = corners[k];
    for (size_t k = 0; k < 3 * count; ++k)
        triangles[k] = faces[k];
    for (int k = 0; k < 3; ++k)
        vertices = refine(positions, vertices, triangles, &count);

    PliantBody pad;
    check(pliant_body_from_triangles("pad", positions, vertices, triangles, count, &pad));
    check(pliant_body_set_material(pad, 2e4, 0.3, 1000.0, 0.1));
    check(pliant_body_hold_lowest(pad, 0.1));
    check(pliant_body_set(pad, "lattice.cells_longest", "8"));

    PliantTool ball;
    const double start[3] = {0.0, 0.16, 0.0};
    check(pliant_tool_sphere("ball", 0.05, start, &ball));

    PliantScene scene;
    const double weightless[3] = {0.0, 0.0, 0.0};
    check(pliant_scene_new("poke", &scene));
    check(pliant_scene_add_body(scene, pad));
    check(pliant_scene_add_tool(scene, ball));
    check(pliant_scene_set_gravity(scene, weightless));
    pliant_tool_free(ball);
    pliant_body_free(pad);

    PliantWorld world;
    int told = 0;
    check(pliant_scene_build(scene, PLIANT_METHOD_LATTICE, on_progress, &told, &world));
    pliant_scene_free(scene);

    /* 10 mm into the pad in half a second */
    for (int frame = 1; frame <= 30; ++frame) {
        const double place[3] = {0.0, 0.15 - 0.01 * frame / 30.0, 0.0};
        check(pliant_world_move_tool(world, "ball", place));
        check(pliant_world_step(world));
    }
    double force[3];
    check(pliant_world_tool_force(world, "ball", force));
    printf("the pad pushes the ball with %.17g %.17g %.17g N\n", force[0], force[1], force[2]);

    /* the number first, then the buffer */
    size_t rows = 0;
    check(pliant_world_positions(world, NULL, 0, &rows));
    float *skin = malloc(rows * 3 * sizeof *skin);
    if (skin == NULL)
        return 1;
    check(pliant_world_positions(world, skin, rows, NULL));
    float highest = skin[1];
    for (size_t v = 1; v < rows; ++v)
        highest = skin[3 * v + 1] > highest ? skin[3 * v + 1] : highest;
    printf("%zu vertices, the highest at %.4f m\n", rows, highest);
    free(skin);

    /* an error that a program goes on after */
    PliantStatus status = pliant_world_move_tool(world, "thumb", start);
    if (status == PLIANT_STATUS_NOT_FOUND)
        printf("as expected: %s\n", pliant_last_error());
    check(pliant_world_free(world));
    status = pliant_world_step(world);
    printf("a freed world: %s\n", status == PLIANT_STATUS_INVALID_HANDLE ? pliant_last_error() : "steps?!");
    return status == PLIANT_STATUS_INVALID_HANDLE ? 0 : 1;
}
