import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DomainRules } from '../rules.js';

/**
 * Returns the URL of an invoice's PDF. Anyone with the URL may read the document without a credential.
 * The URL holds a tag of 128 bits, which the service makes of the id under its newest secret key.
 */
export function documentUrl(rules: Pick<DomainRules, 'baseUrl' | 'linkKeys'>, id: string): string {
  const [newest] = rules.linkKeys;
  return `${rules.baseUrl}/documents/${id}/${tagOf(newest, id).toString('hex')}.pdf`;
}

/** Says whether {@link documentUrl} made `tag` for this document, under any key. */
export function verifyDocumentTag(
  { linkKeys }: Pick<DomainRules, 'linkKeys'>,
  id: string,
  tag: string,
): boolean {
  const provided = Buffer.from(tag, 'hex');
  // Node's decoder stops at a character that is no digit. Accept only the exact text that documentUrl made.
  if (provided.toString('hex') !== tag || provided.length !== tagLength) return false;
  return linkKeys.some((key) => timingSafeEqual(provided, tagOf(key, id)));
}

const tagLength = 16;

function tagOf(key: Buffer, id: string): Buffer {
  return createHmac('sha256', key).update(`document ${id}`).digest().subarray(0, tagLength);
}
