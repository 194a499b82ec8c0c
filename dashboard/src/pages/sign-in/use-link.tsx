import { signIn } from '../../api/session.js';
import { useAction } from '../../api/use-action.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { text } from '../../texts/text.js';

interface UseLinkProps {
  readonly token: string;
  readonly onUsed: () => void;
  readonly onNewLink: () => void;
}

/** Uses a link when its button is chosen: scanners of mails open links, but choose no buttons. */
export function UseLink({ token, onUsed, onNewLink }: UseLinkProps) {
  const using = useAction(async () => {
    await signIn({ token });
    onUsed();
  });
  const newLink = <Button onClick={onNewLink}>{text.signIn.newLink}</Button>;
  if (using.error?.status === 410) {
    return (
      <>
        <PageHeader key="expired" title={text.signIn.expiredTitle} lead={text.signIn.expired} />
        <div>{newLink}</div>
      </>
    );
  }
  if (using.error?.code === 'other_browser') {
    return (
      <>
        <PageHeader
          key="other"
          title={text.signIn.otherBrowserTitle}
          lead={text.signIn.otherBrowser}
        />
        <div>{newLink}</div>
      </>
    );
  }
  return (
    <>
      <PageHeader title={text.signIn.linkTitle} lead={text.signIn.linkLead} />
      {using.error && <ErrorNotice error={using.error} />}
      <Button kind="primary" busy={using.running} onClick={() => void using.run()}>
        {text.signIn.useLink}
      </Button>
    </>
  );
}
