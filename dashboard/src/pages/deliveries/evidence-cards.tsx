import type { ComponentChildren } from 'preact';
import { can } from '../../api/session-state.js';
import { Card } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { CodeText, JsonView } from '../../components/json-view.js';
import type { deliveryQuery } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { HeadersTable } from './headers-table.js';

type Evidence = NonNullable<deliveryQuery['delivery']['evidence']>;

interface RequestCardProps {
  readonly url: string | undefined;
  readonly evidence: Evidence | null;
  /** The body, or why it is not shown. */
  readonly children: ComponentChildren;
}

/** What the service sent. */
export function RequestCard({ url, evidence, children }: RequestCardProps) {
  const texts = text.attempt;
  return (
    <Card title={texts.request}>
      {url !== undefined && (
        <p class="mono request-line">
          <strong>{texts.method}</strong> <DataText value={url} />
        </p>
      )}
      {evidence && (
        <>
          <HeadersTable headers={evidence.requestHeaders} />
          <p class="field-hint">{texts.signaturesHidden}</p>
        </>
      )}
      <h3>{texts.body}</h3>
      {children}
    </Card>
  );
}

/** What the receiver sent back. */
export function ResponseCard({ evidence }: { readonly evidence: Evidence }) {
  const texts = text.attempt;
  const { responseHeaders, responseBody } = evidence;
  return (
    <Card title={texts.response}>
      {responseHeaders ? (
        <HeadersTable headers={responseHeaders} />
      ) : (
        <p class="soft">{texts.noResponse}</p>
      )}
      {responseHeaders && (
        <>
          <h3>{texts.body}</h3>
          {responseBody ? (
            <Body body={responseBody} />
          ) : (
            <p class="soft">{can('orders', 'read') ? texts.noBody : texts.responseHidden}</p>
          )}
        </>
      )}
    </Card>
  );
}

function Body({ body }: { readonly body: NonNullable<Evidence['responseBody']> }) {
  const { content, encoding, truncated } = body;
  const texts = text.attempt;
  return (
    <>
      {encoding === 'hex' ? (
        <>
          <p class="field-hint">{texts.hex}</p>
          <CodeText label={texts.body} value={content.replace(/(..)(?=.)/g, '$1 ')} />
        </>
      ) : (
        <JsonView label={texts.body} value={content} />
      )}
      {truncated && <p class="field-hint">{texts.truncated}</p>}
    </>
  );
}
