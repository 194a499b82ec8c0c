import { DataText, Sentence } from '../../components/data-text.js';
import { Notice } from '../../components/notice.js';
import { text } from '../../texts/text.js';

interface MissingRecordProps {
  /** The id that a search or the audit log linked to. */
  readonly wanted: string | undefined;
  /** The list; undefined until it has loaded. */
  readonly records: readonly { readonly id: string }[] | undefined;
  /** Where to find a record that is no longer listed. */
  readonly detail: string;
}

/** Only ids from the URL are repeated: otherwise a link could make the page say anything. */
const id = /^(?:mem|crd|ses)_\w{1,60}$/;

/** Says that the list does not contain the record that a search or the audit log linked to. */
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
