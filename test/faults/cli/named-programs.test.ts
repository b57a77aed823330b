import t from "tap";
import { runProcess, type ScriptResult } from "../../cli/run-script.ts";

const source = new URL("../../../src/cli/named-programs.ts", import.meta.url).href;

const dispatcher = `
import { runNamedProgram } from "${source}";
runNamedProgram("bench", {
  shown: { file: new URL("shown.ts", import.meta.url), description: "shows its arguments", nodeFlags: ["--expose-gc"] },
  shell: { file: new URL("shell.sh", import.meta.url), description: "is a shell script" },
  killed: { file: new URL("killed.ts", import.meta.url), description: "ends by a signal" },
});
`;

const folder = t.testdir({
  "dispatcher.ts": dispatcher,
  "shown.ts": `console.log(JSON.stringify([process.argv.slice(2), process.execArgv])); process.exitCode = 7;`,
  "shell.sh": `echo "$# $1"; exit 5`,
  "killed.ts": `process.kill(process.pid, "SIGTERM"); setTimeout(() => {}, 60_000);`,
});

function run(...args: readonly string[]): Promise<ScriptResult> {
  return runProcess(process.execPath, [`${folder}/dispatcher.ts`, ...args], folder);
}

const list =
  /^npm run bench -- NAME \[arguments\]\n\n {2}shown {3}shows its arguments\n {2}shell {3}is a shell script\n/m;

t.test("a program gets the arguments after its name, its flags of Node and those before its name", async (t) => {
  const { code, stdout } = await run("--no-warnings", "shown", "--prices", "1 m", "--help", "shell");
  t.same(JSON.parse(stdout), [
    ["--prices", "1 m", "--help", "shell"],
    ["--expose-gc", "--no-warnings"],
  ]);
  t.equal(code, 7);
});

t.test("a shell script runs as well", async (t) => {
  const { code, stdout } = await run("shell", "two words");
  t.same([code, stdout], [5, "1 two words\n"]);
});

t.test("a program that a signal ends has not ended well", async (t) => {
  const { code } = await run("killed");
  t.not(code, 0);
});

t.test("without a name, or with an unknown one, all names are listed on stderr, with exit status 2", async (t) => {
  for (const args of [[], ["shwon"], ["toString"], ["--expose-gc"], [""]]) {
    const { code, stdout, stderr } = await run(...args);
    t.same([code, stdout], [2, ""], args.join());
    t.match(stderr, list);
  }
  t.match((await run("shwon")).stderr, /^found "shwon", expected a NAME of this list:\n/);
});

t.test("--help lists the names on stdout", async (t) => {
  const { code, stdout, stderr } = await run("--help");
  t.same([code, stderr], [0, ""]);
  t.match(stdout, list);
});
