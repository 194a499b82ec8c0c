import type { IncomingMessage } from 'node:http';
import { ApiError } from './problem.js';

/**
 * Reads the rest of an oversized body up to this size, so that the client receives the error and
 * not a reset.
 */
const maxDrainBytes = 8 * 1_048_576;

const empty = Buffer.alloc(0);

/** Whether the headers announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Reads a whole body; empty if there is none.
 * @throws ApiError payload_too_large, or malformed_request when the connection ends early
 */
export function readRawBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (!hasBody(request)) return Promise.resolve(empty);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > maxDrainBytes) {
      reject(tooLarge(maxBytes));
      return;
    }
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) chunks.push(chunk);
      else chunks.length = 0;
      if (length > maxDrainBytes) {
        request.pause();
        reject(tooLarge(maxBytes));
      }
    });
    request.on('end', () => {
      if (length > maxBytes) reject(tooLarge(maxBytes));
      else resolve(chunks.length === 1 ? (chunks[0] ?? empty) : Buffer.concat(chunks, length));
    });
    // The client is gone and reads no error; the request only has to end.
    request.on('error', () =>
      reject(
        new ApiError('malformed_request', 'The request body ended before its announced length.'),
      ),
    );
  });
}

function tooLarge(maxBytes: number): ApiError {
  const detail = `The request body must be at most ${maxBytes.toLocaleString('en')} bytes.`;
  return new ApiError('payload_too_large', detail);
}
