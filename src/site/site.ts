/** The site as the service serves it: documents, the page for an unknown address, and the pages for people. */
import type { Site } from "../contract/site-values.ts";
import { documentsOf } from "./docs/documents.ts";
import { renderNotFoundPage } from "./docs/not-found-page.ts";

export const site: Site = {
  documents: documentsOf,
  renderNotFound: renderNotFoundPage,
  async loadPages(endpoints) {
    const { createPages } = await import("./explore/pages.ts");
    return createPages(endpoints);
  },
};
