import { pageCount } from "../query/page.ts";
import { pageSizeDefault } from "./limits.ts";

/** The fields of a request for a page. */
export interface PageFields {
  page?: number;
  page_size?: number;
}

/** Page and page size with their defaults. */
export function pageOf({ page = 1, page_size: pageSize = pageSizeDefault }: PageFields): {
  page: number;
  pageSize: number;
} {
  return { page, pageSize };
}

export interface PageMeta {
  readonly page: number;
  readonly page_size: number;
  readonly total: number;
  readonly total_pages: number;
}

/** `meta` of a paginated list. */
export function presentPage(page: number, pageSize: number, total: number): PageMeta {
  return { page, page_size: pageSize, total, total_pages: pageCount(total, pageSize) };
}
