/** Where each county lies in the tile grid: data/reference/county-tiles.json, which this project drew. */
import tiles from "../../../data/reference/county-tiles.json" with { type: "json" };

export interface CountyTile {
  /** 1 to 47. */
  readonly id: number;
  readonly name: string;
  /** Three letters. */
  readonly abbreviation: string;
  /** Counted from 0, from the west and from the north. */
  readonly column: number;
  readonly row: number;
}

/** By id. */
export const countyTiles: readonly CountyTile[] = tiles;
