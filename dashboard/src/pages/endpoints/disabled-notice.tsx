import { execute } from '../../api/request.js';
import { useAction } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { ErrorNotice, Notice } from '../../components/notice.js';
import { showToast } from '../../components/toast.js';
import { type endpointQuery, updateEndpointDocument } from '../../generated/documents.js';
import { text } from '../../texts/text.js';
import { DisabledBecause } from './disabled-because.js';

interface DisabledNoticeProps {
  readonly endpoint: endpointQuery['endpoint'];
  readonly mayEnable: boolean;
}

/** Says why an endpoint receives nothing, and enables it. */
export function DisabledNotice({ endpoint, mayEnable }: DisabledNoticeProps) {
  const { id, disabledReason } = endpoint;
  const enabling = useAction(async () => {
    await execute(updateEndpointDocument, { id, input: { active: true } });
    refresh();
    showToast(text.endpoints.enabled);
  });
  return (
    <Notice
      kind="warn"
      title={text.endpoints.states[disabledReason === null ? 'inactive' : 'disabled']}
    >
      {disabledReason === null ? (
        <DisabledBecause id={id} />
      ) : (
        <p>{text.endpoints.reasons[disabledReason]}</p>
      )}
      {mayEnable && (
        <div>
          <Button small kind="primary" busy={enabling.running} onClick={() => void enabling.run()}>
            {text.endpoints.enable}
          </Button>
        </div>
      )}
      {enabling.error && <ErrorNotice error={enabling.error} />}
    </Notice>
  );
}
