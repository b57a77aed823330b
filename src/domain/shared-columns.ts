/** Typed arrays over `SharedArrayBuffer`: any thread may attach to them without copying. */

/** @returns A zeroed column of `length` floating-point numbers. */
export function sharedFloat64(length: number): Float64Array<SharedArrayBuffer> {
  return new Float64Array(new SharedArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT));
}

/** @returns A zeroed column of `length` unsigned 32-bit numbers. */
export function sharedUint32(length: number): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(new SharedArrayBuffer(length * Uint32Array.BYTES_PER_ELEMENT));
}

/** @returns A zeroed column of `length` unsigned 16-bit numbers. */
export function sharedUint16(length: number): Uint16Array<SharedArrayBuffer> {
  return new Uint16Array(new SharedArrayBuffer(length * Uint16Array.BYTES_PER_ELEMENT));
}
