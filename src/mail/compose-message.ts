import type { SendMailOptions } from 'nodemailer';
import type { Mail } from './mailer.js';

/** An unbroken line of a header may have 998 characters (RFC 5322, section 2.1.1). */
const maxPlainLength = 500;
/** Bytes in one encoded word: it may have 75 characters (RFC 2047, section 2). */
const bytesPerWord = 42;

/**
 * A mail as nodemailer takes it: the same bytes however often it is composed, marked as written by a
 * machine (RFC 3834), and unable to attach files or fetch addresses.
 */
export function composeMessage(mail: Mail, from: string): SendMailOptions {
  const { to, subject, text, html, messageId, date } = mail;
  return {
    ...{ from, text, messageId, date },
    // As an object it is one address, whatever is in it.
    to: { name: '', address: to },
    subject: subject.length > maxPlainLength ? encodedWords(subject) : subject,
    ...(html !== undefined && { html, baseBoundary: messageId }),
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The text as words that a header line can be folded between. */
function encodedWords(text: string): string {
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > bytesPerWord) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word]
    .map((each) => `=?UTF-8?B?${Buffer.from(each).toString('base64')}?=`)
    .join(' ');
}
