import { createHmac } from "node:crypto";
import fc from "fast-check";
import t from "tap";
import {
  canonicalText,
  isSignature,
  type SignedRequest,
  SigningKey,
  signatureMatches,
  signRequest,
} from "../../../src/contract/credentials.ts";
import { secretKey, unknownSecretKey } from "../../support/signed-request.ts";

const key = new SigningKey(secretKey);

const request: SignedRequest = {
  method: "POST",
  path: "/api/v1/prices/search?x=1",
  timestamp: "1767225600",
  body: Buffer.from('{"county_id":47}'),
};

/**
 * Made with
 * `printf '%s' 'POST|/api/v1/prices/search?x=1|1767225600|{"county_id":47}' | openssl dgst -sha256 -hmac KEY`.
 */
const signature = "38a926277b93bfdf40f43dcdf15d4e403582bb552e80719e80497bbcd55adbc7";

t.test("a known key, time and body give the signature that openssl gives", async (t) => {
  t.equal(signRequest(secretKey, request), signature);
  t.equal(
    signRequest(secretKey, {
      ...request,
      path: "/api/v1/prices/search",
      body: Buffer.from([0xff, 0x00, 0x0a, 0x7c]),
    }),
    "b42f01e3e1cbdc0018851515a3142f86c90261f24080cb5478e4266951d69b0b",
    "a body that is not text",
  );
});

t.test("any key, also one longer than a block of SHA-256, and any request give what Node's Hmac gives", async () => {
  const requests = fc.record({
    method: fc.constantFrom("GET", "POST"),
    path: fc.string({ unit: "binary", maxLength: 200 }).map((text) => Buffer.from(text).toString("latin1")),
    timestamp: fc.nat().map(String),
    body: fc.uint8Array({ maxLength: 300 }),
  });
  const keys = fc.array(fc.string({ unit: "binary", maxLength: 150 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(keys, fc.array(requests, { minLength: 1, maxLength: 4 }), (secrets, signed) => {
      const pairs = secrets.map((secret) => ({ secret, signingKey: new SigningKey(secret) }));
      // In turns, so that a key that keeps something of a request is noticed.
      return signed.every((one) =>
        pairs.every(({ secret, signingKey }) => {
          const expected = createHmac("sha256", secret).update(canonicalText(one)).digest("hex");
          return expected === signingKey.sign(one) && signRequest(secret, one) === expected;
        }),
      );
    }),
  );
});

t.test("a path is signed byte for byte as it came, also where it is not ASCII", async (t) => {
  const path = Buffer.from("/api/v1/products?search=café").toString("latin1"); // as the HTTP parser gives UTF-8
  t.equal(
    signRequest(secretKey, { method: "GET", path, timestamp: "1767225600", body: new Uint8Array() }),
    "c19afe0858ed07814554792206e7416f2c0abc4351a6fc7535b887a9aeabfd32",
  );
});

t.test("canonicalText is method, path, time and body between bars", async (t) => {
  t.equal(canonicalText(request).toString(), 'POST|/api/v1/prices/search?x=1|1767225600|{"county_id":47}');
  t.equal(canonicalText({ ...request, method: "GET", body: new Uint8Array() }).at(-1), "|".charCodeAt(0));
});

t.test("a signature matches its own request and key only", async (t) => {
  t.ok(signatureMatches(signature, key, request));
  t.notOk(signatureMatches(signature, new SigningKey(unknownSecretKey), request));
  const others: SignedRequest[] = [
    { ...request, method: "GET" },
    { ...request, path: "/api/v1/prices/search?x=2" },
    { ...request, timestamp: "1767225601" },
    { ...request, body: Buffer.from('{"county_id": 47}') },
  ];
  for (const other of others) t.notOk(signatureMatches(signature, key, other));
});

t.test("only 64 lower-case hexadecimal digits are a signature", async (t) => {
  t.ok(isSignature(signature));
  const texts = [
    "",
    signature.toUpperCase(),
    signature.slice(1),
    `${signature}0`,
    `${signature}\n`,
    `0x${signature.slice(2)}`,
  ];
  for (const text of [...texts, "é".repeat(32), "é".repeat(64)]) {
    t.notOk(isSignature(text), JSON.stringify(text));
    t.notOk(signatureMatches(text, key, request), JSON.stringify(text));
  }
});

t.test("a signature with any one digit changed does not match", async () => {
  fc.assert(
    fc.property(fc.nat(63), fc.constantFrom(..."0123456789abcdef"), (at, digit) => {
      const changed = signature.slice(0, at) + digit + signature.slice(at + 1);
      return signatureMatches(changed, key, request) === (changed === signature);
    }),
  );
});
