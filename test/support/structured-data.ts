/** The JSON-LD of a page, which is data: the rest of the page names no other host and runs no script. */

const block = /<script type="application\/ld\+json">([^<>]*)<\/script>/g;

export function withoutStructuredData(page: string): string {
  return page.replaceAll(block, "");
}

export function structuredDataOf(page: string): unknown[] {
  return [...page.matchAll(block)].map(([, text = ""]) => JSON.parse(text) as unknown);
}
