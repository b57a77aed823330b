/** The data page shows this of the folder of snapshots; the process around it reads that. */

/** A published snapshot that is still stored. */
export interface Publication {
  readonly id: string;
  /** RFC 3339, UTC. */
  readonly publishedAt: string;
  readonly note: string | null;
  /** The snapshot that it followed. */
  readonly parent: string | null;
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** Prices in its files that replace earlier ones: corrections, those of the snapshots that it followed included. */
  readonly replacedPrices: number;
}

/** A file that holds a table of a whole snapshot. */
export interface PublicationFile {
  readonly snapshot: string;
  readonly name: string;
  readonly bytes: number;
  readonly rows: number | null;
  readonly sha256: string;
}

export interface Publications {
  /** Newest first; null where the folder cannot be read. */
  readonly snapshots: readonly Publication[] | null;
  readonly files: readonly PublicationFile[];
  /** True if those of the snapshot that is served will be there soon. */
  readonly filesAreBeingMade: boolean;
}

/** Stands for publications on pages that do not show them. */
export const noPublications: Publications = { snapshots: null, files: [], filesAreBeingMade: false };
