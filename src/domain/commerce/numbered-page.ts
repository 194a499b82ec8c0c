import { type Issue, validationFailed } from '../errors.js';

/** The page of a list that a client requests, by its number. */
export interface NumberedRequest {
  /** At least 1; a number beyond the last page means the last page. */
  readonly page: number;
  /** At least 1; a size above the list's maximum means that maximum. */
  readonly perPage: number;
}

/** The place of a page in its list. */
export interface Pagination {
  /** At least 1. */
  readonly totalPages: number;
  readonly currentPage: number;
  readonly perPage: number;
  readonly totalCount: number;
}

/** One page of a list that is read by page number. */
export interface NumberedPage<Item> {
  readonly data: readonly Item[];
  readonly pagination: Pagination;
}

/**
 * Limits the page size to that of the list.
 * @param maxPageSize at most this many items in a page of this list
 * @throws DomainError validation_failed for a page or a size that is not an integer of at least 1
 */
export function clampPageSize(request: NumberedRequest, maxPageSize: number): NumberedRequest {
  const issues = [
    ...countIssues('page', request.page),
    ...countIssues('per_page', request.perPage),
  ];
  if (issues.length > 0) throw validationFailed(issues);
  return { page: request.page, perPage: Math.min(request.perPage, maxPageSize) };
}

/** Returns the requested page, or the last one if the list is shorter; an empty list has one page. */
export function paginationOf({ page, perPage }: NumberedRequest, totalCount: number): Pagination {
  const totalPages = Math.max(1, Math.ceil(totalCount / perPage));
  return { totalPages, currentPage: Math.min(page, totalPages), perPage, totalCount };
}

/** Returns how many items of the list precede the page. */
export function offsetOf({ currentPage, perPage }: Pagination): number {
  return (currentPage - 1) * perPage;
}

function countIssues(param: string, count: number): Issue[] {
  if (Number.isSafeInteger(count) && count >= 1) return [];
  return [{ code: 'out_of_range', detail: 'Must be an integer of at least 1.', param }];
}
