/** The site as the service serves it: documents, the pages of errors, and the pages for people. */
import type { Site } from "../contract/site-values.ts";
import { documentsOf } from "./docs/documents.ts";
import { errorPages } from "./docs/error-page.ts";

export const site: Site = {
  documents: documentsOf,
  errorPages,
  async loadPages(endpoints, publicUrl) {
    const { createPages } = await import("./explore/pages.ts");
    return createPages(endpoints, { publicUrl });
  },
};
