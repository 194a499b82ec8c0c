import { useLocation } from 'preact-iso';
import { useQuery } from '../../api/use-query.js';
import { ClearFilters } from '../../components/clear-filters.js';
import { DataText } from '../../components/data-text.js';
import { SelectField } from '../../components/fields.js';
import { membersDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { ranges } from '../deliveries/delivery-filter.js';
import {
  auditActions,
  type AuditFilter,
  auditPath,
  pathOfLog,
  readAuditFilter,
} from './audit-filter.js';
import { actionName } from './audit-words.js';

/** Which changes to show. Each choice is in the URL. */
export function AuditFilters({ filter }: { readonly filter: AuditFilter }) {
  const { route } = useLocation();
  const members = useQuery(membersDocument, {}).data?.members ?? [];
  const texts = text.audit;
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
          ...auditActions.map((each) => [each, actionName(each)] as const),
        ]}
        onChange={(value) => change('action', value)}
      />
      <SelectField
        label={texts.time}
        value={filter.range ?? ''}
        options={[
          ['', text.deliveries.anyTime],
          ...ranges.map((each) => [each, text.deliveries.ranges[each]] as const),
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
