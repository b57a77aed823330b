import t from "tap";
import { maskTarget } from "../../src/http/masked-target.ts";
import { publicKey, secretKey } from "../support/signed-request.ts";

const signature = "0123456789abcdef".repeat(4);

t.test("an ordinary target stays as it is, apart from needless encoding", async (t) => {
  for (const target of ["/", "*", "/api/v1/products?search=a%20b&page=2", "/api/v1/%2F%ZZ%", "/?x=%C3%A9%7F%00"]) {
    t.equal(maskTarget(target), target);
  }
  t.equal(maskTarget("/%63rops?%73eason=%2b%7e"), "/crops?season=%2b~");
});

t.test("keys and signatures are masked, encoded or not", async (t) => {
  t.equal(maskTarget(`/a?k=${secretKey}&l=${publicKey}/`), "/a?k=svc_sec_…&l=svc_pub_…/");
  t.equal(maskTarget(`/${secretKey.replaceAll("_", "%5F").replace("Key", "%4b%65%79")}`), "/svc_sec_…");
  t.equal(maskTarget(`/a?X-Signature=${signature}`), "/a?X-Signature=…");
});

t.test("other hexadecimal texts are no signatures", async (t) => {
  for (const text of [signature.slice(1), `${signature}0`, signature.toUpperCase()]) {
    t.equal(maskTarget(`/${text}`), `/${text}`);
  }
});
