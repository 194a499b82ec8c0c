import { parentPort } from 'node:worker_threads';
import { renderInvoice } from './invoice-pdf.js';
import type { Job, Made } from './press.js';

// The thread of a Press: takes jobs and answers each with the bytes, or with what went wrong.
parentPort?.on('message', ({ ticket, document }: Job) => {
  renderInvoice(document).then(
    (bytes) => answer({ ticket, bytes }),
    (error: unknown) => answer({ ticket, fault: error instanceof Error ? error.message : '' }),
  );
});

function answer(made: Made): void {
  parentPort?.postMessage(made);
}
