const byteUnits = ["B", "kB", "MB", "GB", "TB"] as const;

/** `9.3 MB`: three digits, units of 1000. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit + 1 < byteUnits.length) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? value : Number(value.toPrecision(3))} ${byteUnits[unit]}`;
}
