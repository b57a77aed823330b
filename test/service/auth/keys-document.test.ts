import t from "tap";
import { keyDigest } from "../../../src/contract/credentials.ts";
import { KeysFileError, keysDocumentText, parseKeysDocument } from "../../../src/service/auth/keys-document.ts";
import { secretKey } from "../../support/signed-request.ts";

const first = {
  id: "key_first",
  kind: "public",
  label: "first",
  digest: keyDigest("first"),
  created_at: "2026-01-01T00:00:00.000Z",
  revoked_at: null,
};
const second = {
  id: "key_second",
  kind: "secret",
  label: "second",
  digest: keyDigest("second"),
  created_at: "2026-01-02T00:00:00.000Z",
  revoked_at: "2026-01-03T03:00:00+03:00",
};

/** What format 2 adds to every key. */
const added = { expires_at: null, rate_per_minute: null, rotated_from: null };
const addedRecord = { expiresAt: null, ratePerMinute: null, rotatedFrom: null };

/** A key that replaces `first`, with everything that a key can have. */
const third = {
  ...first,
  ...added,
  id: "key_third",
  digest: keyDigest("third"),
  expires_at: "2026-04-01T00:00:00.000Z",
  rate_per_minute: 6000,
  rotated_from: "key_first",
};

function parse(content: unknown) {
  const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.from(JSON.stringify(content));
  return parseKeysDocument("keys.json", bytes);
}

t.test("a keys document of format 1 is read in the order of the file", async (t) => {
  const [one, other] = [first, second].map(({ id, kind, label, digest }) => ({
    id,
    kind,
    label,
    digest,
    ...addedRecord,
  }));
  t.same(parse({ format: 1, keys: [first, second] }), [
    { ...one, createdAt: Date.UTC(2026, 0, 1), revokedAt: null },
    { ...other, createdAt: Date.UTC(2026, 0, 2), revokedAt: Date.UTC(2026, 0, 3) },
  ]);
});

t.test("a keys document of format 2 has expiry, rate and rotation", async (t) => {
  t.match(parse({ format: 2, keys: [{ ...first, ...added }, third] }), [
    { id: "key_first", ...addedRecord },
    { id: "key_third", expiresAt: Date.UTC(2026, 3, 1), ratePerMinute: 6000, rotatedFrom: "key_first" },
  ]);
});

t.test("what is written is read back, and looks as it should", async (t) => {
  const records = parse({ format: 2, keys: [{ ...first, ...added }, third] });
  const text = keysDocumentText(records);
  t.same(parse(text), records);
  t.same(JSON.parse(text), { format: 2, keys: [{ ...first, ...added }, third] });
  t.ok(text.endsWith("}\n"));
});

t.test("what was read of format 1 is written as format 2", async (t) => {
  const keys = [
    { ...first, ...added },
    { ...second, ...added, revoked_at: "2026-01-03T00:00:00.000Z" },
  ];
  t.same(JSON.parse(keysDocumentText(parse({ format: 1, keys: [first, second] }))), { format: 2, keys });
});

t.test("the key that another was rotated from may be gone from the file", async (t) => {
  t.match(parse({ format: 2, keys: [third] }), [{ rotatedFrom: "key_first" }]);
});

t.test("a file without keys, and one that begins with a byte order mark, are good", async (t) => {
  t.same(parse({ format: 1, keys: [] }), []);
  t.same(parse('\ufeff{"format":1,"keys":[]}'), []);
});

const faults: readonly (readonly [fault: string, content: unknown, message: string])[] = [
  ["empty", "", "its 0 bytes are not JSON in UTF-8"],
  ["truncated", '{"format":1,"keys":[', "its 20 bytes are not JSON in UTF-8"],
  ["an array", [], "an array, expected an object with format, keys"],
  ["null", null, "null, expected an object with format, keys"],
  ["a number", 7, "7, expected an object with format, keys"],
  ["without format", { keys: [] }, '"format" is missing, expected 1 or 2'],
  ["of a later format", { format: 3, keys: [] }, '"format" is 3, expected 1 or 2'],
  ["with a format in quotes", { format: "1", keys: [] }, '"format" is "1", expected 1 or 2'],
  ["without keys", { format: 1 }, '"keys" is missing, expected an array'],
  ["with keys as an object", { format: 1, keys: {} }, '"keys" is an object, expected an array'],
  ["with an unknown field", { format: 1, keys: [], salt: 1 }, 'field "salt", expected only format, keys'],
  ["with a field twice", '{"format":1,"keys":[],"keys":[]}', '"keys" stands twice in one object, expected once'],
];

const digestWanted = "expected 64 lower-case hexadecimal digits, unlike all before them";
const idWanted = "expected one that neither this key nor one before it was rotated from";
const rateWanted = "expected null or a whole number from 1 to 100000000";
const labelWanted = "expected 1 to 100 printable characters, not all blank, with no key in them";

/** Keys, the last of which has the fault; of format 2 where they have what it adds. */
const faultyKeys: readonly (readonly [fault: string, keys: readonly unknown[], message: string])[] = [
  ["no object", [first, "x"], '"x", expected an object with id, kind, label, digest, created_at, revoked_at'],
  [
    "with a field of a later version",
    [first, { ...second, expires_at: null }],
    'field "expires_at", expected only id, kind, label, digest, created_at, revoked_at',
  ],
  ["without a kind", [{ ...first, kind: undefined }], '"kind" is missing, expected "public" or "secret"'],
  ["of an unknown kind", [{ ...first, kind: "admin" }], '"kind" is "admin", expected "public" or "secret"'],
  [
    "with the id of another",
    [first, { ...second, id: "key_first" }],
    '"id" is "key_first", expected key_ and 1 to 32 letters or digits, unlike all before it',
  ],
  [
    "with the digest of another",
    [first, { ...second, digest: first.digest }],
    `"digest" is a text of 64 characters, ${digestWanted}`,
  ],
  [
    "with a digest in capitals",
    [{ ...first, digest: first.digest.toUpperCase() }],
    `"digest" is a text of 64 characters, ${digestWanted}`,
  ],
  [
    "in place of its digest",
    [{ ...second, digest: secretKey }],
    `"digest" is a text of 41 characters, ${digestWanted}`,
  ],
  ["with a label that is a list", [{ ...first, label: [] }], `"label" is an array, ${labelWanted}`],
  [
    "of a day that does not exist",
    [{ ...first, created_at: "2026-02-30T00:00:00Z" }],
    '"created_at" is "2026-02-30T00:00:00Z", expected an RFC 3339 time',
  ],
  ["with a creation that is null", [{ ...first, created_at: null }], '"created_at" is null, expected an RFC 3339 time'],
  [
    "with a revocation that is true",
    [{ ...first, revoked_at: true }],
    '"revoked_at" is true, expected null or an RFC 3339 time',
  ],
  [
    "without a field of its format",
    [{ ...first, ...added, expires_at: undefined }],
    '"expires_at" is missing, expected null or an RFC 3339 time',
  ],
  [
    "with an expiry that is no time",
    [{ ...first, ...added, expires_at: "90d" }],
    '"expires_at" is "90d", expected null or an RFC 3339 time',
  ],
  ["with a rate of 0", [{ ...third, rate_per_minute: 0 }], `"rate_per_minute" is 0, ${rateWanted}`],
  ["with a rate in quotes", [{ ...third, rate_per_minute: "60" }], `"rate_per_minute" is "60", ${rateWanted}`],
  [
    "rotated from what is no id",
    [{ ...third, rotated_from: 7 }],
    '"rotated_from" is 7, expected null or key_ and 1 to 32 letters or digits',
  ],
  ["rotated from itself", [{ ...third, id: "key_first" }], `"id" is "key_first", ${idWanted}`],
  ["rotated from a later one", [third, { ...first, ...added }], `"id" is "key_first", ${idWanted}`],
];

t.test("a key with a fault is refused by its place, and the fault named", async (t) => {
  for (const [fault, keys, wanted] of faultyKeys) {
    const format = "expires_at" in (keys[0] as object) ? 2 : 1;
    const message = `keys.json: key ${keys.length}: ${wanted}`;
    t.throws(() => parse({ format, keys }), { name: "KeysFileError", code: "KEYS_FILE_INVALID", message }, fault);
  }
});

for (const [fault, content, message] of faults) {
  t.test(`a keys document ${fault} is refused, and the fault named`, async (t) => {
    t.throws(() => parse(content), {
      name: "KeysFileError",
      code: "KEYS_FILE_INVALID",
      message: `keys.json: ${message}`,
    });
  });
}

t.test("a keys document that is not UTF-8 is refused", async (t) => {
  const bytes = Buffer.concat([Buffer.from('{"format":1,"keys":[],"'), Buffer.from([0xff]), Buffer.from('":1}')]);
  t.throws(() => parseKeysDocument("keys.json", bytes), { code: "KEYS_FILE_INVALID" });
});

t.test("no message quotes a key, wherever it was put by mistake", async (t) => {
  const places = [
    secretKey,
    `{"format":1,"keys":[${secretKey}]}`,
    { format: secretKey, keys: [] },
    { format: 1, keys: [], [secretKey]: 1 },
    { format: 1, keys: [secretKey] },
    `{"format":1,"keys":[],"${secretKey}":1,"${secretKey}":2}`,
    ...Object.keys(first).map((field) => ({ format: 1, keys: [{ ...first, [field]: secretKey }] })),
    ...Object.keys(third).map((field) => ({ format: 2, keys: [{ ...third, [field]: secretKey }] })),
  ];
  for (const place of places) {
    try {
      parse(place);
      t.fail(`${JSON.stringify(place)} passes`);
    } catch (error) {
      t.ok(error instanceof KeysFileError && !error.message.includes(secretKey) && error.cause === undefined);
    }
  }
});
