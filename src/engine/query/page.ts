/** One page of a list and how much there is in all. */
export interface Page<Entry> {
  readonly entries: Entry;
  /** Entries on all pages. */
  readonly total: number;
}

/**
 * The bounds of a page.
 *
 * @param page Counted from 1.
 * @returns First position (inclusive) and end (exclusive); equal when the page lies beyond the last.
 */
export function pageBounds(total: number, page: number, pageSize: number): { from: number; to: number } {
  const from = Math.min((page - 1) * pageSize, total);
  return { from, to: Math.min(from + pageSize, total) };
}

/** A page of a list. */
export function pageOf<List extends { readonly length: number; slice(from: number, to: number): List }>(
  list: List,
  page: number,
  pageSize: number,
): Page<List> {
  const { from, to } = pageBounds(list.length, page, pageSize);
  return { entries: list.slice(from, to), total: list.length };
}

/** Returns the number of pages that a list has; 0 when it is empty. */
export function pageCount(total: number, pageSize: number): number {
  return Math.ceil(total / pageSize);
}
