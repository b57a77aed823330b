/** The running service makes the cards of what it serves by itself, where readers have an address to share. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { readPng } from "../../support/read-png.ts";
import { writeCurrentSnapshot } from "../../support/snapshot-files.ts";
import { folderWithData, holdsWithin, startProcess } from "../../support/start-process.ts";

const publicUrl = "https://prices.example.org";

t.test("with PUBLIC_URL cards are there after the start and after a swap, unasked", async (t) => {
  const folder = await folderWithData(t);
  const { process, baseUrl, adminUrl } = await startProcess(t, folder, { PUBLIC_URL: publicUrl, THREADS: "1" });
  t.ok(await holdsWithin(5000, () => process.logged("cards made").length === 1));
  t.match(process.logged("cards made"), [{ linked: 0 }]);
  t.strictSame(process.logged("PUBLIC_URL is not set"), []);
  const page = await (await fetch(`${baseUrl}/explore`)).text();
  const [product = ""] = /\/explore\/products\/[0-9a-f-]{36}/.exec(page) ?? [];
  const imageOf = async (): Promise<string> => {
    const text = await (await fetch(baseUrl + product)).text();
    return /og:image" content="([^"]*)"/.exec(text)?.[1]?.replace(publicUrl, "") ?? "";
  };
  const before = await imageOf();
  const card = await fetch(baseUrl + before);
  t.match(card.headers.get("cache-control"), /max-age=86400/);
  t.equal(readPng(Buffer.from(await card.arrayBuffer())).width, 600);

  await writeCurrentSnapshot(join(folder, "data"), { createdAt: "2099-01-01T00:00:00Z" });
  await fetch(`${adminUrl}/reload`, { method: "POST" });
  t.ok(await holdsWithin(5000, () => process.logged("cards made").length === 2));
  t.match(process.logged("cards made")[1], { drawn: 0 }, "what says the same is linked");
  t.not(await imageOf(), before);
  t.equal((await fetch(baseUrl + (await imageOf()))).headers.get("cache-control"), "public, max-age=86400");
  t.equal(readdirSync(join(folder, "data", "cards")).length, 2);
});

t.test("without it there are none, and the start says what is missing", async (t) => {
  const folder = await folderWithData(t);
  const { process } = await startProcess(t, folder, { THREADS: "1" });
  t.equal(process.logged("PUBLIC_URL is not set: shared pages have no cards").length, 1);
  t.notOk(readdirSync(join(folder, "data")).includes("cards"));
});
