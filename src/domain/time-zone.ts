/** First and last year over which a zone must keep one offset to count as fixed. */
const yearFirst = 1990;
const yearLast = 2060;

/** Zones asked for before: the answer takes some 1,700 look-ups and never changes within a process. */
const knownOffsets = new Map<string, number>();

/**
 * The offset of a time zone whose clocks never change.
 *
 * Source: the time zone database that the JavaScript engine carries, asked for the 1st and 15th of every month of
 * 1990 to 2060, so that any daylight saving or change of the law within those years shows.
 *
 * @param zone A name of the IANA time zone database, for example `Africa/Nairobi`.
 * @returns Milliseconds that local clocks are ahead of UTC, or undefined when the zone is unknown or its offset changes.
 */
export function fixedUtcOffset(zone: string): number | undefined {
  const offset = knownOffsets.get(zone) ?? findFixedOffset(zone);
  if (offset !== undefined) knownOffsets.set(zone, offset);
  return offset;
}

function findFixedOffset(zone: string): number | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "longOffset" });
  } catch {
    return undefined;
  }
  const first = offsetText(format, Date.UTC(yearFirst, 0, 1));
  for (let year = yearFirst; year <= yearLast; year++) {
    for (let month = 0; month < 12; month++) {
      for (const day of [1, 15]) {
        if (offsetText(format, Date.UTC(year, month, day)) !== first) return undefined;
      }
    }
  }
  return offsetMilliseconds(first);
}

function offsetText(format: Intl.DateTimeFormat, instant: number): string {
  return format.formatToParts(instant).find((part) => part.type === "timeZoneName")?.value ?? "";
}

function offsetMilliseconds(text: string): number {
  const match = /^GMT(?:([+-])(\d{2}):(\d{2}))?$/.exec(text);
  if (match === null) throw new Error(`time zone offset is "${text}", expected GMT or GMT±hh:mm`);
  const [, sign, hours = "0", minutes = "0"] = match;
  return (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === "-" ? -1 : 1);
}
