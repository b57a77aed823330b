import t from "tap";
import { ConnectionLimitError, connectionLimit, readDescriptorLimit } from "../../src/serve/connection-limit.ts";

const unset = { connectionsMax: undefined, connectionsPerAddressMax: undefined, threadCount: 2 };

t.test("connections are what the limit of open files leaves, up to a default", (t) => {
  const { total, perAddress } = connectionLimit(unset, 1024);
  t.ok(total > 800 && total < 1024 - 80, `${total}`);
  t.equal(perAddress, Math.ceil(total / 4));
  t.strictSame(connectionLimit(unset, 1_000_000), { total: 10_000, perAddress: 2500 });
  t.strictSame(connectionLimit(unset, undefined), { total: 10_000, perAddress: 2500 });
  t.ok(connectionLimit({ ...unset, threadCount: 8 }, 1024).total < total, "threads need files as well");
  t.end();
});

t.test("what is asked for is given, or refused with the numbers", (t) => {
  t.strictSame(connectionLimit({ ...unset, connectionsMax: 50_000 }, 100_000), { total: 50_000, perAddress: 12_500 });
  t.strictSame(connectionLimit({ ...unset, connectionsPerAddressMax: 500 }, undefined), {
    total: 10_000,
    perAddress: 500,
  });
  t.throws(() => connectionLimit({ ...unset, connectionsMax: 2000 }, 1024), ConnectionLimitError);
  t.throws(() => connectionLimit(unset, 64), { message: /may open 64 files, expected at least \d+: 8 connections/ });
  t.end();
});

t.test("the limit of open files is that of this process", { skip: process.platform !== "linux" }, async (t) => {
  t.ok(((await readDescriptorLimit()) ?? 0) > 16);
});
