"""Three methods under the same finger: forces, cost and how far their skins are apart.

    python examples/compare_methods.py [SECONDS]

The reference, the same scene on fine finite elements, takes most of the time: half a minute for the whole second.
"""

import sys

import pliant


def main() -> None:
    pad = pliant.Body.cuboid((0.2, 0.1, 0.2), 0.0125, material=pliant.Material(2e4, 0.0, damping_ratio=0.3), hold_lowest=0.01)
    finger = pliant.Tool.sphere("finger", 0.045, at=(0, 0.1, 0))
    # down by 12 mm and up again
    finger.along([0, 0.5, 1.0], [(0, 0.095, 0), (0, 0.083, 0), (0, 0.095, 0)], interpolation="smooth")
    scene = pliant.Scene("compare", bodies=[pad], tools=[finger], gravity=(0, 0, 0))
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    found = scene.compare(duration=seconds, reference="dynamic")

    print("method       largest force   off by   median frame")
    for name, run in found.runs.items():
        off = 100 * run.accuracy["force_error"]
        cost = sorted(run.cost_ms)[len(run.cost_ms) // 2]
        print(f"{name:<12} {run.figures['force_max_n']:10.3f} N {off:+8.1f} % {cost:10.3f} ms")
    nearest, cheapest = found.ranking
    print(f"nearest to the reference: {nearest}; cheapest: {cheapest}")
    for pair in found.pairs:
        print(f"{pair['a']} and {pair['b']}: at most {1e3 * pair['max']:.2f} mm apart")


if __name__ == "__main__":
    main()
