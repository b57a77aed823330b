/** Pictures by a process of their own: its life, its deaths, and what it draws. */
import { type ChildProcess, execFile } from "node:child_process";
import { once } from "node:events";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { pino } from "pino";
import t, { type Test } from "tap";
import { type PictureLimits, PictureMaker, pictureLimits } from "../../../src/service/serve/picture-maker.ts";
import { serviceParts } from "../../../src/service-parts.ts";
import { darkPixels, readPng } from "../../support/read-png.ts";
import { holdsWithin } from "../../support/start-process.ts";

interface Started {
  readonly maker: PictureMaker;
  readonly children: ChildProcess[];
  readonly problems: string[];
}

/** @param script The process in place of that of the service, as code. */
function startMaker(t: Test, given: Partial<PictureLimits> = {}, script?: string): Started {
  const children: ChildProcess[] = [];
  const problems: string[] = [];
  const maker = new PictureMaker({
    script:
      script === undefined ? serviceParts.pictureProcess : pathToFileURL(`${t.testdir({ "a.mjs": script })}/a.mjs`),
    log: { error: (fields) => problems.push(String((fields as { err: Error }).err.message)) },
    limits: { ...pictureLimits, drawMilliseconds: 60_000, ...given },
    onProcess: (child) => children.push(child),
  });
  t.teardown(() => maker.stop());
  return { maker, children, problems };
}

const skip = process.platform === "win32" ? "no shell limits descriptors" : false;

function svgOf(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="40">
<rect width="100" height="40" fill="#fff"/>${content}</svg>`;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

t.test("a picture has its text, whatever fonts it asks for, and the signs that charts write", async (t) => {
  const { maker } = startMaker(t);
  const drawn = async (text: string): Promise<Buffer> => {
    const png = await maker.draw(svgOf(`<text x="5" y="30" style="font: 24px system-ui, sans-serif">${text}</text>`));
    return Buffer.from(png ?? []);
  };
  const [blank, missing, word] = [await drawn(""), await drawn("\u{e000}"), await drawn("Mahindi")];
  const { width, height } = readPng(blank);
  t.strictSame([width, height], [100, 40]);
  t.equal(darkPixels(readPng(blank), 0, 0, 100, 40), 0);
  t.ok(darkPixels(readPng(word), 5, 10, 90, 20) > 100);
  for (const text of ["≥", "–", "…", "·", "©", "ŵ"]) {
    const sign = await drawn(text);
    t.notOk(sign.equals(blank) || sign.equals(missing), text);
  }
});

t.test("a process that is killed while it draws costs that picture alone", async (t) => {
  const { maker, children, problems } = startMaker(t);
  const first = maker.draw(svgOf("<text>1</text>"));
  const second = maker.draw(svgOf("<text>2</text>"));
  t.ok(await holdsWithin(2000, () => children.length === 1));
  children[0]?.kill("SIGKILL");
  t.equal(await first, undefined);
  t.ok(await second);
  t.equal(children.length, 2);
  t.strictSame(problems, ["its process has ended, with SIGKILL"]);
});

t.test("a process that is killed between two pictures costs none", async (t) => {
  const { maker, children, problems } = startMaker(t);
  t.ok(await maker.draw(svgOf("")));
  children[0]?.kill("SIGKILL");
  await once(children[0] as ChildProcess, "exit");
  t.ok(await maker.draw(svgOf("")));
  t.strictSame(problems, []);
});

t.test("a process that hangs or runs out of memory is ended, and the next picture gets another one", async (t) => {
  const replies = `process.on("message", ({ svg }) => {
    if (svg === "hang") for (;;);
    const kept = [];
    if (svg === "fill") for (;;) kept.push(new Array(1e6).fill(kept.length));
    process.send({ png: Buffer.from(svg) });
  });`;
  const { maker, children, problems } = startMaker(t, { drawMilliseconds: 3000 }, replies);
  t.equal(await maker.draw("hang"), undefined);
  t.equal(String(await maker.draw("a")), "a");
  t.equal(await maker.draw("fill"), undefined);
  t.equal(String(await maker.draw("b")), "b");
  t.equal(children.length, 3);
  t.match(problems, [/^none after 3000 ms$/, /^its process has ended, with SIG|^none after/]);
  t.strictSame(children.map(hasEnded), [true, true, false]);
});

t.test("a process that does not start, and what is no SVG, are problems of their pictures", async (t) => {
  const broken = startMaker(t, {}, "process.exit(3);");
  t.equal(await broken.maker.draw(svgOf("")), undefined);
  t.strictSame(broken.problems, ["its process has ended, with code 3"]);
  const { maker, problems, children } = startMaker(t);
  t.equal(await maker.draw("<p>"), undefined);
  t.equal(problems.length, 1);
  t.ok(await maker.draw(svgOf("")));
  t.equal(children.length, 2);
});

t.test("a start that throws costs that picture alone, and leaves no process behind", async (t) => {
  const children: ChildProcess[] = [];
  const problems: unknown[] = [];
  const maker = new PictureMaker({
    script: serviceParts.pictureProcess,
    log: { error: (fields) => problems.push(fields) },
    limits: { ...pictureLimits, drawMilliseconds: 60_000 },
    onProcess(child) {
      if (children.push(child) <= 45) throw new Error("spawn ENOMEM");
    },
  });
  t.teardown(() => maker.stop());
  // More than may wait at one time, so a place that is not released is missed.
  for (let count = 0; count < 45; count++) t.equal(await maker.draw(svgOf("")), undefined);
  t.equal(problems.length, 45);
  t.match(problems[0], { err: { message: "spawn ENOMEM" } });
  t.ok(await maker.draw(svgOf("")));
  t.strictSame([...new Set(children.slice(0, 45).map(hasEnded))], [true]);
});

t.test("a log that throws costs that picture alone", async (t) => {
  const maker = new PictureMaker({
    script: serviceParts.pictureProcess,
    log: {
      error() {
        throw new Error("the log is full");
      },
    },
    limits: { ...pictureLimits, drawMilliseconds: 60_000 },
  });
  t.teardown(() => maker.stop());
  await t.rejects(maker.draw("<p>"), { message: "the log is full" });
  t.ok(await maker.draw(svgOf("")));
});

t.test("a system without a descriptor for the process costs that picture alone", { skip }, async (t) => {
  const folder = t.testdir({
    "echo.mjs": `process.on("message", ({ svg }) => process.send({ png: Buffer.from(svg) }));`,
    "main.mjs": `
      import { closeSync, openSync } from "node:fs";
      import { PictureMaker } from ${JSON.stringify(import.meta.resolve("../../../src/service/serve/picture-maker.ts"))};
      const log = { error: ({ err }) => console.log(err.message) };
      const maker = new PictureMaker({ script: new URL("./echo.mjs", import.meta.url), log });
      const open = [];
      try {
        for (;;) open.push(openSync("/dev/null"));
      } catch {}
      const first = await maker.draw("a");
      for (const descriptor of open) closeSync(descriptor);
      const second = await maker.draw("b");
      console.log(String(first), String(second));
      await maker.stop();
    `,
  });
  const shell = `ulimit -n 100; exec "${process.execPath}" "${folder}/main.mjs"`;
  const { stdout } = await promisify(execFile)("sh", ["-c", shell]);
  t.match(stdout, /^spawn .*EMFILE\nundefined b\n$/);
});

t.test("the log has what a process has written to stderr before it ended, the end of it, in one line", async (t) => {
  const lines: string[] = [];
  const script = `process.stderr.write("x".repeat(5000) + "\\n", () => import("no-such-package"));`;
  const maker = new PictureMaker({
    script: pathToFileURL(`${t.testdir({ "a.mjs": script })}/a.mjs`),
    log: pino({}, { write: (line: string) => lines.push(line) }),
  });
  t.teardown(() => maker.stop());
  t.equal(await maker.draw(svgOf("")), undefined);
  t.equal(lines.length, 1);
  const { err } = JSON.parse(lines[0] as string);
  t.equal(err.message, "its process has ended, with code 1");
  t.match(err.stderr, /Cannot find package 'no-such-package'/);
  t.ok(err.stderr.length <= 2000, `${err.stderr.length} characters`);
  t.ok((lines[0]?.length ?? 0) < 4096, "a line that a pipe takes whole");
});

t.test("the process ends after so many pictures, when it has none to draw, and with the service", async (t) => {
  const echo = `process.on("message", ({ svg }) => process.send({ png: Buffer.from(svg) }));`;
  const { maker, children } = startMaker(t, { picturesMax: 3, idleMilliseconds: 200 }, echo);
  for (let count = 0; count < 7; count++) t.ok(await maker.draw("a"));
  t.equal(children.length, 3);
  t.strictSame(children.map(hasEnded), [true, true, false]);
  t.ok(await holdsWithin(5000, () => hasEnded(children[2] as ChildProcess)));
  t.ok(await maker.draw("a"));
  await maker.stop();
  t.ok(children.every(hasEnded));
  t.equal(await maker.draw("a"), undefined, "nothing is drawn any more");
  t.equal(children.length, 4);
});

t.test("more pictures than may wait are refused at once", async (t) => {
  const { maker, problems } = startMaker(t, { drawMilliseconds: 500 }, "setInterval(() => {}, 1000);");
  const waiting = Array.from({ length: 40 }, () => maker.draw("a"));
  t.equal(await waiting.at(-1), undefined);
  t.strictSame(problems, [], "before the first is given up");
  await maker.stop();
  t.strictSame([...new Set(await Promise.all(waiting))], [undefined]);
});
