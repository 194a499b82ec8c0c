import { parentPort, workerData } from 'node:worker_threads';
import { FontFolder } from './font-folder.js';
import { FontSet } from './font-set.js';
import { renderInvoice } from './invoice-pdf.js';
import type { Job, Made, PressData } from './press.js';

// The thread of a Press: takes jobs and answers each with the bytes, or with what went wrong.

const builtIn = new FontSet();
const { fontFolder } = workerData as PressData;
let fonts = builtIn;
try {
  if (fontFolder !== undefined) fonts = new FontSet(new FontFolder(fontFolder));
} catch (error) {
  answer({ warning: `the folder of PDF_FONTS cannot be read: ${messageOf(error)}` });
}

parentPort?.on('message', (job: Job) => {
  renderOne(job).then(
    (bytes) => answer({ ticket: job.ticket, bytes }),
    (error: unknown) => answer({ ticket: job.ticket, fault: messageOf(error) }),
  );
});

async function renderOne({ document }: Job): Promise<Buffer> {
  try {
    return await renderInvoice(document, fonts);
  } catch (error) {
    if (fonts === builtIn) throw error;
    // A font of the folder that opens may still be damaged.
    answer({ warning: `a font of PDF_FONTS cannot be used: ${messageOf(error)}` });
    return renderInvoice(document, builtIn);
  }
}

function answer(made: Made): void {
  parentPort?.postMessage(made);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
