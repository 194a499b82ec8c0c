import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** The generated part of openapi.yaml: from this line to the next one that is not indented. */
const part = /^# "npm run generate" writes .*\nwebhooks:\n(?:(?: .*)?\n)*/m;
const firstLine = '# "npm run generate" writes webhooks from schema/events; changes belong there.';

/** The JSON Schema of the data of one event type, in one version. */
interface EventSchema {
  readonly type: string;
  readonly version: string;
  /** The name of its file in schema/events. */
  readonly file: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** How the description of each schema goes on after the summary of its type. */
const descriptionMark = ' This is the `data` of the event, version v';

/**
 * Replaces `webhooks` in schema/openapi.yaml: one operation for each event type of schema/events.
 * @throws Error when openapi.yaml has no such part, or a description is not in the usual form
 */
export function printWebhooks(root: string): Promise<string> {
  const text = readFileSync(join(root, 'schema', 'openapi.yaml'), 'utf8');
  if (!part.test(text)) throw new Error(`schema/openapi.yaml lacks the line: ${firstLine}`);
  const operations = readEventSchemas(root).map(operation).join('');
  return Promise.resolve(text.replace(part, () => `${firstLine}\nwebhooks:\n${operations}\n`));
}

/**
 * Reads schema/events, sorted by file.
 * @throws Error for a file that is not named after its type and version
 */
function readEventSchemas(root: string): EventSchema[] {
  const folder = join(root, 'schema', 'events');
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const [, type, version] = /^(.+)\.(v\d+)\.json$/.exec(file) ?? [];
      if (!type || !version) {
        throw new Error(`schema/events/${file} must be named <type>.<version>.json`);
      }
      const schema = JSON.parse(readFileSync(join(folder, file), 'utf8')) as EventSchema['schema'];
      return { type, version, file, schema };
    });
}

function operation(event: EventSchema, index: number): string {
  const { type, file } = event;
  const isFirst = index === 0;
  return `  ${type}:
    post:
      operationId: events.${type}
      summary: ${summaryOf(event)}
      security: []
      parameters: ${isFirst ? `&delivery_headers${headers}` : '*delivery_headers'}
      requestBody:
        required: true
        content:
          application/json:
            schema:
              allOf:
                - $ref: '#/components/schemas/EventEnvelope'
                - type: object
                  required: [type, data]
                  properties:
                    type: { const: ${type} }
                    data: { $ref: './events/${file}' }
              unevaluatedProperties: false
      responses: ${isFirst ? `&delivery_answers${answers}` : '*delivery_answers'}
`;
}

function summaryOf({ file, schema }: EventSchema): string {
  const [summary, ...rest] = String(schema['description']).split(descriptionMark);
  if (!summary || rest.length !== 1) {
    throw new Error(`schema/events/${file}: the description lacks "${descriptionMark.trim()}…"`);
  }
  return stringify(summary, { lineWidth: 0 }).trimEnd();
}

const headers = [
  'ServiceSignature',
  'ServiceTimestamp',
  'ServiceEventId',
  'ServiceEventType',
  'ServiceDeliveryId',
  'ServiceAttempt',
  'WebhookId',
  'WebhookTimestamp',
  'WebhookSignature',
]
  .map((name) => `\n        - $ref: '#/components/parameters/${name}'`)
  .join('');

const answers = `
        2XX:
          {
            description: The receiver accepted the event. The service does not send it to this endpoint again.,
          }
        '410': { description: The service disables the endpoint and sends it nothing more. }
        default: { description: The service retries the event on the retry schedule. }`;
