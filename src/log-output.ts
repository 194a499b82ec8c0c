import { pino } from 'pino';
import { shownIds } from './shown-ids.js';

const writeFromCharacters = 32_768;
const flushEveryMs = 100;

/**
 * Where the lines of a process's log go: its standard output, many lines with one call, each after a
 * tenth of a second at the latest. Gathered here, because the destination of pino measures all that it
 * has gathered anew with every line.
 */
export class LogOutput {
  readonly #output = pino.destination({ fd: 1, sync: true });
  #lines = '';
  #due = false;

  constructor() {
    process.once('exit', () => {
      this.flush();
      this.#output.flushSync();
    });
  }

  /** Takes a line with its end; ids that open pages are cut in it, whoever wrote them there. */
  write(line: string): void {
    this.#lines += shownIds(line);
    if (this.#lines.length >= writeFromCharacters) this.flush();
    else if (!this.#due) this.#flushSoon();
  }

  /** Hands everything to the system; does not wait for the disk, which may take milliseconds. */
  flush(): void {
    const lines = this.#lines;
    this.#lines = '';
    if (lines !== '') this.#output.write(lines);
  }

  #flushSoon(): void {
    this.#due = true;
    const flush = () => {
      this.#due = false;
      this.flush();
    };
    setTimeout(flush, flushEveryMs).unref();
  }
}
