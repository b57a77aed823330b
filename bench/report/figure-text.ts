/** Figures as people read them: three digits that mean something, with the unit that fits. */

/** `850 ns`, `12.3 µs`, `4.56 ms`, `1.23 s` */
export function durationText(microseconds: number): string {
  if (microseconds < 1) return `${digits(microseconds * 1000)} ns`;
  if (microseconds < 1000) return `${digits(microseconds)} µs`;
  if (microseconds < 1e6) return `${digits(microseconds / 1000)} ms`;
  return `${digits(microseconds / 1e6)} s`;
}

/** `12.3×` */
export function ratioText(ratio: number): string {
  return `${digits(ratio)}×`;
}

/** `2.50 KiB`, `356 MiB`, `1.23 GiB` */
export function bytesText(bytes: number): string {
  const mebibytes = bytes / 2 ** 20;
  if (mebibytes < 1) return `${digits(bytes / 2 ** 10)} KiB`;
  return mebibytes < 1024 ? `${digits(mebibytes)} MiB` : `${digits(mebibytes / 1024)} GiB`;
}

/** `100 k`, `1 M` */
export function countText(count: number): string {
  if (count % 1e6 === 0) return `${count / 1e6} M`;
  return count % 1e3 === 0 ? `${count / 1e3} k` : String(count);
}

function digits(value: number): string {
  if (value >= 99.95) return value.toFixed(0);
  return value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}
