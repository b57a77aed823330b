import t from "tap";
import { baseUrlOf } from "../../../src/engine/model/base-url.ts";

t.test("names, addresses of both families and wildcards make URLs that this machine reaches", async (t) => {
  t.equal(baseUrlOf("localhost", 3000), "http://localhost:3000");
  t.equal(baseUrlOf("192.0.2.7", 80), "http://192.0.2.7:80");
  t.equal(baseUrlOf("::1", 3000), "http://[::1]:3000");
  t.equal(baseUrlOf("0.0.0.0", 4000), "http://127.0.0.1:4000");
  t.equal(baseUrlOf("::", 4000), "http://127.0.0.1:4000");
});
