/** Shows the progress of a long command. */
export interface Progress {
  show(done: number): void;
  end(): void;
}

const width = 30;
/** The number of lines without a terminal. */
const lines = 20;

/**
 * Draws one progress bar on a terminal; writes plain lines to any other output.
 * @param noun the thing that is counted, such as "orders"
 */
export function progressOn(
  output: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  total: number,
  noun: string,
): Progress {
  const count = (done: number) => `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
  let shown = 0;
  if (!output.isTTY) {
    return {
      show(done) {
        const step = Math.floor((done * lines) / total);
        if (step > shown) output.write(`${count(done)} ${noun}\n`);
        shown = Math.max(shown, step);
      },
      end: () => undefined,
    };
  }
  return {
    show(done) {
      const filled = Math.round((done * width) / total);
      const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
      output.write(`\r${bar} ${count(done)} ${noun}`);
      shown += 1;
    },
    end() {
      if (shown > 0) output.write('\n');
    },
  };
}
