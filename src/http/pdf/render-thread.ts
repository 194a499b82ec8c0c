// The thread of a PdfRenderer. It answers each job with the bytes or an error.
import { parentPort, workerData } from 'node:worker_threads';
import { FontFolder, FontSet } from './fonts.js';
import { renderInvoice } from './invoice.js';
import type { RenderJob, RenderResult, RenderThreadData } from './renderer.js';

const builtIn = new FontSet();
const { fontFolder } = workerData as RenderThreadData;
let fonts = builtIn;
try {
  if (fontFolder !== undefined) fonts = new FontSet(new FontFolder(fontFolder));
} catch (error) {
  send({
    warning: `Cannot read the folder of PDF_FONTS, so only the bundled fonts are used: ${messageOf(error)}`,
  });
}

parentPort?.on('message', (renderJob: RenderJob) => {
  renderOne(renderJob).then(
    (bytes) => send({ jobId: renderJob.jobId, bytes }),
    (error: unknown) => send({ jobId: renderJob.jobId, error: messageOf(error) }),
  );
});

async function renderOne({ document }: RenderJob): Promise<Buffer> {
  try {
    return await renderInvoice(document, fonts);
  } catch (error) {
    if (fonts === builtIn) throw error;
    // A font that opens may still be damaged.
    send({
      warning: `Cannot use a font of PDF_FONTS, so this document uses the bundled fonts: ${messageOf(error)}`,
    });
    return renderInvoice(document, builtIn);
  }
}

function send(result: RenderResult): void {
  parentPort?.postMessage(result);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
