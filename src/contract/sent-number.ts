/**
 * Numbers of a request as they were sent. JavaScript reads 9007199254740993 as 9007199254740992, and an error should
 * repeat what its client has written. Only errors are read in this way: numbers inside of objects are not found.
 */

/** The texts that a field was sent as: one, or one for each item of a list; none where it is not found. */
export type SentTexts = (name: string) => readonly string[];

/** The values of a query string, by names that are not percent-encoded. Cost: one pass for each name. */
export function sentInQuery(queryText: string): SentTexts {
  return (name) => {
    const before = `${name}=`;
    const pieces = queryText.split("&").filter((piece) => piece.startsWith(before));
    return pieces.flatMap((piece) => piece.slice(before.length).split(","));
  };
}

/** The number, or the beginning of a list, that stands behind a name. */
const numbersExpression = /\s*:\s*(?:(-?\d[\d.eE+-]*)|\[([^\]]*))/y;

/** The numbers of a JSON object. Cost: one pass for each name. */
export function sentInJson(bytes: Buffer): SentTexts {
  let json = "";
  return (name) => {
    json ||= bytes.toString();
    const quoted = JSON.stringify(name);
    for (let at = json.indexOf(quoted); at !== -1; at = json.indexOf(quoted, at + quoted.length)) {
      numbersExpression.lastIndex = at + quoted.length;
      const [, number, list] = numbersExpression.exec(json) ?? [];
      if (number !== undefined) return [number];
      if (list !== undefined) return list.split(",").map((item) => item.trim());
    }
    return [];
  };
}

/**
 * The text of a number that JavaScript does not hold exactly.
 *
 * @param place The place in a list; 0 outside of one.
 * @returns Undefined where the number is exact, or its text is not found.
 */
export function sentNumber(
  value: number,
  texts: SentTexts | undefined,
  name: string,
  place: number,
): string | undefined {
  if (Number.isSafeInteger(value) || texts === undefined) return undefined;
  const text = texts(name)[place];
  // The check is for texts that hold commas, and names that stand in several objects.
  return text !== undefined && Number(text) === value && text !== String(value) ? text : undefined;
}

/** TypeScript does not know it yet. Source: https://tc39.es/proposal-json-parse-with-source/ */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };

/** A number that an answer has exactly as this text. @param text A number of JSON. */
export function rawNumber(text: string): object {
  return rawJSON(text);
}
