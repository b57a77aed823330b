/** A request's unit of requests in flight, which `recordAtEnd` releases at its end. */

import { serviceUnavailable } from "../../../contract/errors.ts";
import type { Context, RequestState } from "../context.ts";
import { type Admission, keyedPool, keylessPool, type Pool } from "./admission.ts";

/** The pool of a request whose key has been checked, or that needs none. */
export function poolOf({ principal }: RequestState): Pool {
  return principal === undefined ? keylessPool : keyedPool;
}

/** @throws {ApiError} SERVICE_UNAVAILABLE. */
export function admitRequest({ state }: Context, admission: Admission): void {
  state.isAdmitted = admission.acquire(poolOf(state).requests, admission.slotsOf(state.client));
  if (!state.isAdmitted) {
    throw serviceUnavailable("Too many requests are being answered; try again after Retry-After seconds.");
  }
}
