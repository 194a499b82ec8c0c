import { useMemo, useRef, useState } from 'preact/hooks';
import { fill, text } from '../texts/text.js';
import { DataText } from './data-text.js';
import { type JsonLine, jsonLines, unfoldedLines } from './json-lines.js';
import { Windowed } from './windowed.js';

/** The height of a line in code.css. */
const lineHeight = 22;

interface CodeProps {
  /** Its name, for screen readers. */
  readonly label: string;
  readonly value: string;
}

/** JSON with foldable containers; a text that is not JSON is shown as it is. */
export function JsonView({ label, value }: CodeProps) {
  const lines = useMemo(() => jsonLines(value), [value]);
  return lines ? <Lines label={label} lines={lines} /> : <CodeText label={label} value={value} />;
}

/** A text from outside, with its line breaks. */
export function CodeText({ label, value }: CodeProps) {
  return (
    <pre class="code" tabIndex={0} role="group" aria-label={label}>
      <DataText value={value} />
    </pre>
  );
}

function Lines({ label, lines }: { readonly label: string; readonly lines: readonly JsonLine[] }) {
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const scroller = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => unfoldedLines(lines, folded), [lines, folded]);
  const toggle = (place: number) =>
    setFolded((before) => {
      const after = new Set(before);
      if (!after.delete(place)) after.add(place);
      return after;
    });

  const renderLine = (index: number) => {
    const place = shown[index] ?? 0;
    const line = lines[place];
    return (
      line && (
        <Line
          key={place}
          line={line}
          comma={lines[folded.has(place) ? (line.end ?? place) : place]?.comma ?? false}
          folded={folded.has(place)}
          toggle={() => toggle(place)}
        />
      )
    );
  };

  return (
    <div class="code json" ref={scroller} tabIndex={0} role="group" aria-label={label}>
      <Windowed
        count={shown.length}
        rowHeight={lineHeight}
        renderRow={renderLine}
        scroller={scroller}
      />
    </div>
  );
}

interface LineProps {
  readonly line: JsonLine;
  /** Whether a comma follows on this line. */
  readonly comma: boolean;
  readonly folded: boolean;
  readonly toggle: () => void;
}

function Line({ line, comma, folded, toggle }: LineProps) {
  const { depth, key, value, kind, end, size = 0 } = line;
  return (
    <div class="json-line" style={{ paddingLeft: `${depth * 1.25 + 1.25}rem` }}>
      {end !== undefined && (
        <button
          type="button"
          class="json-fold"
          aria-expanded={!folded}
          aria-label={fill(text.common.fold, { count: size })}
          onClick={toggle}
        >
          {folded ? '▸' : '▾'}
        </button>
      )}
      {key !== undefined && (
        <>
          <span class="json-key">
            <DataText value={key} />
          </span>
          {': '}
        </>
      )}
      <span class={`json-${kind}`}>
        <DataText value={value} />
      </span>
      {folded && (
        <span class="soft">
          {` ${fill(text.common.folded, { count: size })} ${value === '{' ? '}' : ']'}`}
        </span>
      )}
      {comma && ','}
    </div>
  );
}
