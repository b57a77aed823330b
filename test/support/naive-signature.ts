/** Signature Version 4 of AWS, written down from its description, as the twin of the library that signs requests. */
import { createHash, createHmac } from "node:crypto";

export interface SignedParts {
  readonly method: string;
  readonly url: string;
  /** The headers that are signed, in lower case; `x-amz-date` and `x-amz-content-sha256` among them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly region: string;
  readonly secretAccessKey: string;
}

/** The signature of a request to S3, in lower-case hex. */
export function naiveSignature({ method, url, headers, region, secretAccessKey }: SignedParts): string {
  const { pathname, searchParams } = new URL(url);
  const names = Object.keys(headers).sort();
  const query = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const canonical = [
    method,
    pathname
      .split("/")
      .map((part) => encode(decodeURIComponent(part)))
      .join("/"),
    query.join("&"),
    ...names.map((name) => `${name}:${headers[name]?.trim()}`),
    "",
    names.join(";"),
    headers["x-amz-content-sha256"],
  ].join("\n");
  const time = headers["x-amz-date"] ?? "";
  const scope = [time.slice(0, 8), region, "s3", "aws4_request"];
  const text = ["AWS4-HMAC-SHA256", time, scope.join("/"), createHash("sha256").update(canonical).digest("hex")];
  const key = scope.reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${secretAccessKey}`);
  return hmac(key, text.join("\n")).toString("hex");
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
