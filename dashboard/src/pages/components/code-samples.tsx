import { CodeText, JsonView } from '../../components/json-view.js';
import { RequestCard, ResponseCard, SignedText } from '../deliveries/delivery-page.js';
import { SchemaCard } from '../event-types/event-type-page.js';
import { ReceiverCode } from '../event-types/receiver-code.js';
import { body, delivery, evidence, hiddenText } from './sample-data.js';
import { Group, Specimen, State, States } from './specimen.js';

const schema = {
  type: 'object',
  required: ['order'],
  properties: {
    order: { type: 'string', pattern: '^ord_', description: 'The order that was paid.' },
    total: { type: 'integer', minimum: 0 },
    lines: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: ['string', 'null'], maxLength: 80 } } },
    },
    [hiddenText]: { enum: ['a', 'b'] },
  },
};

/** Code and data, as they are sent. */
export function CodeSamples() {
  return (
    <Group title="Code">
      <Specimen file="components/json-view.tsx">
        <JsonView label="JSON that folds" value={body} />
        <States>
          <State name="not JSON">
            <JsonView label="A text that is not JSON" value={`<html>${hiddenText}</html>`} />
          </State>
          <State name="empty">
            <JsonView label="Empty JSON" value="{}" />
          </State>
          <State name="text in its own lines">
            <CodeText label="A text of two lines" value={'one\n\ttwo'} />
          </State>
        </States>
      </Specimen>
      <Specimen file="pages/deliveries/delivery-page.tsx: RequestCard, ResponseCard">
        <RequestCard url={evidence.url} evidence={evidence}>
          <JsonView label="The body of the request" value={body} />
        </RequestCard>
        <ResponseCard evidence={evidence} />
      </Specimen>
      <Specimen file="pages/deliveries/delivery-page.tsx: SignedText">
        <SignedText eventId={delivery.eventId} time="1795608000" body={body} />
      </Specimen>
      <Specimen file="pages/event-types/event-type-page.tsx: SchemaCard">
        <SchemaCard schema={schema} />
      </Specimen>
      <Specimen file="pages/event-types/receiver-code.tsx">
        <ReceiverCode type="offer.sent" />
      </Specimen>
    </Group>
  );
}
