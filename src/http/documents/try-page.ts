/** The page with a viewer that sends requests with a public key: Swagger UI, served from its package. */
import { readFileSync } from "node:fs";
import { renderPageFrame } from "./html.ts";

export function renderTryPage(): string {
  return renderPageFrame({
    path: "/docs/try",
    title: "Try it",
    // An empty icon, so that browsers do not ask for one.
    head: `<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/try/swagger-ui.css">
<script src="/docs/try/swagger-ui-bundle.js" defer></script>
<script src="/docs/try/start.js" type="module"></script>`,
    main: `<main>
<h1>Try it</h1>
<p>Requests from this page, with a public key: choose <em>Authorize</em>, enter it, open an operation and choose <em>Execute</em>.
The key stays in the memory of this page and is gone when you leave it. Secret keys have no place in a browser, so what needs one
is not listed; see <a href="/docs/signing">signing</a>.</p>
<noscript><p>This page needs scripts; <a href="/docs">the reference</a> does not.</p></noscript>
<div id="viewer"></div>
</main>`,
  });
}

const viewerFiles = {
  "start.js": () => import.meta.resolve("./try-start.js"),
  "swagger-ui-bundle.js": () => import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js"),
  "swagger-ui.css": () => import.meta.resolve("swagger-ui-dist/swagger-ui.css"),
};

/** A file of the viewer. Read in one go, once for each thread that is asked for it: 1.5 MB at most, about a millisecond. */
export function readViewerFile(name: keyof typeof viewerFiles): string {
  return readFileSync(new URL(viewerFiles[name]()), "utf8");
}
