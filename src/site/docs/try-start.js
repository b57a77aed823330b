// Runs in the browser, on /docs/try: shows the operations for which a public key suffices.

const { document } = globalThis;
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
    // Headers for clients that cache answers have no use here.
    operation.parameters = operation.parameters.filter(({ $ref }) => $ref === undefined);
  }
  if (Object.keys(operations).length === 0) delete description.paths[path];
}
const shown = new Set(
  Object.values(description.paths).flatMap((operations) => Object.values(operations).flatMap(({ tags }) => tags)),
);
description.tags = description.tags.filter(({ name }) => shown.has(name));
delete description.components.securitySchemes.SecretKey;
description.info.description = "";

// The viewer does not follow the colours of the system by itself.
if (matchMedia("(prefers-color-scheme: dark)").matches) document.documentElement.classList.add("dark-mode");

/** Names elements that the package leaves unnamed or names wrongly. It draws anew whenever something is opened. */
function repairNames() {
  for (const body of viewer.querySelectorAll("textarea:not([aria-label])")) body.setAttribute("aria-label", "Body");
  for (const table of viewer.querySelectorAll("table[role=region]")) table.removeAttribute("role");
  for (const text of viewer.querySelectorAll("pre:not([tabindex])")) text.tabIndex = 0;
}

const viewer = document.getElementById("viewer");
// The viewer has a main part of its own, so that of the page becomes a section before it.
const section = document.createElement("section");
const main = viewer.parentElement;
section.id = main.id;
section.tabIndex = -1;
section.setAttribute("aria-label", document.title);
section.append(...[...main.childNodes].filter((node) => node !== viewer));
main.replaceWith(section, viewer);
new MutationObserver(repairNames).observe(viewer, { childList: true, subtree: true });

globalThis.SwaggerUIBundle({
  spec: description,
  dom_id: "#viewer",
  // The viewer sends no request to other servers, and stores no key.
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
