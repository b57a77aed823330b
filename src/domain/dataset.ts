/**
 * A checked snapshot in memory, before it is sorted and indexed: small tables as records, prices as unsorted columns.
 * Whoever makes a Dataset (reading files, generating a sample, a test) vouches that every reference in it resolves.
 */
import type { Instant } from "./instant.ts";
import type {
  CountyRecord,
  CropRecord,
  MarketRecord,
  MarketTypeRecord,
  ProductRecord,
  UnitCategoryRecord,
} from "./records.ts";

/** Which publication the records come from. */
export interface SnapshotIdentity {
  /** Sorts by time of publication and ends in the first 12 hex digits of the content hash. */
  readonly id: string;
  readonly createdAt: Instant;
  /** IANA name of a zone with a fixed offset; its calendar is the calendar of all days, weeks and months. */
  readonly timeZone: string;
  /** Milliseconds that clocks in `timeZone` are ahead of UTC. */
  readonly utcOffset: number;
  /** Id of the snapshot this one followed, null for the first. */
  readonly parent: string | null;
  readonly note: string | null;
  readonly attribution: readonly string[];
}

/** Code of a text that is not there, in columns that may be empty. Kept out of the dictionaries. */
export const noQualityGrade = 0xffff;
export const noNotes = 0xffff_ffff;

/** How many different texts the columns can tell apart. */
export const shortDictionarySizeMax = 0xffff;
export const notesDictionarySizeMax = 0xffff_ffff;

/** The prices in order of arrival. Every column has `rowCount` entries (uuids: four words each). */
export interface PriceTable {
  readonly rowCount: number;
  /** Four words a row, see uuid-words.ts. */
  readonly uuids: Uint32Array<SharedArrayBuffer>;
  /** Position in `Dataset.products`. */
  readonly products: Uint32Array<SharedArrayBuffer>;
  /** Position in `Dataset.markets`. */
  readonly markets: Uint32Array<SharedArrayBuffer>;
  readonly prices: Float64Array<SharedArrayBuffer>;
  /** Instants in milliseconds. */
  readonly recordedAt: Float64Array<SharedArrayBuffer>;
  readonly createdAt: Float64Array<SharedArrayBuffer>;
  readonly updatedAt: Float64Array<SharedArrayBuffer>;
  /** Codes of `unitNames`, `currencyCodes`, `sourceNames`, `gradeNames` and `noteTexts`. */
  readonly units: Uint16Array<SharedArrayBuffer>;
  readonly currencies: Uint16Array<SharedArrayBuffer>;
  readonly sources: Uint16Array<SharedArrayBuffer>;
  readonly grades: Uint16Array<SharedArrayBuffer>;
  readonly notes: Uint32Array<SharedArrayBuffer>;
  readonly unitNames: readonly string[];
  readonly currencyCodes: readonly string[];
  readonly sourceNames: readonly string[];
  readonly gradeNames: readonly string[];
  readonly noteTexts: readonly string[];
}

export interface Dataset {
  readonly snapshot: SnapshotIdentity;
  /** The small tables in the order of their files. */
  readonly counties: readonly CountyRecord[];
  readonly crops: readonly CropRecord[];
  readonly unitCategories: readonly UnitCategoryRecord[];
  readonly marketTypes: readonly MarketTypeRecord[];
  readonly products: readonly ProductRecord[];
  readonly markets: readonly MarketRecord[];
  readonly prices: PriceTable;
}
