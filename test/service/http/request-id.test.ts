import t from "tap";
import { requestIdFor } from "../../../src/service/http/request/read-request.ts";
import { publicKey, secretKey } from "../../support/signed-request.ts";

t.test("a plain name of 1 to 64 characters is kept", async (t) => {
  for (const id of ["a", "0", "A.b-c_d", "x".repeat(64), "svc_other_1"]) t.equal(requestIdFor(id), id);
});

t.test("anything else is replaced by a new UUID, keys and signatures above all", async (t) => {
  const bad = [
    "",
    "x".repeat(65),
    "a b",
    "a\n",
    "é",
    "a/b",
    publicKey,
    `x.${secretKey}`,
    "svc_sec_x",
    publicKey.toUpperCase(),
    "0123456789abcdef".repeat(4),
    "0123456789ABCDEF".repeat(4),
  ];
  const ids = bad.map(requestIdFor);
  for (const id of ids) t.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  t.equal(new Set(ids).size, bad.length);
});
