/** The page with a viewer that sends requests with a public key: Swagger UI, served from its package. */
import { readFileSync } from "node:fs";
import { markup } from "../../pages/markup.ts";
import { renderGuide } from "./guides.ts";
import { renderViewerPage } from "./page.ts";

export function renderTryPage(): string {
  const { title, content } = renderGuide("try");
  return renderViewerPage(
    {
      path: "/docs/try",
      title,
      content: markup`${content}
<noscript><p>This page needs scripts; <a href="/docs">the reference</a> does not.</p></noscript>
<div id="viewer"></div>`,
    },
    // An empty icon, so that browsers do not ask for one.
    markup`<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/try/swagger-ui.css">
<script src="/docs/try/swagger-ui-bundle.js" defer></script>
<script src="/docs/try/start.js" type="module"></script>`,
  );
}

const viewerFiles = {
  "start.js": () => import.meta.resolve("./try-start.js"),
  "swagger-ui-bundle.js": () => import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js"),
  "swagger-ui.css": () => import.meta.resolve("swagger-ui-dist/swagger-ui.css"),
};

/**
 * A file of the viewer. Read in one go, once for each thread that is asked for it: 1.5 MB at most, about a
 * millisecond.
 */
export function readViewerFile(name: keyof typeof viewerFiles): string {
  return readFileSync(new URL(viewerFiles[name]()), "utf8");
}
