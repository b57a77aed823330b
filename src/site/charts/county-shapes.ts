/**
 * The outlines of the counties: data/county-shapes/county-shapes.json, a database derived from OpenStreetMap under the
 * ODbL 1.0. A map of them carries `shapesCredit`.
 */
import shapes from "../../../data/county-shapes/county-shapes.json" with { type: "json" };

export const shapesCredit = "© OpenStreetMap contributors, ODbL";

export interface CountyShape {
  /** 1 to 47. */
  readonly id: number;
  /** A closed SVG path, in units of the outlines, from the north-west. */
  readonly path: string;
  /** Left, top, width and height of what it fills. */
  readonly box: readonly number[];
}

/** By id. */
export const countyShapes: readonly CountyShape[] = shapes.counties;

/** As of a county. */
export const countryBox: readonly number[] = shapes.box;

/** In degrees, WGS 84. */
export interface MapPoint {
  readonly latitude: number;
  readonly longitude: number;
  readonly name: string;
}

/** In units of the outlines. */
export function shapePoint({ latitude, longitude }: MapPoint): readonly [x: number, y: number] {
  return [(longitude - shapes.west) * shapes.unitsPerDegree, (shapes.north - latitude) * shapes.unitsPerDegree];
}
