import { base } from '../../api/base.js';
import { RequestError } from '../../api/request-error.js';
import { Button, ButtonLink } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Fact, Facts } from '../../components/facts.js';
import { Instant } from '../../components/instant.js';
import { Notice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import { Secret } from '../../components/secret.js';
import { TextField } from '../../components/text-field.js';
import { showToast } from '../../components/toast.js';
import { OverlapBar } from '../endpoints/overlap-bar.js';
import { StateBadge } from '../endpoints/state-badge.js';
import '../endpoints/endpoints.css';

/** Shows every component, for those who build a view. Only in development. */
export function ComponentsPage() {
  return (
    <>
      <PageHeader
        title="Components"
        lead="What views are built of."
        actions={<Button kind="primary">Action</Button>}
      />
      <Card title="Buttons" actions={<Button small>Small</Button>}>
        <div class="row">
          <Button kind="primary">Primary</Button>
          <Button>Plain</Button>
          <Button kind="danger">Danger</Button>
          <Button kind="quiet">Quiet</Button>
          <Button busy>Busy</Button>
          <ButtonLink href={`${base}/endpoints`}>Link</ButtonLink>
          <Button onClick={() => showToast('The toast says what happened.')}>Toast</Button>
        </div>
      </Card>
      <Card title="States">
        <div class="row">
          <StateBadge state="healthy" />
          <StateBadge state="failing" />
          <StateBadge state="disabled" />
          <StateBadge state="inactive" />
        </div>
      </Card>
      <Card title="Fields">
        <TextField label="Name" hint="What it is for." value="" placeholder="Example" />
        <TextField label="Wrong" value="http://" error="The URL must start with https://." />
        <TextField label="Read-only" value="ada@example.com" readOnly hint="Why it is." />
      </Card>
      <Card title="Facts">
        <Facts>
          <Fact name="Time">
            <Instant at="2026-11-23T12:00:00Z" />
          </Fact>
          <Fact name="Id">
            <code>whs_0123456789</code>
          </Fact>
        </Facts>
      </Card>
      <Card title="Secret">
        <Secret value="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" />
        <OverlapBar />
      </Card>
      <Notice kind="warn" title="A warning">
        <p>It says what follows.</p>
      </Notice>
      <ErrorNotice error={new RequestError('example', 'It says why.')} retry={() => undefined} />
      <EmptyState title="Nothing yet" action={<Button kind="primary">Create one</Button>}>
        It says what to do next.
      </EmptyState>
    </>
  );
}
