import type { SendMailOptions } from 'nodemailer';
import type { Mail } from './mailer.js';

/** A header line has at most 998 characters (RFC 5322, section 2.1.1). */
const maxPlainLength = 500;
/** Bytes in one encoded word, which has at most 75 characters (RFC 2047, section 2). */
const bytesPerWord = 42;

/**
 * Turns a mail into nodemailer's options. Composing it again gives the same bytes. The mail is marked as
 * automatic (RFC 3834), and nodemailer may neither read files nor fetch URLs for it.
 */
export function composeMessage(mail: Mail, from: string): SendMailOptions {
  const { to, subject, text, html, messageId, date } = mail;
  return {
    from,
    text,
    messageId,
    date,
    // nodemailer parses a string as a list of addresses; an object stays one address.
    to: { name: '', address: to },
    subject: subject.length > maxPlainLength ? encodedWords(subject) : subject,
    ...(html !== undefined && { html, baseBoundary: messageId }),
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Splits the text into encoded words (RFC 2047), so that a header can be folded between them. */
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
