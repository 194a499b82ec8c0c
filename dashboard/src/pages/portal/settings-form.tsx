import { useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { useAction, useFocusOnRefusal } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ErrorNotice } from '../../components/notice.js';
import { SelectField, TextArea } from '../../components/fields.js';
import { showToast } from '../../components/toast.js';
import { updatePortalSettingsDocument } from '../../generated/documents.js';
import { isColour, type PortalTheme, tokens } from '../../portal/portal-theme.js';
import { text } from '../../texts/text.js';
import { ColourField } from './colour-field.js';
import { LogoField } from './logo-field.js';
import { LookPreview } from './look-preview.js';
import {
  colourProblem,
  draftOf,
  inputOf,
  type PortalDraft,
  type PortalSettings,
  schemes,
  themeOf,
} from './portal-draft.js';

/** Who may frame the portal, and how it looks. */
export function SettingsForm({ settings }: { readonly settings: PortalSettings }) {
  const [draft, setDraft] = useState(() => draftOf(settings));
  const texts = text.portalSettings;
  const set = (change: Partial<PortalDraft>) => setDraft((before) => ({ ...before, ...change }));
  const saving = useAction(async () => {
    await execute(updatePortalSettingsDocument, { input: inputOf(draft) });
    refresh();
    showToast(texts.saved);
  });
  const problems = {
    accent: colourProblem(draft, 'accent'),
    background: colourProblem(draft, 'background'),
  };
  const isSendable = !problems.accent.error && !problems.background.error;
  const form = useFocusOnRefusal(saving.error);
  const originsError = saving.error?.fields['origins'];
  const shownError = saving.error && originsError === undefined ? saving.error : undefined;
  return (
    <form
      ref={form}
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isSendable) void saving.run();
      }}
    >
      <Card title={texts.framing}>
        <TextArea
          label={texts.origins}
          hint={texts.originsHint}
          error={originsError}
          rows={3}
          value={draft.origins}
          onInput={(origins) => set({ origins })}
        />
      </Card>
      <Card title={texts.look}>
        <SelectField
          label={texts.scheme}
          value={draft.scheme}
          options={schemes.map((each) => [each, texts.schemes[each]])}
          onChange={(value) => set({ scheme: schemes.find((each) => each === value) ?? 'system' })}
        />
        <ColourField
          label={texts.accent}
          hint={texts.accentHint}
          value={draft.accent}
          fallback={tokens.light['accent'] ?? ''}
          {...problems.accent}
          onInput={(accent) => set({ accent })}
        />
        <ColourField
          label={texts.background}
          hint={texts.backgroundHint}
          value={draft.background}
          fallback={tokens.light['page'] ?? ''}
          {...problems.background}
          onInput={(background) => set({ background })}
        />
        <LogoField value={draft.logo} onChange={(logo) => set({ logo })} />
        <h3>{texts.preview}</h3>
        <LookPreview theme={whole(themeOf(draft))} logo={draft.logo} />
      </Card>
      {shownError && <ErrorNotice error={shownError} />}
      <div>
        <Button kind="primary" type="submit" busy={saving.running}>
          {texts.save}
        </Button>
      </div>
    </form>
  );
}

/** Without a colour that is still being typed. */
function whole({ scheme, accent, background }: PortalTheme): PortalTheme {
  const known = (colour: string | null) => (colour !== null && isColour(colour) ? colour : null);
  return { scheme, accent: known(accent), background: known(background) };
}
