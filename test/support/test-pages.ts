/** The pages for people, without publications and with the general card for all, unless a test says otherwise. */
import type { AppDependencies } from "../../src/service/http/app-dependencies.ts";
import { endpoints } from "../../src/service/http/endpoint-table.ts";
import { createPages } from "../../src/site/explore/pages.ts";
import { noCards } from "./start-app.ts";

type Explorer = NonNullable<AppDependencies["explorer"]>;

export function testPages({
  publicUrl,
  ...overrides
}: Partial<Explorer> & { publicUrl?: string | undefined } = {}): Explorer {
  const pages = createPages(endpoints, { publicUrl });
  return { pages, listPublications: async () => null, readCard: noCards, ...overrides };
}
