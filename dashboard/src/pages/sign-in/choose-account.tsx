import { useEffect } from 'preact/hooks';
import { signIn } from '../../api/session.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../components/button.js';
import { DataText } from '../../components/data-text.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { text } from '../../texts/text.js';
import type { AccountLink } from './fragment.js';

interface ChooseAccountProps {
  readonly links: readonly AccountLink[];
  /** Whether this tab began the sign-in. A single link is then used at once. */
  readonly isOwn: boolean;
  readonly onUsed: () => void;
  readonly onAgain: () => void;
}

/**
 * Ends a sign-in at the provider: at once, or after an account was chosen. Links that this tab did not ask
 * for are never used without a click.
 */
export function ChooseAccount({ links, isOwn, onUsed, onAgain }: ChooseAccountProps) {
  const using = useAction(async (token: string) => {
    await signIn({ token });
    onUsed();
  });
  const [only] = isOwn && links.length === 1 ? links : [];
  useEffect(() => {
    if (only) void using.run(only.token);
  }, [only?.token]);
  if (using.error) {
    return (
      <>
        <PageHeader key="failed" title={text.signIn.refusedTitle} />
        <ErrorNotice error={using.error} />
        <div>
          <Button onClick={onAgain}>{text.signIn.tryAgain}</Button>
        </div>
      </>
    );
  }
  if (only) return <PageHeader key="only" title={text.signIn.signingIn} />;
  return (
    <>
      <PageHeader
        key="choose"
        title={text.signIn.chooseTitle}
        lead={links.length > 1 ? text.signIn.chooseLead : undefined}
      />
      <div class="stack-s">
        {links.map(({ account, token }) => (
          <Button key={token} busy={using.running} onClick={() => void using.run(token)}>
            <DataText value={account} />
          </Button>
        ))}
      </div>
    </>
  );
}
