import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DomainRules } from '../rules.js';

/**
 * The address of an invoice's PDF. Whoever has it may read the document, without a credential: it
 * holds 128 bits that only this service can make of the id, under the newest secret key.
 */
export function documentUrl(rules: Pick<DomainRules, 'baseUrl' | 'linkKey'>, id: string): string {
  return `${rules.baseUrl}/documents/${id}/${tagOf(rules.linkKey, id).toString('hex')}.pdf`;
}

/** Whether `tag` is what {@link documentUrl} put into the address of that document. */
export function opensDocument(linkKey: Buffer, id: string, tag: string): boolean {
  const given = Buffer.from(tag, 'hex');
  const wanted = tagOf(linkKey, id);
  return tag.length === 2 * wanted.length && given.length === wanted.length
    ? timingSafeEqual(given, wanted)
    : false;
}

function tagOf(linkKey: Buffer, id: string): Buffer {
  return createHmac('sha256', linkKey).update(`document ${id}`).digest().subarray(0, 16);
}
