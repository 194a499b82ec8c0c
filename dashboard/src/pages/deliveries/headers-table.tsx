import { DataText } from '../../components/data-text.js';
import { text } from '../../texts/text.js';

interface HeadersTableProps {
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

/** The headers of a request or a response. */
export function HeadersTable({ headers }: HeadersTableProps) {
  return (
    <table class="headers small">
      <caption class="visually-hidden">{text.attempt.headers}</caption>
      <tbody>
        {headers.map(({ name, value }, place) => (
          <tr key={place}>
            <th scope="row">
              <DataText value={name} />
            </th>
            <td>
              <DataText value={value} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
