import {
  Admission,
  type AdmissionLimits,
  admissionLimits,
  createAdmissionMemory,
} from "../../src/service/http/admission/admission.ts";

/** Limits of its own for one thread, with those that a test sets in place of the usual ones. */
export function testAdmission(given: Partial<AdmissionLimits> = {}): Admission {
  const limits = { ...admissionLimits({ total: 10_000, perAddress: 10_000 }), ...given };
  return new Admission(createAdmissionMemory(0), limits, 0);
}
