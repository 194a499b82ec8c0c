import { PageHeader } from '../../components/page-header.js';
import { text } from '../../texts/text.js';

interface SignInHeaderProps {
  /** Whether the service sends links by mail. */
  readonly byMail: boolean;
  /** Whether a session has just ended. */
  readonly ended: boolean;
}

/** The heading of the sign-in. */
export function SignInHeader({ byMail, ended }: SignInHeaderProps) {
  const lead = byMail ? text.signIn.lead : undefined;
  return <PageHeader key="ask" title={text.signIn.title} lead={ended ? text.signIn.ended : lead} />;
}
