/** The `sign` command as people run it. */
import t from "tap";
import { secretKey } from "../support/signed-request.ts";
import { runCommand } from "./run-command.ts";
import { runScript } from "./run-script.ts";

const call = ["POST", "/api/v1/prices/search?x=1", "--body", '{"county_id":47}', "--timestamp", "1767225600"];
const signature = "38a926277b93bfdf40f43dcdf15d4e403582bb552e80719e80497bbcd55adbc7";

t.test("sign prints the three headers, with the key from the environment or the command line", async (t) => {
  const printed = {
    code: 0,
    stdout: `X-API-Key: ${secretKey}\nX-Signature: ${signature}\nX-Signature-Timestamp: 1767225600\n`,
    stderr: "",
  };
  t.same(await runScript("sign", call, t.testdir(), { SIGNING_KEY: secretKey }), printed);
  t.same(await runCommand("sign", [...call, "--key", secretKey], t.testdir()), printed);
});

t.test("sign --curl prints one curl command for the configured address or another", async (t) => {
  const folder = t.testdir();
  const headers =
    `--header 'X-API-Key: ${secretKey}' --header 'X-Signature: ${signature}' --header ` +
    "'X-Signature-Timestamp: 1767225600'";
  const rest = `${headers} --header 'Content-Type: application/json' --data-raw '{"county_id":47}'`;
  const env = { SIGNING_KEY: secretKey };
  t.same(await runCommand("sign", [...call, "--curl"], folder, env), {
    code: 0,
    stdout: `curl --request POST ${rest} 'http://127.0.0.1:3000/api/v1/prices/search?x=1'\n`,
    stderr: "",
  });
  const elsewhere = await runCommand("sign", [...call, "--curl", "--base-url", "https://prices.example"], folder, env);
  t.match(elsewhere.stdout, " 'https://prices.example/api/v1/prices/search?x=1'\n");
  const configured = await runCommand("sign", [...call, "--curl"], folder, { ...env, HOST: "0.0.0.0", PORT: "4711" });
  t.match(configured.stdout, " 'http://127.0.0.1:4711/api/v1/prices/search?x=1'\n");
  const chosen = await runCommand("sign", [...call, "--curl"], folder, { ...env, PORT: "0" });
  const stderr = "PORT is 0, expected the port that the service chose, or --base-url\n";
  t.same(chosen, { code: 2, stdout: "", stderr });
  t.equal((await runCommand("sign", call, folder, { ...env, PORT: "0" })).code, 0, "headers need no address");
});

t.test("sign without a timestamp signs for the time of the clock", async (t) => {
  const before = Math.floor(Date.now() / 1000);
  const { stdout } = await runCommand("sign", ["get", "/api/v1/crops", "--key", secretKey], t.testdir());
  const timestamp = Number(/^X-Signature-Timestamp: (\d+)$/m.exec(stdout)?.[1]);
  t.ok(timestamp >= before && timestamp <= Math.floor(Date.now() / 1000), stdout);
});

t.test("wrong use exits 2, a body that cannot be read 1, and neither prints the key", async (t) => {
  const folder = t.testdir();
  const cases = [
    { args: [], code: 2, message: "missing required argument 'METHOD'" },
    { args: ["GET", "/api/v1/crops"], code: 2, message: "no key: give a secret key" },
    { args: ["GET", "/api/v1/crops", "--key", secretKey.slice(0, -1)], code: 2, message: "the key is mistyped" },
    { args: [secretKey, "/api/v1/crops"], code: 2, message: 'METHOD is "svc_sec_…"' },
    { args: ["GET", secretKey], code: 2, message: 'PATH is "svc_sec_…"' },
    { args: ["GET", "/api/v1/crops", `--kye=${secretKey}`], code: 2, message: "unknown option '--kye=svc_sec_…'" },
    { args: [...call, "--key", secretKey, "--curl", "--base-url", "localhost"], code: 2, message: "--base-url" },
    {
      args: ["POST", "/api/v1/x", "--key", secretKey, "--body", "@none"],
      code: 1,
      message: "none: the body cannot be read",
    },
  ];
  await Promise.all(
    cases.map(async ({ args, code, message }) => {
      const result = await runCommand("sign", args, folder);
      t.match(result, { code, stdout: "" }, message);
      t.match(result.stderr, message);
      t.notMatch(result.stderr.toLowerCase(), secretKey.slice(8, 20).toLowerCase());
    }),
  );
});
