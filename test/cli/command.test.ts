import t from "tap";
import {
  createProgram,
  exitDone,
  exitRefused,
  exitWrongUse,
  orWrongUse,
  RefusedError,
  runProgram,
  WrongUseError,
} from "../../src/cli/command.ts";
import { programVersion, versionText } from "../../src/engine/files/program-version.ts";
import { secretKey } from "../support/signed-request.ts";

t.test("--version prints version and commit", async (t) => {
  const { code, stdout } = await run(["--version"], () => t.fail("it does nothing else"));
  t.same([code, stdout], [exitDone, `${versionText(programVersion())}\n`]);
});

/** Runs a program that does `work` and knows one option, `--size`; answers exit code and what was printed. */
async function run(args: readonly string[], work: () => unknown) {
  const stdout = captureWrites(process.stdout);
  const stderr = captureWrites(process.stderr);
  process.exitCode = undefined;
  try {
    const program = createProgram("npm run weigh --", "Weigh things.", ["npm run weigh -- --size 3"]).option(
      "--size <N>",
      "how big",
    );
    await runProgram(
      program.action(async () => void (await work())),
      args,
    );
    return { code: process.exitCode, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.exitCode = undefined;
    stdout.restore();
    stderr.restore();
  }
}

/** Takes what is written to a stream until it is restored, which is before the test reports anything. */
function captureWrites(stream: NodeJS.WriteStream) {
  const { write } = stream;
  let text = "";
  stream.write = (chunk: string | Uint8Array) => {
    text += String(chunk);
    return true;
  };
  return {
    text: () => text,
    restore() {
      stream.write = write;
    },
  };
}

t.test("the exit codes are 0 done, 1 refused, 2 wrong use", async (t) => {
  t.same([exitDone, exitRefused, exitWrongUse], [0, 1, 2]);
});

t.test("a command that does its work leaves the exit code alone and prints nothing of its own", async (t) => {
  t.same(await run(["--size", "3"], async () => {}), { code: undefined, stdout: "", stderr: "" });
});

t.test("--help shows what it does and whole command lines, and is no failure", async (t) => {
  const { code, stdout, stderr } = await run(["--help"], () => t.fail("worked"));
  t.equal(code, exitDone);
  t.match(stdout, "Usage: npm run weigh -- [options]");
  t.match(stdout, "Weigh things.");
  t.match(stdout, "Examples:\n  npm run weigh -- --size 3");
  t.equal(stderr, "");
});

t.test("arguments that cannot be parsed are wrong use, reported once with the way to help", async (t) => {
  const { code, stdout, stderr } = await run(["--colour", "red"], () => t.fail("worked"));
  t.equal(code, exitWrongUse);
  t.equal(stdout, "");
  t.equal(stderr, "error: unknown option '--colour'\n(add --help for how to use it)\n");
});

t.test("a refusal and a wrong use are one line each, with exit codes 1 and 2", async (t) => {
  const refused = await run([], () => Promise.reject(new RefusedError("the scale is broken")));
  t.same(refused, { code: exitRefused, stdout: "", stderr: "the scale is broken\n" });
  const misused = await run([], () => {
    throw new WrongUseError("--size is big, expected a number");
  });
  t.same(misused, { code: exitWrongUse, stdout: "", stderr: "--size is big, expected a number\n" });
});

t.test("anything unforeseen shows its stack and is a failure", async (t) => {
  const { code, stderr } = await run([], () => Promise.reject(new TypeError("a bug")));
  t.equal(code, exitRefused);
  t.match(stderr, /^TypeError: a bug\n {4}at .*command\.test\.ts/);
  const { stderr: text } = await run([], () => Promise.reject("no error at all"));
  t.equal(text, "no error at all\n");
});

t.test("no problem quotes a key that was typed in the wrong place", async (t) => {
  const unknown = await run([`--kye=${secretKey}`], () => t.fail("worked"));
  t.match(unknown.stderr, "--kye=svc_sec_…");
  const refused = await run([], () => Promise.reject(new RefusedError(`"${secretKey}" is no id`)));
  t.equal(refused.stderr, '"svc_sec_…" is no id\n');
  t.notMatch(unknown.stderr + refused.stderr, secretKey);
});

t.test("an error of the class that stands for wrong use becomes one, any other stays as it is", async (t) => {
  t.equal(
    orWrongUse(RangeError, () => 7),
    7,
  );
  const range = new RangeError("7 is too much");
  t.throws(
    () =>
      orWrongUse(RangeError, () => {
        throw range;
      }),
    new WrongUseError("7 is too much", { cause: range }),
  );
  const bug = new TypeError("a bug");
  t.throws(
    () =>
      orWrongUse(RangeError, () => {
        throw bug;
      }),
    bug,
  );
});
