/** How a request with a secret key is signed, with a test vector that the code of the service computes. */
import { canonicalText, signatureWindowSeconds, signRequest } from "../../auth/signature.ts";
import { apiPrefix } from "../endpoints.ts";
import { apiErrors } from "../errors.ts";
import { codeText, escapeText, renderBlock, renderPage, renderTable, renderText } from "./html.ts";

/** A request whose signature a client can compare with its own. The key is none of any service: it has no valid form. */
export const testVector = {
  key: "svc_sec_this-key-is-for-the-test-vector-only",
  method: "POST",
  path: `${apiPrefix}/prices/search`,
  timestamp: "1767225600",
  body: '{"county_id":47,"page_size":2}',
} as const;

export function testVectorSignature(): string {
  const { key, body, ...request } = testVector;
  return signRequest(key, { ...request, body: Buffer.from(body) });
}

/** Programs that print the signature of the vector. */
export const signingSnippets: Readonly<Record<"curl" | "Python" | "R" | "JavaScript", string>> = {
  curl: `sign() { # METHOD TARGET TIME BODY
  printf '%s' "$1|$2|$3|$4" | openssl dgst -sha256 -hmac "$SIGNING_KEY" | sed 's/.* //'
}
SIGNING_KEY='${testVector.key}'
sign ${testVector.method} '${testVector.path}' ${testVector.timestamp} '${testVector.body}'`,
  Python: `import hashlib, hmac

def sign(key, method, target, time, body=b""):
    return hmac.new(key.encode(), f"{method}|{target}|{time}|".encode() + body, hashlib.sha256).hexdigest()

print(sign("${testVector.key}", "${testVector.method}", "${testVector.path}", "${testVector.timestamp}",
           b'${testVector.body}'))`,
  R: `sign <- function(key, method, target, time, body = "") {
  as.character(openssl::sha256(paste(method, target, time, body, sep = "|"), key = key))
}
cat(sign("${testVector.key}", "${testVector.method}", "${testVector.path}", "${testVector.timestamp}",
         '${testVector.body}'))`,
  JavaScript: `import { createHmac } from "node:crypto";

function sign(key, method, target, time, body = "") {
  return createHmac("sha256", key).update(\`\${method}|\${target}|\${time}|\${body}\`).digest("hex");
}
console.log(sign("${testVector.key}", "${testVector.method}", "${testVector.path}", "${testVector.timestamp}",
  '${testVector.body}'));`,
};

export function renderSigningPage(): string {
  const { key, method, path, timestamp, body } = testVector;
  const signed = canonicalText({ method, path, timestamp, body: Buffer.from(body) }).toString();
  const codes = [
    "MISSING_API_KEY",
    "INVALID_API_KEY",
    "INVALID_SIGNATURE",
    "TIMESTAMP_EXPIRED",
    "INSUFFICIENT_PERMISSIONS",
  ] as const;
  return renderPage({
    path: "/docs/signing",
    title: "Signing",
    content: `${renderText(`
Every request with a secret key is signed, also one to an endpoint for which a public key suffices. The key itself is the secret: keep it on a server, never in a page, an app or a repository. Browsers may not send \`X-Signature\` at all.

Three headers:

- \`X-API-Key\`: the secret key.
- \`X-Signature-Timestamp\`: the Unix time in whole seconds, at most ${signatureWindowSeconds} from the server’s clock.
- \`X-Signature\`: the signature, 64 lower-case hexadecimal digits.
`)}
<h2>The signature</h2>
<ol>
<li>Join with vertical bars: ${codeText("METHOD|PATH|TIMESTAMP|BODY")}. METHOD is in capitals. PATH is the path with its query string, exactly
as it is sent. TIMESTAMP is the text of the header. BODY is the raw body as sent, and empty where there is none.</li>
<li>Compute the HMAC-SHA256 of it, with the whole key, ${codeText("svc_sec_")} included, as the HMAC key.</li>
<li>Write it in lower-case hexadecimal.</li>
</ol>
<h2 id="vector">Test vector</h2>
<p>The key is no key of this service; it is there to compare what your code makes of it.</p>
${renderTable(
  ["Part", "Text"],
  [
    ["Key", codeText(key)],
    ["METHOD", codeText(method)],
    ["PATH", codeText(path)],
    ["TIMESTAMP", codeText(timestamp)],
    ["BODY", codeText(body)],
    ["Signed text", codeText(signed)],
    ["Signature", codeText(testVectorSignature())],
  ],
)}
<p>Each of these prints that signature:</p>
${Object.entries(signingSnippets)
  .map(
    ([language, text], at) =>
      `<details name="sign"${at === 0 ? " open" : ""}><summary>${language === "curl" ? "Shell with openssl" : language}</summary>${renderBlock(text)}</details>`,
  )
  .join("\n")}
<h2>When it does not match</h2>
${renderText(`
The message of \`INVALID_SIGNATURE\` says what the server saw: method, path, timestamp, and length and SHA-256 of the body. Compare them with what you signed. Usual causes:

- The body was serialized twice: sign the very bytes that are sent.
- The query string was signed decoded or in another order than sent.
- A proxy changed the path. Sign the path as the service sees it.
- The time is in milliseconds, or the clock is wrong: the message of \`TIMESTAMP_EXPIRED\` says by how much.

A signature is good for this one request and for ${signatureWindowSeconds} seconds; make a new one for a retry after a wait.
`)}
${renderTable(
  ["Code", "Meaning"],
  codes.map((code) => [codeText(code), escapeText(apiErrors[code].message)]),
)}`,
  });
}
