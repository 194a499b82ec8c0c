import { useMemo } from 'preact/hooks';
import { Card } from '../../components/card.js';
import { DataText } from '../../components/data-text.js';
import { JsonView } from '../../components/json-view.js';
import { fill, text } from '../../texts/text.js';
import { type SchemaRow, schemaRows } from './schema-rows.js';

const texts = text.eventTypes;

/** The members of the data of an event, and the schema itself. */
export function SchemaCard({ schema }: { readonly schema: unknown }) {
  const rows = useMemo(() => schemaRows(schema), [schema]);
  return (
    <Card title={texts.members}>
      <p class="soft">{texts.membersLead}</p>
      {rows.length === 0 ? (
        <p class="soft">{texts.anyData}</p>
      ) : (
        <ul class="schema">
          {rows.map((row) => (
            <Member key={row.path} row={row} />
          ))}
        </ul>
      )}
      <details>
        <summary>{texts.rawSchema}</summary>
        <JsonView label={texts.rawSchema} value={JSON.stringify(schema)} />
      </details>
    </Card>
  );
}

function Member({ row }: { readonly row: SchemaRow }) {
  const { depth, name, types, required, description, rules } = row;
  return (
    <li class="schema-row" style={{ paddingLeft: `${Math.min(depth, 6) * 1.25}rem` }}>
      <div class="row">
        <code>
          <DataText value={name} />
        </code>
        <span class="small soft">{types.join(texts.or) || texts.anyValue}</span>
        {!required && <span class="tag small">{texts.optional}</span>}
      </div>
      {description !== undefined && (
        <p class="small">
          <DataText value={description} />
        </p>
      )}
      {rules.map(({ kind, value }) => (
        <p key={`${kind} ${value}`} class="small soft">
          <DataText value={fill(texts.rules[kind], { value })} />
        </p>
      ))}
    </li>
  );
}
