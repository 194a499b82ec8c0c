import { Button } from '../../components/button.js';
import { PageHeader } from '../../components/page-header.js';
import { text } from '../../texts/text.js';
import type { Refusal } from './fragment.js';
import { providerName } from './provider.js';

interface AskAgainProps {
  readonly refusal: Refusal;
  readonly onAgain: () => void;
}

/** Says why the provider brought no sign-in. */
export function AskAgain({ refusal, onAgain }: AskAgainProps) {
  const reason: string = text.signIn.refused[refusal];
  return (
    <>
      <PageHeader
        key="refused"
        title={text.signIn.refusedTitle}
        lead={reason.replace('{provider}', providerName() ?? '')}
      />
      <div>
        <Button kind="primary" onClick={onAgain}>
          {text.signIn.tryAgain}
        </Button>
      </div>
    </>
  );
}
