import { readEveryPage, shareReads } from '../../api/every-page.js';
import { execute } from '../../api/request.js';
import { type Query, useAnswer } from '../../api/use-query.js';
import { endpointOptionsDocument, type endpointOptionsQuery } from '../../generated/documents.js';

/** An endpoint to choose from. */
type EndpointOption = endpointOptionsQuery['endpoints']['data'][number];

/** Ten times the default limit of an account. Nobody can choose from more. */
const maxOptions = 10_000;

// Several parts of a page need them at once.
const readOptions = shareReads(() =>
  readEveryPage(async (cursor) => {
    const answer = await execute(endpointOptionsDocument, cursor === undefined ? {} : { cursor });
    return answer.endpoints;
  }, maxOptions),
);

/** The endpoints of the account, newest first: at most 10,000. */
export function useEndpointOptions(): Query<readonly EndpointOption[]> {
  return useAnswer('endpointOptions', readOptions);
}
