/**
 * The example request of an endpoint in four languages. Where the service is and which keys to use are variables of the
 * environment: a page cannot know the first and must not hold the second.
 */
import type { Endpoint } from "../endpoint.ts";
import { apiPrefix } from "../endpoints.ts";
import { exampleTarget } from "./example-target.ts";

export interface Snippet {
  readonly language: "curl" | "Python" | "R" | "JavaScript";
  readonly text: string;
}

/** A request that a snippet sends. */
export interface SnippetRequest {
  readonly method: "GET" | "POST";
  /** With query string. */
  readonly path: string;
  /** JSON; undefined where there is none. */
  readonly body: string | undefined;
  readonly isSigned: boolean;
  /** Text that is no JSON, and read as a table where it is CSV. */
  readonly format: "json" | "csv" | "ndjson";
}

/** The example request of an endpoint, which prints its answer. */
export function snippetsOf(endpoint: Endpoint): Snippet[] {
  const { body } = endpoint.operation.example;
  const { method, access } = endpoint;
  const path = apiPrefix + exampleTarget(endpoint);
  const [target = ""] = path.split("?");
  const request: SnippetRequest = {
    method,
    path,
    body: method === "POST" ? JSON.stringify(body ?? {}) : undefined,
    isSigned: access === "secret",
    format: target.endsWith(".ndjson") ? "ndjson" : target.endsWith(".csv") ? "csv" : "json",
  };
  return [
    { language: "curl", text: curlText(request) },
    { language: "Python", text: pythonText(request) },
    { language: "R", text: rText(request) },
    { language: "JavaScript", text: javaScriptText(request) },
  ];
}

/** A request in curl, which prints its answer. */
export function curlText({ method, path, body, isSigned }: SnippetRequest): string {
  const content =
    body === undefined ? [] : ['-H "Content-Type: application/json"', isSigned ? '-d "$BODY"' : `-d '${body}'`];
  if (!isSigned) {
    return ['curl -sS --compressed -H "X-API-Key: $PUBLIC_KEY"', ...content, `"$BASE_URL${path}"`].join(" \\\n  ");
  }
  return `TARGET='${path}'
${body === undefined ? "" : `BODY='${body}'\n`}TIME=$(date +%s)
SIGNATURE=$(printf '%s' "${method}|$TARGET|$TIME|${body === undefined ? "" : "$BODY"}" |
  openssl dgst -sha256 -hmac "$SIGNING_KEY" | sed 's/.* //')
${[
  `curl -sS --compressed -H "X-API-Key: $SIGNING_KEY"`,
  '-H "X-Signature-Timestamp: $TIME" -H "X-Signature: $SIGNATURE"',
  ...content,
  '"$BASE_URL$TARGET"',
].join(" \\\n  ")}`;
}

function pythonText({ method, path, body, isSigned, format }: SnippetRequest): string {
  const modules = [
    ...(isSigned ? ["hashlib", "hmac"] : []),
    "json",
    "os",
    ...(isSigned ? ["time"] : []),
    "urllib.request",
  ];
  const bytes = body === undefined ? 'b""' : "body";
  const headers = [
    `"X-API-Key": ${isSigned ? "key" : 'os.environ["PUBLIC_KEY"]'}`,
    ...(isSigned ? ['"X-Signature-Timestamp": now', '"X-Signature": signature'] : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  const read =
    format === "json"
      ? 'answer = json.load(response)\nprint(answer["data"])'
      : format === "csv"
        ? 'rows = list(csv.DictReader(io.TextIOWrapper(response, "utf-8")))\nprint(len(rows), rows[0])'
        : "rows = [json.loads(line) for line in response]\nprint(len(rows), rows[0])";
  const used = format === "csv" ? ["csv", "io", ...modules.filter((name) => name !== "json")].sort() : modules;
  return `import ${used.join(", ")}

path = ${JSON.stringify(path)}
${body === undefined ? "" : `body = b'${body}'\n`}${
  isSigned
    ? `key, now = os.environ["SIGNING_KEY"], str(int(time.time()))
signature = hmac.new(key.encode(), f"${method}|{path}|{now}|".encode() + ${bytes}, hashlib.sha256).hexdigest()
`
    : ""
}request = urllib.request.Request(os.environ["BASE_URL"] + path, ${body === undefined ? "" : "body, "}headers={
    ${headers.join(",\n    ")},
})
with urllib.request.urlopen(request) as response:
    ${read.replaceAll("\n", "\n    ")}`;
}

function rText({ method, path, body, isSigned, format }: SnippetRequest): string {
  const headers = [
    `"X-API-Key" = ${isSigned ? "key" : 'Sys.getenv("PUBLIC_KEY")'}`,
    ...(isSigned ? ['"X-Signature-Timestamp" = now', '"X-Signature" = signature'] : []),
  ];
  const read =
    format === "json"
      ? "answer <- resp_body_json(response, simplifyVector = TRUE)\nstr(answer$data)"
      : format === "csv"
        ? "rows <- read.csv(text = resp_body_string(response))\nstr(rows)"
        : "rows <- jsonlite::stream_in(textConnection(resp_body_string(response)), verbose = FALSE)\nstr(rows)";
  return `library(httr2)

path <- "${path}"
${body === undefined ? "" : `body <- '${body}'\n`}${
  isSigned
    ? `key <- Sys.getenv("SIGNING_KEY")
now <- format(floor(as.numeric(Sys.time())), scientific = FALSE)
signature <- as.character(openssl::sha256(paste("${method}", path, now, ${body === undefined ? '""' : "body"}, sep = "|"), key = key))
`
    : ""
}response <- request(paste0(Sys.getenv("BASE_URL"), path)) |>
  req_headers(${headers.join(", ")}) |>${body === undefined ? "" : '\n  req_body_raw(body, type = "application/json") |>'}
  req_perform()
${read}`;
}

function javaScriptText({ method, path, body, isSigned, format }: SnippetRequest): string {
  const headers = [
    `"X-API-Key": ${isSigned ? "key" : "process.env.PUBLIC_KEY"}`,
    ...(isSigned ? ['"X-Signature-Timestamp": now', '"X-Signature": signature'] : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  const read =
    format === "json"
      ? "const answer = await response.json();\nconsole.log(answer.data);"
      : 'const lines = (await response.text()).trimEnd().split("\\n");\nconsole.log(lines.length, lines.slice(0, 2));';
  return `${isSigned ? 'import { createHmac } from "node:crypto";\n\n' : ""}const path = ${JSON.stringify(path)};
${body === undefined ? "" : `const body = '${body}';\n`}${
  isSigned
    ? `const key = process.env.SIGNING_KEY;
const now = String(Math.floor(Date.now() / 1000));
const signature = createHmac("sha256", key).update(\`${method}|\${path}|\${now}|${body === undefined ? "" : `\${body}`}\`).digest("hex");
`
    : ""
}const response = await fetch(process.env.BASE_URL + path, {
  ${[...(method === "POST" ? [`method: "POST"`] : []), `headers: {\n    ${headers.join(",\n    ")},\n  }`, ...(body === undefined ? [] : ["body"])].join(",\n  ")},
});
if (!response.ok) throw new Error(await response.text());
${read}`;
}
