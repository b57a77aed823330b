import t from "tap";
import { excerptOf } from "../../../src/contract/errors.ts";
import { receivedCharactersMax } from "../../../src/contract/limits.ts";
import { publicKey, secretKey } from "../../support/signed-request.ts";

t.test("a short text is repeated as it is, a long one is cut", async (t) => {
  t.equal(excerptOf(""), "");
  const longest = "x".repeat(receivedCharactersMax);
  t.equal(excerptOf(longest), longest);
  t.equal(excerptOf(`${longest}y`), `${longest}…`);
});

t.test("keys are masked before the text is cut", async (t) => {
  t.equal(excerptOf(`a ${secretKey} b ${publicKey}`), "a svc_sec_… b svc_pub_…");
  const atTheEdge = `${"x".repeat(receivedCharactersMax - 20)} ${secretKey}`;
  t.notMatch(excerptOf(atTheEdge), secretKey.slice(8, 12));
});
