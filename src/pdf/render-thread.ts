import { parentPort, workerData } from 'node:worker_threads';
import { FontFolder } from './font-folder.js';
import { FontSet } from './font-set.js';
import { renderInvoice } from './invoice-pdf.js';
import type { RenderJob, RenderResult, RenderThreadData } from './pdf-renderer.js';

// The thread of a Press: takes jobs and answers each with the bytes, or with what went wrong.

const builtIn = new FontSet();
const { fontFolder } = workerData as RenderThreadData;
let fonts = builtIn;
try {
  if (fontFolder !== undefined) fonts = new FontSet(new FontFolder(fontFolder));
} catch (error) {
  answer({ warning: `the folder of PDF_FONTS cannot be read: ${messageOf(error)}` });
}

parentPort?.on('message', (renderJob: RenderJob) => {
  renderOne(renderJob).then(
    (bytes) => answer({ jobId: renderJob.jobId, bytes }),
    (error: unknown) => answer({ jobId: renderJob.jobId, error: messageOf(error) }),
  );
});

async function renderOne({ document }: RenderJob): Promise<Buffer> {
  try {
    return await renderInvoice(document, fonts);
  } catch (error) {
    if (fonts === builtIn) throw error;
    // A font of the folder that opens may still be damaged.
    answer({ warning: `a font of PDF_FONTS cannot be used: ${messageOf(error)}` });
    return renderInvoice(document, builtIn);
  }
}

function answer(result: RenderResult): void {
  parentPort?.postMessage(result);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
