import { type Issue, validationFailed } from '../errors.js';

/** Which part of a list is wanted, by number; what a list has at most on one page it says itself. */
export interface NumberedRequest {
  /** From 1; beyond the last it is the last (A42). */
  readonly page: number;
  /** From 1; more than the list's largest counts as that (A41). */
  readonly perPage: number;
}

/** Where a page stands in its list (A42, A43). */
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
 * Clamps the page size (A41).
 * @param maxPageSize how many items a page of this list has at most
 * @throws DomainError validation_failed for a page or a size that is not an integer from 1
 */
export function clampPageSize(request: NumberedRequest, maxPageSize: number): NumberedRequest {
  const issues = [
    ...countIssues('page', request.page),
    ...countIssues('per_page', request.perPage),
  ];
  if (issues.length > 0) throw validationFailed(issues);
  return { page: request.page, perPage: Math.min(request.perPage, maxPageSize) };
}

/** Finds the page that is answered with: the wanted one, or the last (A42); an empty list has one. */
export function paginationOf({ page, perPage }: NumberedRequest, totalCount: number): Pagination {
  const totalPages = Math.max(1, Math.ceil(totalCount / perPage));
  return { totalPages, currentPage: Math.min(page, totalPages), perPage, totalCount };
}

/** How many items of the list stand before the page. */
export function offsetOf({ currentPage, perPage }: Pagination): number {
  return (currentPage - 1) * perPage;
}

function countIssues(param: string, count: number): Issue[] {
  if (Number.isSafeInteger(count) && count >= 1) return [];
  return [{ code: 'out_of_range', detail: 'Must be an integer of at least 1.', param }];
}
