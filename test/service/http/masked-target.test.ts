import t from "tap";
import { loggedTargetCharactersMax } from "../../../src/contract/limits.ts";
import { loggedTarget, maskTarget } from "../../../src/service/http/request/read-request.ts";
import { processorMilliseconds } from "../../support/processor-time.ts";
import { publicKey, secretKey } from "../../support/signed-request.ts";

const signature = "0123456789abcdef".repeat(4);

/** Every character percent-encoded, so many times. */
function encode(text: string, times: number): string {
  if (times === 0) return text;
  const encoded = text.replace(/./g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return encode(encoded, times - 1);
}

t.test("an ordinary target stays as it was sent", async (t) => {
  for (const target of ["/", "*", "/api/v1/products?search=a%20b&page=2", "/api/v1/%2F%ZZ%", "/?x=%C3%A9%7F%00"]) {
    t.equal(maskTarget(target), target);
  }
  for (const target of ["/%63rops?%73eason=%2b%7e", "/%2563rops?%25%37%33eason=%252B", "/%25", "/%2525", "/svc_pub_"]) {
    t.equal(maskTarget(target), target);
  }
});

t.test("keys and signatures are masked, encoded or not", async (t) => {
  t.equal(maskTarget(`/a?k=${secretKey}&l=${publicKey}/`), "/a?k=svc_sec_…&l=svc_pub_…/");
  t.equal(maskTarget(`/${secretKey.replaceAll("_", "%5F").replace("Key", "%4b%65%79")}%2F`), "/svc_sec_…%2F");
  t.equal(maskTarget(`/a?X-Signature=${signature}`), "/a?X-Signature=…");
  t.equal(maskTarget(`/%C3%A9%3d${signature}%3d${secretKey}%3D`), "/%C3%A9%3d…%3dsvc_sec_…%3D");
});

t.test("encoded more than once, wholly or in part", async (t) => {
  for (const times of [1, 2, 3, 5]) {
    t.equal(maskTarget(`/a?k=${encode(secretKey, times)}&l=m`), "/a?k=svc_sec_…&l=m");
    t.equal(maskTarget(`/a?k=${encode(signature, times)}&l=m`), "/a?k=…&l=m");
    const percent = `%${"25".repeat(times)}`;
    t.equal(maskTarget(`/${secretKey.replaceAll("_", `${percent}5F`)}/x`), "/svc_sec_…/x");
    t.equal(maskTarget(`/${signature.replaceAll("a", `${percent}61`)}/x`), "/…/x");
    t.equal(maskTarget(`/${secretKey.replaceAll("_", encode("%5f", times))}/x`), "/svc_sec_…/x");
  }
});

t.test("in upper and mixed case", async (t) => {
  const mixed = (text: string): string => text.replace(/[aceimost]/g, (character) => character.toUpperCase());
  for (const times of [0, 1, 2]) {
    t.equal(maskTarget(`/${encode(secretKey.toUpperCase(), times)}/x`), "/SVC_SEC_…/x");
    t.equal(maskTarget(`/${encode(mixed(publicKey), times)}/x`), "/SvC_pub_…/x");
    t.equal(maskTarget(`/${encode(signature.toUpperCase(), times)}/x`), "/…/x");
    t.equal(maskTarget(`/${encode(mixed(signature), times)}/x`), "/…/x");
  }
});

t.test("a signature is masked also with digits too many, and behind a lone percent sign", async (t) => {
  t.equal(maskTarget(`/${signature}0`), "/…");
  for (const percent of ["%", "%25", "%2525"]) {
    t.notMatch(maskTarget(`/?rate=100${percent}${signature}`), signature.slice(2));
  }
});

t.test("a key that runs into a signature is masked once", async (t) => {
  t.equal(maskTarget(`/svc_pub_${signature}/x`), "/svc_pub_…/x");
});

t.test("shorter hexadecimal texts are no signatures", async (t) => {
  for (const text of [signature.slice(3), "63ee0850-d07b-5001-9007-7b8ec8242380", "a".repeat(40)]) {
    t.equal(maskTarget(`/${text}`), `/${text}`);
  }
});

t.test("a long target is cut, and never in the middle of a secret that it shows", async (t) => {
  const room = loggedTargetCharactersMax - 10;
  const whole = `/${"x".repeat(loggedTargetCharactersMax - 1)}`;
  t.equal(maskTarget(whole), whole);
  t.equal(maskTarget(`${whole}y`), `${whole}…`);
  t.equal(maskTarget(`/${".".repeat(room - 1)}${signature}`), `/${".".repeat(room - 1)}…`);
  t.equal(maskTarget(`/${".".repeat(room - 1)}${secretKey}`), `/${".".repeat(room - 1)}svc_sec_…`);
  const { length } = maskTarget(encode("é".repeat(3000), 2));
  t.equal(length, loggedTargetCharactersMax + 1);
});

t.test("targets that are encoded very often take no time", async (t) => {
  const start = processorMilliseconds();
  for (let time = 0; time < 20; time++) maskTarget(`/%${"25".repeat(8000)}41${"%".repeat(100)}`);
  t.ok(processorMilliseconds() - start < 1000);
});

t.test("the log has where somebody is to a tenth of a degree, however it is written", async (t) => {
  const cases = [
    ["/m?near=-0.33142,35.94268", "/m?near=-0.3,35.9"],
    ["/m?q=a&near=-0.33142%2C35.94268&lang=sw", "/m?q=a&near=-0.3,35.9&lang=sw"],
    ["/m?n%65ar=-0.33142,35.94268", "/m?near=-0.3,35.9"],
    ["/m?near=-0.3314212,35.942681212", "/m?near=…"],
    ["/m?near=%FF", "/m?near=…"],
    ["/m?search=near%3D1.23456", "/m?search=near%3D1.23456"],
    ["/near=1.23456?a=b", "/near=1.23456?a=b"],
    ["/m?nearest=1.23456", "/m?nearest=1.23456"],
  ] as const;
  for (const [sent, logged] of cases) t.equal(loggedTarget(sent), logged);
  t.equal(loggedTarget(`/m?near=1,2&k=${secretKey}`), "/m?near=1.0,2.0&k=svc_sec_…");
});
