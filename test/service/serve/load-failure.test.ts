import t from "tap";
import { LoadFailedError, requireLayout } from "../../../src/engine/snapshots/load-failure.ts";

t.test(
  "a thread whose code is of another layout than the service's stores is refused, and says what to do",
  async (t) => {
    t.doesNotThrow(() => requireLayout(2, 2));
    t.throws(() => requireLayout(3, 2), LoadFailedError);
    t.throws(() => requireLayout(3, 2), { message: /layout 3.* layout 2: restart the service$/ });
  },
);
