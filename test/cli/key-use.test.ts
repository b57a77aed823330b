import { resolve } from "node:path";
import t from "tap";
import { baseUrlDefault, issueKeyCommands, keyAdvice, keyTrialCommand } from "../../src/cli/key-use.ts";
import { publicKey, secretKey } from "../support/signed-request.ts";

t.test("a public key is tried with curl alone", async (t) => {
  t.equal(
    keyTrialCommand("public", publicKey, "http://127.0.0.1:4711"),
    `curl --header 'X-API-Key: ${publicKey}' 'http://127.0.0.1:4711/api/v1/counties'`,
  );
});

t.test("a secret key is tried with the sign command, which takes the address of the service", async (t) => {
  const request = `POST /api/v1/prices/search --body '{"page_size":5}'`;
  const beginning = `SIGNING_KEY='${secretKey}' npm run --silent sign -- ${request}`;
  t.equal(keyTrialCommand("secret", secretKey, baseUrlDefault), `${beginning} --curl | sh`);
  t.equal(
    keyTrialCommand("secret", secretKey, "http://127.0.0.1:4711"),
    `${beginning} --base-url 'http://127.0.0.1:4711' --curl | sh`,
  );
});

t.test("each kind has its advice", async (t) => {
  t.match(keyAdvice("public"), "browsers");
  t.match(keyAdvice("secret"), "never in a browser");
});

t.test("the commands that issue keys name the keys file by its absolute path, quoted", async (t) => {
  t.same(issueKeyCommands("/srv/it's/keys.json"), [
    `npm run keys -- issue --kind public --label 'first public key' --file '/srv/it'\\''s/keys.json'`,
    `npm run keys -- issue --kind secret --label 'first secret key' --file '/srv/it'\\''s/keys.json'`,
  ]);
  t.ok(issueKeyCommands("keys.json")[0]?.endsWith(` --file '${resolve("keys.json")}'`));
});
