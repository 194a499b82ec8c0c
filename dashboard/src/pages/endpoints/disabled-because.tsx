import { can } from '../../api/session-state.js';
import { useQuery } from '../../api/use-query.js';
import { DataText, Sentence } from '../../components/data-text.js';
import { Instant } from '../../components/instant.js';
import { endpointDisablingDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { reasonOf, whoOf } from '../account/audit-words.js';

/** Who disabled an endpoint, when and why, for those who may see the audit log. */
export function DisabledBecause({ id }: { readonly id: string }) {
  const document = can('account', 'read') ? endpointDisablingDocument : undefined;
  const { data, loading } = useQuery(document, { id });
  const [entry] = data?.auditLog.data ?? [];
  const isDisabling = entry?.changes.some(({ field, to }) => field === 'active' && to === 'false');
  const texts = text.endpoints;
  // An answer of before may be about an earlier time, and a screen reader would read both.
  if (document && loading) return <p>{texts.noEvents}</p>;
  if (!entry || isDisabling !== true) return <p>{texts.inactiveReason}</p>;
  const reason = reasonOf(entry);
  return (
    <>
      <p>
        <Sentence
          template={reason === undefined ? texts.disabledBy : texts.disabledBecause}
          values={{
            who: <DataText value={whoOf(entry)} />,
            when: <Instant at={entry.createdAt} style="relative" />,
            reason: reason !== undefined && <DataText value={reason} />,
          }}
        />
      </p>
      <p>{texts.noEvents}</p>
    </>
  );
}
