import { useLocation } from 'preact-iso';
import { base } from '../../api/base.js';
import { can } from '../../api/session-state.js';
import { useQuery } from '../../api/use-query.js';
import { Card, EmptyState } from '../../components/card.js';
import { escapeHidden } from '../../components/data-text-parts.js';
import { DataText } from '../../components/data-text.js';
import { TextField } from '../../components/fields.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { eventTypesDocument } from '../../generated/documents.js';
import { fill, text } from '../../texts/text.js';
import { groupEventTypes } from '../endpoints/endpoint-rules.js';
import './event-types.css';

const texts = text.eventTypes;
const path = `${base}/event-types`;

/** The catalogue by category. The search is in the URL. */
export function EventTypesPage() {
  const { query, route } = useLocation();
  const search = query['search'] ?? '';
  const { data, error, reload } = useQuery(
    can('webhooks', 'read') ? eventTypesDocument : undefined,
    {},
  );

  const types = data?.eventTypes.data ?? [];
  const all = new Set(types.map(({ id }) => id));
  const groups = groupEventTypes(types, all, search);
  const searchFor = (typed: string) => {
    const wanted = new URLSearchParams({ ...(typed && { search: typed }) });
    route(wanted.size === 0 ? path : `${path}?${wanted.toString()}`, true);
  };

  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <TextField
        label={texts.search}
        labelHidden
        placeholder={texts.search}
        type="search"
        value={search}
        onInput={searchFor}
      />
      {error && <ErrorNotice error={error} retry={reload} />}
      {!data && !error && <span class="skeleton" />}
      {groups.map(({ category, types: members }) => (
        <Card key={category} title={escapeHidden(titleOf(category))}>
          <ul class="catalogue">
            {members.map(({ id, summary, sent, acceptsNewSubscriptions }) => (
              <li key={id}>
                <a class="mono" href={`${path}/${id}`}>
                  {id}
                </a>
                <span class="soft">
                  <DataText value={summary} />{' '}
                  {!sent && <span class="tag small">{text.endpointForm.notYetSent}</span>}
                  {!acceptsNewSubscriptions && (
                    <span class="tag small">{text.endpointForm.retired}</span>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      ))}
      {data && groups.length === 0 && (
        <EmptyState title={texts.title}>
          {search ? (
            <DataText value={fill(text.endpointForm.noneFound, { search })} />
          ) : (
            texts.empty
          )}
        </EmptyState>
      )}
    </>
  );
}

function titleOf(category: string): string {
  return category.charAt(0).toUpperCase() + category.slice(1);
}
