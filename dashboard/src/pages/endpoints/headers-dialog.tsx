/*
 * The static headers of an endpoint: what the page shows of them, and a dialog that sets all at once. Values are never
 * shown: an empty value keeps the stored one.
 */
import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { DataText } from '../../components/data-text.js';
import { ConfirmDialog } from '../../components/dialog.js';
import { TextField } from '../../components/fields.js';
import { Instant } from '../../components/instant.js';
import { Notice } from '../../components/notice.js';
import { showToast } from '../../components/toast.js';
import { type endpointQuery, setEndpointOptionsDocument } from '../../generated/documents.js';
import { fill } from '../../texts/text.js';
import {
  emptyHeaderRow,
  type HeaderRow,
  headerRows,
  headersInput,
  isBlank,
  maxHeaders,
} from './endpoint-rules.js';
import { optionTexts } from './option-texts.js';

type Headers = endpointQuery['endpoint']['options']['headers'];

/** Names the headers of an endpoint, and says whether they are sent. */
export function HeadersValue({ headers }: { readonly headers: Headers }) {
  if (headers === null) return <>{optionTexts.headersNone}</>;
  return (
    <>
      <DataText value={headers.names.join(', ')} />
      {'. '}
      {headers.sent ? (
        <>
          {optionTexts.headersSet} <Instant at={headers.setAt} style="relative" />
        </>
      ) : (
        <strong>{optionTexts.headersNotSent}</strong>
      )}
    </>
  );
}

interface HeadersDialogProps {
  readonly id: string;
  readonly headers: Headers;
  readonly onClose: () => void;
}

/** Sets all headers of an endpoint. */
export function HeadersDialog({ id, headers, onClose }: HeadersDialogProps) {
  const [rows, setRows] = useState<readonly HeaderRow[]>(() => headerRows(headers));
  const change = (index: number, part: Partial<HeaderRow>) =>
    setRows(rows.map((row, place) => (place === index ? { ...row, ...part } : row)));

  const [sent, setSent] = useState(rows);
  const saving = useAction(async () => {
    const filled = rows.filter((row) => !isBlank(row));
    setRows(filled);
    setSent(filled);
    await execute(setEndpointOptionsDocument, { id, input: { headers: headersInput(filled) } });
    refresh();
    showToast(optionTexts.optionSaved);
    onClose();
  });

  const fields = rows === sent ? (saving.error?.fields ?? {}) : {};
  return (
    <ConfirmDialog
      title={optionTexts.headersTitle}
      action={optionTexts.optionSave}
      busy={saving.running}
      error={saving.error}
      onConfirm={() => void saving.run()}
      onClose={onClose}
    >
      <p class="soft">{optionTexts.headersDetail}</p>
      {headers !== null && !headers.sent && (
        <Notice kind="warn" title={optionTexts.headersGoneTitle}>
          <p>{optionTexts.headersGone}</p>
        </Notice>
      )}
      {rows.map((row, index) => (
        <div
          key={row.key}
          class="header-row"
          role="group"
          aria-label={fill(optionTexts.headerNumber, { number: String(index + 1) })}
        >
          <TextField
            label={optionTexts.headerName}
            class="mono"
            value={row.name}
            error={fields[`headers[${index}].name`]}
            onInput={(name) => change(index, { name })}
          />
          <TextField
            label={optionTexts.headerValue}
            class="mono"
            {...(row.stored && { placeholder: optionTexts.headerKept })}
            value={row.value}
            error={fields[`headers[${index}].value`]}
            onInput={(value) => change(index, { value })}
          />
          <Button
            kind="quiet"
            small
            onClick={() => setRows(rows.filter((_, place) => place !== index))}
          >
            {optionTexts.headerRemove}
            <span class="visually-hidden"> {row.name}</span>
          </Button>
        </div>
      ))}
      {rows.length < maxHeaders && (
        <div>
          <Button small onClick={() => setRows([...rows, emptyHeaderRow()])}>
            {optionTexts.headerAdd}
          </Button>
        </div>
      )}
    </ConfirmDialog>
  );
}
