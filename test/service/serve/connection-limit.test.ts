import t from "tap";
import {
  ConnectionLimitError,
  connectionLimit,
  readDescriptorLimit,
} from "../../../src/service/serve/connection-limit.ts";
import { lacksLinux } from "../../support/why-skipped.ts";

const unset = { connectionsMax: undefined, connectionsPerAddressMax: undefined, threadCount: 2 };

/** With how many descriptors eight connections are possible. */
function leastDescriptors(): number {
  for (let descriptors = 1; ; descriptors++) {
    try {
      t.equal(connectionLimit(unset, descriptors).total, 8);
      return descriptors;
    } catch (error) {
      if (!(error instanceof ConnectionLimitError)) throw error;
    }
  }
}

t.test("connections are what the limit of open files leaves, up to a default", async (t) => {
  const { total, perAddress } = connectionLimit(unset, 1024);
  const downloads = 256 + 64;
  t.ok(total > 800 - downloads && total < 1024 - 80 - downloads, `${total}`);
  t.equal(perAddress, Math.ceil(total / 4));
  t.strictSame(connectionLimit(unset, 1_000_000), { total: 10_000, perAddress: 2500 });
  t.strictSame(connectionLimit(unset, undefined), { total: 10_000, perAddress: 2500 });
  t.ok(connectionLimit({ ...unset, threadCount: 8 }, 1024).total < total, "threads need files as well");
});

t.test("what is asked for is given, or refused with the numbers", async (t) => {
  t.strictSame(connectionLimit({ ...unset, connectionsMax: 50_000 }, 100_000), { total: 50_000, perAddress: 12_500 });
  t.strictSame(connectionLimit({ ...unset, connectionsPerAddressMax: 500 }, undefined), {
    total: 10_000,
    perAddress: 500,
  });
  t.throws(() => connectionLimit({ ...unset, connectionsMax: 2000 }, 1024), ConnectionLimitError);
  t.throws(() => connectionLimit({ ...unset, connectionsMax: 800 }, 1024), ConnectionLimitError, "without downloads");
  t.throws(() => connectionLimit({ ...unset, threadCount: 64 }, 1400), { message: /expected at least \d+: 64 conn/ });
  t.throws(() => connectionLimit(unset, 64), { message: /may open 64 files, expected at least \d+: 8 connections/ });
});

t.test("a limit is never exceeded, by connections with a download on each of them", async (t) => {
  const least = leastDescriptors();
  t.throws(() => connectionLimit(unset, least - 1), ConnectionLimitError);
  const kept = least - 16;
  for (let descriptors = least; descriptors < 2500; descriptors++) {
    const { total } = connectionLimit(unset, descriptors);
    const held = kept + total + Math.min(total, 320);
    if (held > descriptors || held < descriptors - 1) t.fail(`${descriptors}: ${total} connections need ${held}`);
  }
});

t.test("the limit of open files is that of this process", { skip: lacksLinux }, async (t) => {
  t.ok(((await readDescriptorLimit()) ?? 0) > 16);
});
