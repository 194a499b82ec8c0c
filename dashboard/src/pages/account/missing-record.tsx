import { DataText, Sentence } from '../../components/data-text.js';
import { Notice } from '../../components/notice.js';
import { text } from '../../texts/text.js';

interface MissingRecordProps {
  /** The id that the search or the audit log asked for. */
  readonly wanted: string | undefined;
  /** The list; undefined until it is read. */
  readonly records: readonly { readonly id: string }[] | undefined;
  /** Where a record is that the list no longer has. */
  readonly detail: string;
}

/** Other texts of a URL are not repeated: a link could make the page say anything. */
const id = /^(?:mem|crd|ses)_\w{1,60}$/;

/** Says that a list has not the record that the search or the audit log asked for. */
export function MissingRecord({ wanted = '', records, detail }: MissingRecordProps) {
  if (!records || !id.test(wanted) || records.some((record) => record.id === wanted)) return null;
  return (
    <Notice kind="warn" title={text.common.notListed}>
      <p>
        <Sentence
          template={detail}
          values={{
            id: (
              <code>
                <DataText value={wanted} />
              </code>
            ),
          }}
        />
      </p>
    </Notice>
  );
}
