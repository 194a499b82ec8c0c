import type { Message, NoticeOutcome } from '../domain/notice/mail.js';

/** A message with the id and date that stay the same when it is sent again. */
export interface Mail extends Message {
  /** With its angle brackets. */
  readonly messageId: string;
  readonly date: Date;
}

/** Sends mails to a server, or writes them as files. */
export interface Mailer {
  /** Where mails go, without credentials. */
  readonly destination: string;
  /** How many mails it sends at a time; further mails would wait. */
  readonly slots: number;
  /** Sends one mail and stops when `signal` aborts. A server's failure is an outcome, not an exception. */
  send(mail: Mail, signal: AbortSignal): Promise<NoticeOutcome>;
  /** Closes every connection, including those in use. */
  close(): void;
}
