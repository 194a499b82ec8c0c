import { PageHeader } from '../../components/page-header.js';
import { text } from '../../texts/text.js';

/** The heading of the sign-in. @param ended whether a session has just ended */
export function SignInHeader({ ended }: { readonly ended: boolean }) {
  const lead = ended ? text.signIn.ended : text.signIn.lead;
  return <PageHeader key="ask" title={text.signIn.title} lead={lead} />;
}
