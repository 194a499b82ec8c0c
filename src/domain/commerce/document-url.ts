import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DomainRules } from '../rules.js';

/**
 * The address of an invoice's PDF. Whoever has it may read the document, without a credential: it
 * holds 128 bits that only this service can make of the id, under its newest secret key.
 */
export function documentUrl(rules: Pick<DomainRules, 'baseUrl' | 'linkKeys'>, id: string): string {
  const [newest] = rules.linkKeys;
  return `${rules.baseUrl}/documents/${id}/${tagOf(newest, id).toString('hex')}.pdf`;
}

/** Whether `tag` is what {@link documentUrl} put into that document's address, under any key. */
export function verifyDocumentTag(
  { linkKeys }: Pick<DomainRules, 'linkKeys'>,
  id: string,
  tag: string,
): boolean {
  const provided = Buffer.from(tag, 'hex');
  // Node's decoder skips what is no digit; only the one spelling we made is ours.
  if (provided.toString('hex') !== tag || provided.length !== tagLength) return false;
  return linkKeys.some((key) => timingSafeEqual(provided, tagOf(key, id)));
}

const tagLength = 16;

function tagOf(key: Buffer, id: string): Buffer {
  return createHmac('sha256', key).update(`document ${id}`).digest().subarray(0, tagLength);
}
