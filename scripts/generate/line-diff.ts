const shownLines = 60;

/** The lines that differ: `-` as found, `+` as wanted. At most 60 lines, without common start and end. */
export function lineDiff(found: string, wanted: string): string {
  const before = found.split('\n');
  const after = wanted.split('\n');
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start])
    start += 1;

  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1;
  }

  const lines = [
    `@@ line ${start + 1} @@`,
    ...before.slice(start, before.length - end).map((line) => `- ${line}`),
    ...after.slice(start, after.length - end).map((line) => `+ ${line}`),
  ];

  const hidden = lines.length - shownLines;
  return [...lines.slice(0, shownLines), ...(hidden > 0 ? [`… ${hidden} more`] : [])].join('\n');
}
