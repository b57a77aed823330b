/**
 * Writes the outlines of the counties as the charts draw them, from a GeoJSON file with a feature for each county,
 * whose property `code` is the number of the county. Neighbours share their borders: each border is simplified once.
 */
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { FeatureCollection, MultiPolygon, Polygon, Position } from "geojson";
import { feature } from "topojson-client";
import { topology } from "topojson-server";
import { presimplify, simplify } from "topojson-simplify";
import type { GeometryCollection, Topology } from "topojson-specification";
import { createProgram, runProgram } from "../src/cli/command.ts";
import { printReport } from "../src/cli/output.ts";

interface CountyProperties {
  readonly code: string;
}
type Counties = FeatureCollection<Polygon | MultiPolygon, CountyProperties>;

const root = resolve(import.meta.dirname, "..");
const file = "data/county-shapes/county-shapes.json";

/** Steps of a grid of which each end of a line is a point: about 550 m. */
const unitsPerDegree = 200;

/** Square degrees of the triangle that a point makes with its neighbours; points with less are left out. */
const leastTriangle = 0.0002;

/** Corner of the map, beyond all counties. */
const west = 33.8;
const north = 5.6;

const commandLine = "node scripts/run.js scripts/county-shapes.ts";

const program = createProgram(
  commandLine,
  "Makes the outlines of the counties that maps draw, from a GeoJSON file of OpenStreetMap's boundaries.",
  [`${commandLine} kenya_counties.geojson`],
)
  .argument("<file>", "GeoJSON with a feature for each county, whose property code is its number")
  .action(async (source: string) => {
    const counties = simplifyCounties(JSON.parse(await readFile(source, "utf8")));
    const shapes = counties.features
      .map(({ properties, geometry }) => shapeOf(Number(properties.code), geometry))
      .sort((a, b) => a.id - b.id);
    const box = boxOf(
      shapes.flatMap(({ box: [x = 0, y = 0, width = 0, height = 0] }) => [
        [x, y],
        [x + width, y + height],
      ]),
    );
    const lines = shapes.map((shape) => `    ${JSON.stringify(shape)}`);
    const text = `{
  "unitsPerDegree": ${unitsPerDegree},
  "west": ${west},
  "north": ${north},
  "box": ${JSON.stringify(box)},
  "counties": [
${lines.join(",\n")}
  ]
}
`;
    await writeFile(resolve(root, file), text);
    printReport(`${file} has ${lines.length} counties in ${text.length} bytes\n`);
  });

await runProgram(program);

function simplifyCounties(source: Counties): Counties {
  const shared = topology({ counties: source }) as Topology<{ counties: GeometryCollection<CountyProperties> }>;
  const simple = simplify(presimplify(shared), leastTriangle);
  return feature(simple, simple.objects.counties) as Counties;
}

function shapeOf(id: number, { type, coordinates }: Polygon | MultiPolygon) {
  const rings = (type === "Polygon" ? coordinates : coordinates.flat()).map(unitsOf);
  return { id, path: rings.map(pathOf).join(""), box: boxOf(rings.flat()) };
}

/** Whole units; the last point of a ring is its first and left out. */
function unitsOf(ring: readonly Position[]): number[][] {
  return ring
    .slice(0, -1)
    .map(([longitude = 0, latitude = 0]) => [
      Math.round((longitude - west) * unitsPerDegree),
      Math.round((north - latitude) * unitsPerDegree),
    ]);
}

/** Left, top, width and height of what holds some points. */
function boxOf(points: readonly (readonly number[])[]): number[] {
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis] as number)) as [number[], number[]];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
}

/** A closed path, each point relative to the one before, so that equal borders are equal lines. */
function pathOf(points: readonly (readonly number[])[]): string {
  let [x = 0, y = 0] = points[0] ?? [];
  let path = `M${x} ${y}l`;
  for (const [toX = 0, toY = 0] of points.slice(1)) {
    if (toX === x && toY === y) continue;
    const [dx, dy] = [toX - x, toY - y];
    path += `${path.endsWith("l") || dx < 0 ? "" : " "}${dx}${dy < 0 ? "" : " "}${dy}`;
    [x, y] = [toX, toY];
  }
  return `${path}z`;
}
