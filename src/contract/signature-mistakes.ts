/**
 * Why a signature does not match: it is compared with those that usual mistakes make with the same key. The answer
 * names the mistake alone. A client without the key cannot make such a signature, so it learns nothing.
 */
import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { canonicalText, type SignedRequest } from "./credentials.ts";
import { apiPrefix } from "./paths.ts";

/** Ways to write the 32 bytes; the value is what a message says of them. */
const writings: readonly (readonly [form: RegExp, encoding: "hex" | "base64", says: string | undefined])[] = [
  [/^[0-9a-f]{64}$/, "hex", undefined],
  [/^[0-9a-f]{64}$/i, "hex", "in upper case"],
  [/^[\w+/-]{43}=?$/, "base64", "in base64"],
];

/** What may stand in front of them. */
const labelExpression = /^(?:hmac-)?sha-?256\s*[=: ]\s*|^v\d=/i;

/** Texts that are signed by mistake, and what a message says of each. */
const texts: readonly (readonly [says: string, textOf: (signed: SignedRequest) => Buffer])[] = [
  [
    "made with line feeds in place of |",
    ({ method, path, timestamp, body }) => joined("\n", method, path, timestamp, body),
  ],
  ["made with nothing in place of |", ({ method, path, timestamp, body }) => joined("", method, path, timestamp, body)],
  [`made of the path without ${apiPrefix}`, (of) => canonicalText({ ...of, path: of.path.replace(apiPrefix, "") })],
  ["made of the path without its query string", (of) => canonicalText({ ...of, path: of.path.replace(/\?.*/s, "") })],
  [
    "made of the hash of the body in place of the body",
    (of) => canonicalText({ ...of, body: Buffer.from(hash("sha256", of.body)) }),
  ],
  ["made without the body", (of) => canonicalText({ ...of, body: Buffer.alloc(0) })],
  ["made for GET", (of) => canonicalText({ ...of, method: "GET" })],
  ["made with the method in lower case", (of) => canonicalText({ ...of, method: of.method.toLowerCase() })],
];

function joined(separator: string, method: string, path: string, timestamp: string, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([method, path, timestamp, ""].join(separator), "latin1"), body]);
}

/**
 * The mistakes that make a signature of a request, in words; undefined where none does, or where it is right. Cost: two
 * dozen signatures.
 *
 * @param signature The header as it came.
 */
export function findMistake(signature: string, key: string, signed: SignedRequest): string | undefined {
  const plain = signature.trim().replace(labelExpression, "");
  const [, encoding, writing] = writings.find(([form]) => form.test(plain)) ?? [];
  if (encoding === undefined) return undefined;
  const digest = Buffer.from(plain, encoding);
  const written = [plain === signature ? undefined : "with a label", writing].filter((says) => says !== undefined);
  const right = ["", canonicalText] as const;
  const keyWithoutPrefix = key.replace(/^svc_[a-z]+_/, "");
  for (const [hmacKey, ofKey] of [
    [key, ""],
    [keyWithoutPrefix, "made with the key without its prefix"],
  ] as const) {
    for (const [says, textOf] of [right, ...texts]) {
      const expected = createHmac("sha256", hmacKey).update(textOf(signed)).digest();
      if (expected.length !== digest.length || !timingSafeEqual(expected, digest)) continue;
      const form = written.length === 0 ? "" : `written ${written.join(" and ")}`;
      return [form, ofKey, says].filter((one) => one !== "").join(" and ") || undefined;
    }
  }
  return undefined;
}
