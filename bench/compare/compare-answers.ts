/** One answer, as far as two versions of the service must agree on it. */
export interface ComparedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Difference {
  readonly question: string;
  readonly field: string;
  readonly ours: string;
  readonly other: string;
}

/** Of a moment, a connection or a version of the code; the length is that of the body, which is compared itself. */
const ownHeaders = ["date", "etag", "x-request-id", "content-length", "transfer-encoding", "connection", "keep-alive"];

/** Figures that may differ by this, and what is random in an answer. */
const tolerance = 1e-6;
const tolerantFigures = /"(average_price|std_deviation)":(-?[\d.e+-]+)/g;
const requestId = /"request_id":"[^"]*"/;

/** The addresses of the style sheet and the script of pages, which name their content. */
const assetHash = /(?<=\/explore\/(?:style\.css|explorer\.js)\?)[0-9a-f]+/g;

const shownCharacters = 300;

/**
 * The first field in which two answers differ, if any.
 *
 * @param added Members of objects, with numbers or texts, that one of them has alone.
 */
export function compareAnswers(
  question: string,
  ours: ComparedAnswer,
  other: ComparedAnswer,
  added: readonly string[] = [],
): Difference[] {
  const shown = (found: unknown): string => String(found).slice(0, shownCharacters).replaceAll("\n", " ");
  const differ = (field: string, a: unknown, b: unknown): Difference[] => [
    { question, field, ours: shown(a), other: shown(b) },
  ];
  if (ours.status !== other.status) return differ("status", ours.status, other.status);
  // Whether an answer is compressed depends on its length, which members that are added change.
  const own = added.length === 0 ? ownHeaders : [...ownHeaders, "content-encoding"];
  const names = [...ours.headers.keys(), ...other.headers.keys()].filter((name) => !own.includes(name));
  for (const name of new Set(names)) {
    const [a, b] = [ours.headers.get(name), other.headers.get(name)];
    if (a !== b) return differ(name, a, b);
  }
  // A version of the code makes its own tags; whether there is one must not differ.
  const [tagA, tagB] = [ours.headers.get("etag"), other.headers.get("etag")];
  if ((tagA === null) !== (tagB === null)) return differ("etag", tagA, tagB);
  const addedMembers = new RegExp(`,"(?:${added.join("|")})":(?:"[^"]*"|[^,}]*)`, "g");
  const comparedText = ({ text }: ComparedAnswer): string => {
    const shared = added.length === 0 ? text : text.replaceAll(addedMembers, "");
    return shared.replace(requestId, "").replaceAll(assetHash, "");
  };
  const [a, b] = [comparedText(ours), comparedText(other)];
  if (a === b) return [];
  const [exactA, exactB] = [a, b].map((text) => text.replaceAll(tolerantFigures, '"$1":')) as [string, string];
  if (exactA !== exactB) {
    let at = 0;
    while (exactA[at] === exactB[at]) at++;
    const from = Math.max(0, at - 100);
    return differ("body", exactA.slice(from), exactB.slice(from));
  }
  const [figuresA, figuresB] = [a, b].map((text) => [...text.matchAll(tolerantFigures)]) as [
    RegExpExecArray[],
    RegExpExecArray[],
  ];
  for (const [at, figure] of figuresA.entries()) {
    const another = figuresB[at];
    if (Math.abs(Number(figure[2]) - Number(another?.[2])) > tolerance * (1 + Math.abs(Number(figure[2])))) {
      return differ("figure", figure[0], another?.[0]);
    }
  }
  return [];
}
