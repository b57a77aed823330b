/**
 * Requests in five languages, of which a page shows the one that its address names. Where the service is and which keys
 * to use are variables of the environment: a page cannot know the first and must not hold the second.
 */
import type { Endpoint } from "../../contract/endpoint.ts";
import { apiPrefix } from "../../contract/paths.ts";
import { exampleTarget } from "./examples.ts";

/** The languages by the names that addresses of pages have. */
export const codeLanguages = { curl: "curl", python: "Python", r: "R", javascript: "JavaScript", php: "PHP" } as const;

export type CodeLanguage = keyof typeof codeLanguages;

export const codeNames = Object.keys(codeLanguages) as readonly CodeLanguage[];

export const defaultCode: CodeLanguage = "curl";

/** The language that the query string of a page chooses with `code`; the default for a name that is none of them. */
export function chosenCode(queryText: string): CodeLanguage {
  const chosen = queryText === "" ? undefined : new URLSearchParams(queryText).get("code");
  return codeNames.find((name) => name === chosen) ?? defaultCode;
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

/** The example request of an endpoint. */
export function exampleRequest(endpoint: Endpoint): SnippetRequest {
  const { body } = endpoint.example;
  const text = endpoint.method === "POST" ? JSON.stringify(body ?? {}) : undefined;
  return snippetRequest(endpoint, apiPrefix + exampleTarget(endpoint), text);
}

/**
 * A request that a guide writes as `GET /path`, or with a body in the lines after it. A line that begins with `&`
 * continues the path.
 *
 * @throws {RangeError} As `requestTo`.
 */
export function parseRequest(text: string, endpoints: readonly Endpoint[]): SnippetRequest {
  // The message has the whole of a text of another form.
  const [, method = text, path = "", body] = /^(GET|POST) (\S+)(?:\n(.+))?$/s.exec(text.replaceAll("\n&", "&")) ?? [];
  return requestTo({ method, path, body }, endpoints);
}

/**
 * A request to one of some endpoints.
 *
 * @throws {RangeError} When no endpoint has this method and path.
 */
export function requestTo(
  { method, path, body }: Pick<SnippetRequest, "path" | "body"> & { readonly method: string },
  endpoints: readonly Endpoint[],
): SnippetRequest {
  const [target = ""] = path.split("?");
  const found = endpoints.find(
    (endpoint) =>
      endpoint.method === method &&
      new RegExp(`^${apiPrefix}${endpoint.path.replaceAll(/:\w+/g, "[^/]+")}$`).test(target),
  );
  if (found === undefined) throw new RangeError(`found the request ${method} ${path}, expected one to an endpoint`);
  return snippetRequest(found, path, body);
}

function snippetRequest({ method, access }: Endpoint, path: string, body: string | undefined): SnippetRequest {
  const [target = ""] = path.split("?");
  const format = target.endsWith(".ndjson") ? "ndjson" : target.endsWith(".csv") ? "csv" : "json";
  return { method, path, body, isSigned: access === "secret", format };
}

const writers: Readonly<Record<CodeLanguage, (request: SnippetRequest) => string>> = {
  curl: curlText,
  python: pythonText,
  r: rText,
  javascript: javaScriptText,
  php: phpText,
};

/** A request in a language; it prints the answer. */
export function snippetIn(code: CodeLanguage, request: SnippetRequest): string {
  return writers[code](request);
}

/** A request in curl, which prints its answer. */
function curlText({ method, path, body, isSigned }: SnippetRequest): string {
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
  const signed = `\`${method}|\${url.pathname}\${url.search}|\${now}|${hasBody ? `\${body}` : ""}\``;
  return joinLines([
    isSigned && 'import { createHmac } from "node:crypto";\n',
    `const path = ${JSON.stringify(path)};`,
    // A URL rewrites some characters, ' among them: the target is signed as it is sent.
    "const url = new URL(process.env.BASE_URL + path);",
    hasBody && `const body = '${body}';`,
    isSigned && "const key = process.env.SIGNING_KEY;",
    isSigned && "const now = String(Math.floor(Date.now() / 1000));",
    isSigned && `const signature = createHmac("sha256", key).update(${signed}).digest("hex");`,
    "const response = await fetch(url, {",
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

const phpReads: Readonly<Record<SnippetRequest["format"], string>> = {
  json: "$answer = json_decode($text, true);\nprint_r($answer['data']);",
  csv: '$lines = explode("\\r\\n", rtrim($text));\nprint_r(array_slice($lines, 0, 2));',
  ndjson: '$lines = explode("\\n", rtrim($text));\nprint_r(json_decode($lines[0], true));',
};

/** Single quotes, in which PHP reads only the quote and the backslash. */
function phpQuoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}

function phpText({ method, path, body, isSigned, format }: SnippetRequest): string {
  const hasBody = body !== undefined;
  return joinLines([
    "<?php",
    `$path = ${phpQuoted(path)};`,
    hasBody && `$body = ${phpQuoted(body)};`,
    isSigned && "$key = getenv('SIGNING_KEY');",
    isSigned && "$now = (string) time();",
    isSigned && `$signature = hash_hmac('sha256', "${method}|$path|$now|${hasBody ? "$body" : ""}", $key);`,
    "$headers = [",
    `    'X-API-Key: ' . ${isSigned ? "$key" : "getenv('PUBLIC_KEY')"},`,
    isSigned && '    "X-Signature-Timestamp: $now",',
    isSigned && '    "X-Signature: $signature",',
    hasBody && "    'Content-Type: application/json',",
    "];",
    "$request = ['ignore_errors' => true, 'header' => $headers];",
    method === "POST" && "$request['method'] = 'POST';",
    hasBody && "$request['content'] = $body;",
    "$context = stream_context_create(['http' => $request]);",
    "$text = file_get_contents(getenv('BASE_URL') . $path, false, $context);",
    "if (!str_contains($http_response_header[0], ' 200 ')) {",
    "    exit($text);",
    "}",
    phpReads[format],
  ]);
}

/** The lines that are there, as a text. */
function joinLines(lines: readonly (string | false)[], separator = "\n"): string {
  return lines.filter((line) => line !== false).join(separator);
}
