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
  const hasBody = body !== undefined;
  const command = joinLines(
    [
      `curl -sS --compressed -H "X-API-Key: ${isSigned ? "$SIGNING_KEY" : "$PUBLIC_KEY"}"`,
      isSigned && '-H "X-Signature-Timestamp: $TIME" -H "X-Signature: $SIGNATURE"',
      hasBody && '-H "Content-Type: application/json"',
      hasBody && (isSigned ? '-d "$BODY"' : `-d '${body}'`),
      isSigned ? '"$BASE_URL$TARGET"' : `"$BASE_URL${path}"`,
    ],
    " \\\n  ",
  );
  if (!isSigned) return command;
  return joinLines([
    `TARGET='${path}'`,
    hasBody && `BODY='${body}'`,
    "TIME=$(date +%s)",
    `SIGNATURE=$(printf '%s' "${method}|$TARGET|$TIME|${hasBody ? "$BODY" : ""}" |`,
    `  openssl dgst -sha256 -hmac "$SIGNING_KEY" | sed 's/.* //')`,
    command,
  ]);
}

const pythonReads: Readonly<Record<SnippetRequest["format"], string>> = {
  json: 'answer = json.load(response)\n    print(answer["data"])',
  csv: 'rows = list(csv.DictReader(io.TextIOWrapper(response, "utf-8")))\n    print(len(rows), rows[0])',
  ndjson: "rows = [json.loads(line) for line in response]\n    print(len(rows), rows[0])",
};

function pythonText({ method, path, body, isSigned, format }: SnippetRequest): string {
  const hasBody = body !== undefined;
  const modules = ["os", "urllib.request", ...(format === "csv" ? ["csv", "io"] : ["json"])];
  if (isSigned) modules.push("hashlib", "hmac", "time");
  const bytes = `f"${method}|{path}|{now}|".encode() + ${hasBody ? "body" : 'b""'}`;
  return joinLines([
    `import ${modules.sort().join(", ")}`,
    "",
    `path = ${JSON.stringify(path)}`,
    hasBody && `body = b'${body}'`,
    isSigned && 'key, now = os.environ["SIGNING_KEY"], str(int(time.time()))',
    isSigned && `signature = hmac.new(key.encode(), ${bytes}, hashlib.sha256).hexdigest()`,
    `request = urllib.request.Request(os.environ["BASE_URL"] + path, ${hasBody ? "body, " : ""}headers={`,
    `    "X-API-Key": ${isSigned ? "key" : 'os.environ["PUBLIC_KEY"]'},`,
    isSigned && '    "X-Signature-Timestamp": now,',
    isSigned && '    "X-Signature": signature,',
    hasBody && '    "Content-Type": "application/json",',
    "})",
    "with urllib.request.urlopen(request) as response:",
    `    ${pythonReads[format]}`,
  ]);
}

const rReads: Readonly<Record<SnippetRequest["format"], string>> = {
  json: "answer <- resp_body_json(response, simplifyVector = TRUE)\nstr(answer$data)",
  csv: "rows <- read.csv(text = resp_body_string(response))\nstr(rows)",
  ndjson: "rows <- jsonlite::stream_in(textConnection(resp_body_string(response)), verbose = FALSE)\nstr(rows)",
};

function rText({ method, path, body, isSigned, format }: SnippetRequest): string {
  const hasBody = body !== undefined;
  const headers = isSigned
    ? '"X-API-Key" = key, "X-Signature-Timestamp" = now, "X-Signature" = signature'
    : '"X-API-Key" = Sys.getenv("PUBLIC_KEY")';
  const signed = `paste("${method}", path, now, ${hasBody ? "body" : '""'}, sep = "|")`;
  return joinLines([
    "library(httr2)",
    "",
    `path <- "${path}"`,
    hasBody && `body <- '${body}'`,
    isSigned && 'key <- Sys.getenv("SIGNING_KEY")',
    isSigned && "now <- format(floor(as.numeric(Sys.time())), scientific = FALSE)",
    isSigned && `signature <- as.character(openssl::sha256(${signed}, key = key))`,
    'response <- request(paste0(Sys.getenv("BASE_URL"), path)) |>',
    `  req_headers(${headers}) |>`,
    hasBody && '  req_body_raw(body, type = "application/json") |>',
    "  req_perform()",
    rReads[format],
  ]);
}

function javaScriptText({ method, path, body, isSigned, format }: SnippetRequest): string {
  const hasBody = body !== undefined;
  const signed = `\`${method}|\${path}|\${now}|${hasBody ? `\${body}` : ""}\``;
  return joinLines([
    isSigned && 'import { createHmac } from "node:crypto";\n',
    `const path = ${JSON.stringify(path)};`,
    hasBody && `const body = '${body}';`,
    isSigned && "const key = process.env.SIGNING_KEY;",
    isSigned && "const now = String(Math.floor(Date.now() / 1000));",
    isSigned && `const signature = createHmac("sha256", key).update(${signed}).digest("hex");`,
    "const response = await fetch(process.env.BASE_URL + path, {",
    method === "POST" && '  method: "POST",',
    "  headers: {",
    `    "X-API-Key": ${isSigned ? "key" : "process.env.PUBLIC_KEY"},`,
    isSigned && '    "X-Signature-Timestamp": now,',
    isSigned && '    "X-Signature": signature,',
    hasBody && '    "Content-Type": "application/json",',
    "  },",
    hasBody && "  body,",
    "});",
    "if (!response.ok) throw new Error(await response.text());",
    format === "json"
      ? "const answer = await response.json();\nconsole.log(answer.data);"
      : 'const lines = (await response.text()).trimEnd().split("\\n");\nconsole.log(lines.length, lines.slice(0, 2));',
  ]);
}

/** The lines that are there, as a text. */
function joinLines(lines: readonly (string | false)[], separator = "\n"): string {
  return lines.filter((line) => line !== false).join(separator);
}
