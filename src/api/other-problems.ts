/** Status, title and page of a Problem. */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** Text of the page at the Problem's `type`. */
  readonly page: string;
}

/** Problems of the dashboard's own requests and of the live stream; `/v1` never sends them. */
export const otherProblems = {
  document_unknown: {
    status: 400,
    title: 'Document unknown',
    page: 'The service has no operation with this id. The page is older or newer than the service: load it again.',
  },
  other_browser: {
    status: 409,
    title: 'Other browser',
    page: 'A mailed link opens a session only in the browser that asked for it. Open it there, or type the code of the mail there.',
  },
  link_expired: {
    status: 410,
    title: 'Link expired',
    page: 'A link opens one session, within 15 minutes. Ask for a new one.',
  },
  stream_position_gone: {
    status: 410,
    title: 'Stream position gone',
    page: 'The position is older than 30 days, or of another database, as after a restore. Open the stream with `since` in place of Last-Event-ID, and drop what you already have by its id.',
  },
  stream_limit_reached: {
    status: 429,
    title: 'Stream limit reached',
    page: 'The account has 20 open streams. Close one, or let several consumers share one.',
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;

/** A code that `/v1` never sends. */
export type OtherProblemCode = keyof typeof otherProblems;
