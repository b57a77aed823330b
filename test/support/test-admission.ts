import {
  Admission,
  type AdmissionLimits,
  admissionLimits,
  createPlaceFigures,
  type PlaceFigures,
  type PlaceKind,
  readPlaces,
} from "../../src/service/http/admission/admission.ts";
import {
  ConnectionCounts,
  type ConnectionLimit,
  createConnectionMemory,
} from "../../src/service/http/connection/connection-counts.ts";

const figuresOf = new WeakMap<Admission, PlaceFigures>();

/**
 * Places of its own for one thread, with limits that a test sets in place of the usual ones.
 *
 * @param now The clock of turns in milliseconds; that of the process when absent.
 */
export function testAdmission(limits: Partial<AdmissionLimits> = {}, now?: () => number): Admission {
  const figures = createPlaceFigures(1);
  const admission = new Admission({ ...admissionLimits(1), ...limits }, figures, 1, now);
  figuresOf.set(admission, figures);
  return admission;
}

/** The places of a kind: those that are held, and how often one more was refused. */
export function placesOf(admission: Admission, kind: PlaceKind): ReturnType<typeof readPlaces> {
  return readPlaces(figuresOf.get(admission) as PlaceFigures, kind);
}

/** Counts of connections of its own for one thread. */
export function testConnections(limit: ConnectionLimit = { total: 10_000, perAddress: 10_000 }): ConnectionCounts {
  return new ConnectionCounts(createConnectionMemory(0), limit, 0);
}
