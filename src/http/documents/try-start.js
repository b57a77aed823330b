// Runs in the browser, on /docs/try: shows the operations for which a public key suffices.

const response = await fetch("/openapi.json");
const description = await response.json();

for (const [path, operations] of Object.entries(description.paths)) {
  for (const [method, operation] of Object.entries(operations)) {
    const isPublic = operation.security.some((scheme) => "PublicKey" in scheme);
    if (!isPublic) {
      delete operations[method];
      continue;
    }
    operation.security = [{ PublicKey: [] }];
    // Headers for clients that keep answers; here they would only be in the way.
    operation.parameters = operation.parameters.filter(({ $ref }) => $ref === undefined);
  }
  if (Object.keys(operations).length === 0) delete description.paths[path];
}
delete description.components.securitySchemes.SecretKey;
description.info.description = "";

// The viewer does not follow the colours of the system by itself.
if (matchMedia("(prefers-color-scheme: dark)").matches) globalThis.document.documentElement.classList.add("dark-mode");

globalThis.SwaggerUIBundle({
  spec: description,
  dom_id: "#viewer",
  // Neither is anything asked of other servers, nor a key kept.
  validatorUrl: null,
  persistAuthorization: false,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  requestInterceptor(request) {
    if (/^svc_sec_/.test(request.headers["X-API-Key"] ?? "")) {
      throw new Error("This is a secret key; it has no place in a browser. Authorize with a public key, svc_pub_….");
    }
    return request;
  },
});
