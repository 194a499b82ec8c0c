import type { Message } from '../domain/notice/mail-templates.js';
import type { NoticeOutcome } from '../domain/notice/outcome.js';

/** A message with what makes it one mail, however often it is sent. */
export interface Mail extends Message {
  /** With its angle brackets. */
  readonly messageId: string;
  readonly date: Date;
}

/** Sends mails, or puts them where they can be read. */
export interface Mailer {
  /** Where mails go, without credentials. */
  readonly destination: string;
  /** Mails that it sends at a time; further ones would wait. */
  readonly slots: number;
  /** Sends one mail, breaks off when `signal` aborts. Never throws for what a server does or says. */
  send(mail: Mail, signal: AbortSignal): Promise<NoticeOutcome>;
  /** Ends every connection, those in use too. */
  close(): void;
}
