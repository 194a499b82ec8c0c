/** Shows how far reading a long list has come. */
export interface ReadingProgress {
  show(items: number): void;
  end(): void;
}

/** One line of a terminal that is replaced and, at the end, removed; without a terminal nothing. */
export function readingProgress(
  output: Pick<NodeJS.WriteStream, 'isTTY' | 'write'> = process.stderr,
): ReadingProgress {
  let shown = false;
  const replace = (text: string) => void output.write(`\r\u001b[K${text}`);
  return {
    show(items) {
      if (!output.isTTY) return;
      replace(`${items} read …`);
      shown = true;
    },
    end() {
      if (shown) replace('');
    },
  };
}
