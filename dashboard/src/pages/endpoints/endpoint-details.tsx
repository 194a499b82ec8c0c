import { CopyButton } from '../../components/copy-button.js';
import { DataText } from '../../components/data-text.js';
import { Fact, Facts } from '../../components/card.js';
import { Instant } from '../../components/instant.js';
import type { endpointQuery } from '../../generated/documents.js';
import { text } from '../../texts/text.js';

/** The settings of an endpoint. */
export function EndpointDetails({ endpoint }: { readonly endpoint: endpointQuery['endpoint'] }) {
  const { id, url, description, notificationEmail, eventTypes, createdAt, updatedAt } = endpoint;
  return (
    <>
      <div class="copyable">
        <code>
          <DataText value={url} />
        </code>
        <CopyButton value={url} label={text.endpointForm.url} />
      </div>
      <Facts>
        {description !== null && (
          <Fact name={text.endpoints.description}>
            <DataText value={description} />
          </Fact>
        )}
        <Fact name={text.endpoints.notificationEmail}>
          <DataText value={notificationEmail} />
        </Fact>
        <Fact name={text.endpoints.created}>
          <Instant at={createdAt} />
        </Fact>
        <Fact name={text.endpoints.updated}>
          <Instant at={updatedAt} />
        </Fact>
        <Fact name={text.endpoints.id}>
          <code>{id}</code>
        </Fact>
      </Facts>
      <div class="stack-s">
        <h3>{text.endpoints.eventTypes}</h3>
        <ul class="row">
          {eventTypes.map((type) => (
            <li key={type}>
              <code class="tag">{type}</code>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
