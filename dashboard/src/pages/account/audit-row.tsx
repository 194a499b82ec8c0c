import { DataText } from '../../components/data-text.js';
import { Instant } from '../../components/instant.js';
import { findTarget } from '../../shell/find-target.js';
import { fill, text } from '../../texts/text.js';
import { type AuditEntry, changeOf, fieldName, phraseOf, whoOf } from './audit-words.js';
import { browserName } from './user-agent.js';

/** Actors that several programs or customers may share: only the credential tells them apart. */
const namedByCredential: ReadonlySet<AuditEntry['actorKind']> = new Set([
  'api_key',
  'dashboard_token',
  'portal',
]);

/** One change in words, with what it changed. */
export function AuditRow({ entry }: { readonly entry: AuditEntry }) {
  const { actorKind, credentialId, address, userAgent, changes, createdAt, resourceId } = entry;
  const [before, after] = phraseOf(entry);
  const shown = changes.flatMap((each) => {
    const words = changeOf(each);
    return words === undefined ? [] : [{ field: each.field, words }];
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
          {address !== null && ` · ${fill(text.audit.from, { address })}`}
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
