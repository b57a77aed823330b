import fc from "fast-check";
import t from "tap";
import { generateKey, keyDigest, keyKindOf, keyKinds, maskKeys } from "../../../src/contract/credentials.ts";
import { publicKey, secretKey } from "../../support/signed-request.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";

t.test("keyKindOf knows keys whose checksums were computed elsewhere", async (t) => {
  t.equal(keyKindOf(publicKey), "public");
  t.equal(keyKindOf(secretKey), "secret");
});

t.test("a generated key is a key of its kind, with at least 160 random bits, and new each time", async (t) => {
  for (const kind of keyKinds) {
    const keys = Array.from({ length: 200 }, () => generateKey(kind));
    t.ok(keys.every((key) => keyKindOf(key) === kind));
    t.equal(new Set(keys).size, keys.length);
    t.match(keys[0], kind === "public" ? /^svc_pub_[0-9A-Za-z]{33}$/ : /^svc_sec_[0-9A-Za-z]{33}$/);
  }
  t.ok(27 * Math.log2(62) >= 160);
});

t.test("a key with any one character changed is no key", async (t) => {
  for (let at = 0; at < secretKey.length; at++) {
    for (const character of alphabet) {
      const changed = secretKey.slice(0, at) + character + secretKey.slice(at + 1);
      if (changed !== secretKey && keyKindOf(changed) !== undefined) t.fail(`${changed} passes`);
    }
  }
  const change = fc.tuple(fc.constantFrom(...keyKinds), fc.nat(40), fc.integer({ min: 0, max: 0xffff }));
  fc.assert(
    fc.property(change, ([kind, at, code]) => {
      const key = generateKey(kind);
      const changed = key.slice(0, at) + String.fromCharCode(code) + key.slice(at + 1);
      return changed === key || keyKindOf(changed) === undefined;
    }),
  );
});

t.test("a key with two neighbours exchanged is no key", async (t) => {
  const key = publicKey;
  for (let at = 0; at + 1 < key.length; at++) {
    const exchanged = key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2);
    if (exchanged !== key && keyKindOf(exchanged) !== undefined) t.fail(`${exchanged} passes`);
  }
});

t.test("a key with more or less around it is no key", async (t) => {
  const texts = ["", "svc_sec_", secretKey.slice(0, -1), `${secretKey}0`, ` ${secretKey}`, `${secretKey}\n`];
  for (const text of [...texts, secretKey.toLowerCase(), secretKey.replace("sec", "pub"), secretKey.slice(8)]) {
    t.equal(keyKindOf(text), undefined, JSON.stringify(text));
  }
});

t.test("keyDigest is SHA-256 in lower-case hexadecimal", async (t) => {
  t.equal(keyDigest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "FIPS 180 example");
});

t.test("maskKeys leaves no key, whole or mistyped, in a text", async (t) => {
  t.equal(maskKeys(`{"a":"${publicKey}"} ${secretKey}x svc_sec_ab`), '{"a":"svc_pub_…"} svc_sec_… svc_sec_…');
  t.equal(maskKeys("no key: svc_sec_ svc_pub_… key_Ab12"), "no key: svc_sec_ svc_pub_… key_Ab12");
});
