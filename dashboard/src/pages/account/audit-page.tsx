import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { Button, ButtonLink } from '../../components/button.js';
import { EmptyState } from '../../components/card.js';
import { ClearFilters } from '../../components/clear-filters.js';
import { DataText } from '../../components/data-text.js';
import { SelectField } from '../../components/fields.js';
import { Instant } from '../../components/instant.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { auditLogDocument, membersDocument } from '../../generated/documents.js';
import { findTarget } from '../../shell/find-target.js';
import { fill, text } from '../../texts/text.js';
import { ranges } from '../deliveries/delivery-filter.js';
import {
  auditActions,
  type AuditFilter,
  auditPath,
  auditSearchOf,
  pathOfLog,
  readAuditFilter,
} from './audit-filter.js';
import {
  actionName,
  type AuditEntry,
  changeOf,
  fieldName,
  phraseOf,
  whoOf,
} from './audit-words.js';
import { browserName } from './user-agent.js';
import './account.css';

const texts = text.audit;

/** The changes of the account, newest first. Filter and page are in the URL. */
export function AuditPage() {
  const { query, route } = useLocation();
  // Fixed, since another time would be another range, and a request on every render.
  const [now] = useState(() => Date.now());
  const filter = readAuditFilter(query);
  const cursor = query['cursor'];
  const { data, error, loading, reload } = useQuery(auditLogDocument, {
    ...auditSearchOf(filter, now),
    ...(cursor && { cursor }),
  });

  const entries = data?.auditLog.data ?? [];
  const next = data?.auditLog.page.nextCursor;
  const filtered = Object.keys(filter).length > 0;
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <AuditFilters filter={filter} />
      {error && <ErrorNotice error={error} retry={reload} />}
      {!data && loading && (
        <div class="card card-body" role="status" aria-label={text.common.loading}>
          <span class="skeleton" />
        </div>
      )}
      {entries.length > 0 && (
        <ul class="card records" aria-busy={loading}>
          {entries.map((entry) => (
            <AuditRow key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      {data && entries.length === 0 && (
        <EmptyState title={texts.empty}>
          {filtered ? texts.emptyFilter : texts.emptyDetail}
        </EmptyState>
      )}
      {(cursor || next) && (
        <nav class="row" aria-label={texts.title}>
          {cursor && <ButtonLink href={pathOfLog(filter)}>{text.common.first}</ButtonLink>}
          {next && (
            <Button onClick={() => route(pathOfLog(filter, next))}>{text.common.next}</Button>
          )}
        </nav>
      )}
    </>
  );
}

/** The filters of the log. They are in the URL. */
export function AuditFilters({ filter }: { readonly filter: AuditFilter }) {
  const { route } = useLocation();
  const members = useQuery(membersDocument, {}).data?.members ?? [];
  const change = (name: string, value: string) =>
    route(pathOfLog(readAuditFilter({ ...filter, [name]: value })));
  const known = members.some(({ id }) => id === filter.member);
  return (
    <div class="filters" role="group" aria-label={texts.filters}>
      <SelectField
        label={texts.who}
        value={filter.member ?? ''}
        options={[
          ['', texts.anyone],
          ...(filter.member && !known ? [[filter.member, filter.member] as const] : []),
          ...members.map(({ id, email }) => [id, email] as const),
        ]}
        onChange={(value) => change('member', value)}
      />
      <SelectField
        label={texts.what}
        value={filter.action ?? ''}
        options={[
          ['', texts.anything],
          ...auditActions.map((action) => [action, actionName(action)] as const),
        ]}
        onChange={(value) => change('action', value)}
      />
      <SelectField
        label={texts.time}
        value={filter.range ?? ''}
        options={[
          ['', text.deliveries.anyTime],
          ...ranges.map((range) => [range, text.deliveries.ranges[range]] as const),
        ]}
        onChange={(value) => change('range', value)}
      />
      <ClearFilters filter={filter} href={auditPath} />
      {filter.resource && (
        <p class="filters-end small">
          {texts.of}{' '}
          <code>
            <DataText value={filter.resource} />
          </code>
        </p>
      )}
    </div>
  );
}

/** Actors that several programs or customers share: only the credential tells them apart. */
const namedByCredential: ReadonlySet<AuditEntry['actorKind']> = new Set([
  'api_key',
  'dashboard_token',
  'portal',
]);

/** One change in words, with the fields that it changed. */
export function AuditRow({ entry }: { readonly entry: AuditEntry }) {
  const { actorKind, credentialId, address, userAgent, changes, createdAt, resourceId } = entry;
  const [before, after] = phraseOf(entry);
  const shown = changes.flatMap((change) => {
    const words = changeOf(change);
    return words === undefined ? [] : [{ field: change.field, words }];
  });

  return (
    <li class="record">
      <div class="record-main">
        <p>
          <strong>
            <DataText value={whoOf(entry)} />
          </strong>{' '}
          {before}
          {after !== undefined && <Resource id={resourceId} />}
          {after}
        </p>
        {shown.length > 0 && (
          <ul class="record-changes small">
            {shown.map(({ field, words }) => (
              <li key={field}>
                {fieldName(field)}: <DataText value={words} />
              </li>
            ))}
          </ul>
        )}
        <p class="soft small">
          <Instant at={createdAt} />
          {namedByCredential.has(actorKind) && credentialId !== null && (
            <>
              {' · '}
              <Resource id={credentialId} />
            </>
          )}
          {address !== null && ` · ${fill(texts.from, { address })}`}
          {userAgent !== null && (
            <>
              {' · '}
              <DataText value={browserName(userAgent)} />
            </>
          )}
        </p>
      </div>
    </li>
  );
}

function Resource({ id }: { readonly id: string | null }) {
  if (id === null) return null;
  const target = findTarget(id);
  const name = (
    <code>
      <DataText value={id} />
    </code>
  );
  return target === undefined ? name : <a href={target}>{name}</a>;
}
