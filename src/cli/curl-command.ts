/** A request as a curl command for a POSIX shell. */

/** The body of a request: a text on the command line, or a file sent byte for byte. */
export type CurlBody = { readonly text: string } | { readonly file: string };

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: CurlBody | undefined;
}

/** One line for a POSIX shell that makes curl send exactly this request; quotes and line breaks in it are safe. */
export function curlCommand({ method, url, headers, body }: CurlRequest): string {
  const words = ["curl"];
  if (method === "HEAD") words.push("--head");
  else if (method !== "GET") words.push("--request", method);
  // Otherwise curl resolves dots itself and requests another path than the signed one.
  if (url.includes("/.")) words.push("--path-as-is");
  for (const [name, value] of headers) words.push("--header", shellQuoted(`${name}: ${value}`));
  if (body !== undefined && "text" in body) words.push("--data-raw", shellQuoted(body.text));
  else if (body !== undefined) words.push("--data-binary", shellQuoted(`@${body.file}`));
  words.push(shellQuoted(url));
  return words.join(" ");
}

/** A text as one word of a POSIX shell. Between single quotes every character is literal, except a single quote. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
