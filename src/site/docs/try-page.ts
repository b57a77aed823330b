/** The page with a viewer that sends requests with a public key: Swagger UI, served from its package. */
import { markup } from "../pages/markup.ts";
import { type PageContext, renderPage } from "./docs-page.ts";
import { renderGuide } from "./guides.ts";

export function renderTryPage(context: PageContext): string {
  const { title, content } = renderGuide("try", "/docs/try", context);
  return renderPage(
    {
      path: "/docs/try",
      title,
      content: markup`${content}
<noscript><p>This page needs scripts; <a href="/docs">the reference</a> does not.</p></noscript>
<h2>Requests</h2>
<div id="viewer"></div>`,
      viewer: markup`<link rel="stylesheet" href="/docs/try/swagger-ui.css">
<link rel="stylesheet" href="/docs/try/viewer.css">
<script src="/docs/try/swagger-ui-bundle.js" defer></script>
<script src="/docs/try/start.js" type="module"></script>`,
    },
    context,
  );
}

/**
 * The files that pages load, by the paths at which they are served. Cost: a thread reads a file of at most 1.5 MB once,
 * which takes about a millisecond.
 */
export const pageFiles: Readonly<Record<string, () => string>> = {
  "/docs/copy.js": () => import.meta.resolve("./copy.js"),
  "/docs/try/start.js": () => import.meta.resolve("./try-start.js"),
  "/docs/try/viewer.css": () => import.meta.resolve("./try-viewer.css"),
  "/docs/try/swagger-ui-bundle.js": () => import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js"),
  "/docs/try/swagger-ui.css": () => import.meta.resolve("swagger-ui-dist/swagger-ui.css"),
};
