/** Lists that are longer than a page. */
import type { CallOperation } from "./call-operation.ts";
import { operationTable } from "./generated-api.ts";
import type { Answer, Fields, PagedOperationId } from "./operation-types.ts";
import type { CallOptions } from "./send-request.ts";

/**
 * Reads a list page by page, each when it is requested, all of one snapshot: that of the first page, or the one that is
 * asked for. Pages are as large as the operation allows, unless `page_size` says otherwise.
 *
 * @throws {ApiError} SNAPSHOT_CHANGED when another snapshot is served before the last page was read. What was read is
 *   then a part of the older one; begin again.
 */
export async function* readPages<Id extends PagedOperationId>(
  call: CallOperation,
  id: Id,
  fields: Fields<Id> = {} as Fields<Id>,
  options: CallOptions = {},
): AsyncGenerator<Answer<Id>, void, undefined> {
  const { page: first = 1, ...filters } = { page_size: operationTable[id].pageSizeMax, ...(fields as PageFields) };
  let { snapshot } = options;
  for (let page = first, pages = first; page <= pages; page++) {
    const answer = await call(id, { ...filters, page } as unknown as Fields<Id>, { ...options, snapshot });
    ({ snapshot } = answer);
    pages = (answer as unknown as PagedAnswer).meta.total_pages;
    yield answer;
  }
}

interface PageFields {
  readonly page?: number;
  readonly page_size?: number;
}

interface PagedAnswer {
  readonly meta: { readonly total_pages: number };
}
