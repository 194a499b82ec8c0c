import { useId, useState } from 'preact/hooks';
import { execute } from '../../api/request.js';
import { session } from '../../api/session-state.js';
import { useAction, useFocusOnRefusal } from '../../api/use-action.js';
import { refresh } from '../../api/use-query.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { escapeHidden } from '../../components/data-text-parts.js';
import { DataText } from '../../components/data-text.js';
import { SelectField, TextArea, TextField } from '../../components/fields.js';
import { ErrorNotice } from '../../components/notice.js';
import { showToast } from '../../components/toast.js';
import {
  type portalSettingsQuery,
  updatePortalSettingsDocument,
  type UpdatePortalSettingsInput,
} from '../../generated/documents.js';
import { isColour, type PortalTheme, themeColours, tokens } from '../../portal/portal-theme.js';
import { fill, text } from '../../texts/text.js';

const texts = text.portalSettings;

/** Which sites may frame the portal, and its theme. */
export function SettingsForm({ settings }: { readonly settings: PortalSettings }) {
  const [draft, setDraft] = useState(() => draftOf(settings));
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
          options={schemes.map((choice) => [choice, texts.schemes[choice]])}
          onChange={(value) =>
            set({ scheme: schemes.find((choice) => choice === value) ?? 'system' })
          }
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

/** The theme without colours that are still being typed. */
function whole({ scheme, accent, background }: PortalTheme): PortalTheme {
  const known = (colour: string | null) => (colour !== null && isColour(colour) ? colour : null);
  return { scheme, accent: known(accent), background: known(background) };
}

interface ColourFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  /** The colour that the picker shows for an empty field. */
  readonly fallback: string;
  readonly error?: string | undefined;
  readonly warning?: string | undefined;
  readonly onInput: (value: string) => void;
}

/** A colour to type or to pick. */
export function ColourField(props: ColourFieldProps) {
  const { label, value, fallback, warning, onInput } = props;
  return (
    <div class="stack-s">
      <div class="colour">
        <TextField
          label={label}
          hint={props.hint}
          error={props.error}
          value={value}
          maxLength={7}
          placeholder={texts.colourPlaceholder}
          class="mono"
          onInput={onInput}
        />
        <input
          type="color"
          class="colour-picker"
          aria-label={label}
          value={isColour(value) ? value : fallback}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      </div>
      {warning !== undefined && (
        <p class="field-hint" role="status">
          {warning}
        </p>
      )}
    </div>
  );
}

const maxBytes = 32 * 1_024;

interface LogoFieldProps {
  /** A `data:` URL. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

/** Reads an image from the reader's device. */
export function LogoField({ value, onChange }: LogoFieldProps) {
  const id = useId();
  const [tooLarge, setTooLarge] = useState(false);
  const take = (file: File | undefined) => {
    if (!file) return;
    setTooLarge(file.size > maxBytes);
    if (file.size > maxBytes) return;
    const reader = new FileReader();
    reader.onload = () => onChange(typeof reader.result === 'string' ? reader.result : null);
    reader.readAsDataURL(file);
  };

  return (
    <div class="field">
      <label for={id}>{texts.logo}</label>
      <input
        id={id}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-describedby={`${id}-hint`}
        onChange={(event) => take(event.currentTarget.files?.[0])}
      />
      <p class="field-hint" id={`${id}-hint`}>
        {texts.logoHint}
      </p>
      {tooLarge && (
        <p class="field-error" role="alert">
          {texts.logoTooLarge}
        </p>
      )}
      {value !== null && (
        <div>
          <Button small onClick={() => onChange(null)}>
            {texts.removeLogo}
          </Button>
        </div>
      )}
    </div>
  );
}

interface LookPreviewProps {
  readonly theme: PortalTheme;
  readonly logo: string | null;
}

/** Previews the portal in each colour scheme that customers can see. */
export function LookPreview({ theme, logo }: LookPreviewProps) {
  const { colours } = themeColours(theme);
  const current = session.value;
  const name = current.state === 'signedIn' ? current.viewer.account.name : '';
  const shown = (['light', 'dark'] as const).filter(
    (scheme) => theme.scheme === null || theme.scheme === 'system' || theme.scheme === scheme,
  );
  return (
    <div class="previews">
      {shown.map((scheme) => (
        <figure
          key={scheme}
          class="preview"
          aria-label={scheme === 'light' ? texts.previewLight : texts.previewDark}
          style={{
            colorScheme: scheme,
            ...Object.fromEntries(
              [
                ...Object.entries(tokens[scheme]),
                ...Object.entries(colours).map(
                  ([token, colour]) => [token, colour[scheme]] as const,
                ),
              ].map(([token, value]) => [`--${token}`, value]),
            ),
          }}
        >
          <div class="brand">
            {logo === null ? (
              <DataText value={name} />
            ) : (
              <img class="brand-logo" src={logo} alt={escapeHidden(name)} />
            )}
          </div>
          <div class="card card-body">
            <p>{texts.previewText}</p>
            <p class="preview-link">{texts.previewLink}</p>
            <div>
              <span class="button button-primary">{texts.previewButton}</span>
            </div>
          </div>
        </figure>
      ))}
    </div>
  );
}

type PortalSettings = portalSettingsQuery['portalSettings'];
type Scheme = NonNullable<PortalTheme['scheme']>;

/** The choices of the form. */
const schemes: readonly Scheme[] = ['system', 'light', 'dark'];

/** The values of the form. */
interface PortalDraft {
  /** One per line. */
  readonly origins: string;
  readonly scheme: Scheme;
  /** Empty for the default. */
  readonly accent: string;
  readonly background: string;
  readonly logo: string | null;
}

/** The form with the current settings. */
function draftOf({ origins, theme, logo }: PortalSettings): PortalDraft {
  return {
    origins: origins.join('\n'),
    scheme: theme.scheme ?? 'system',
    accent: theme.accent ?? '',
    background: theme.background ?? '',
    logo,
  };
}

/** The input of the mutation. */
function inputOf(draft: PortalDraft): UpdatePortalSettingsInput {
  return {
    origins: draft.origins
      .split(/\s+/)
      .map((origin) => origin.replace(/\/$/, ''))
      .filter((origin) => origin !== ''),
    theme: themeOf(draft),
    logo: draft.logo,
  };
}

/** The theme of the form. An empty colour is null. */
function themeOf({ scheme, accent, background }: PortalDraft): PortalTheme {
  const colour = (typed: string) => (typed.trim() === '' ? null : typed.trim());
  return { scheme, accent: colour(accent), background: colour(background) };
}

/** Why a colour is invalid, or in which scheme it will not be used. */
function colourProblem(
  draft: PortalDraft,
  name: 'accent' | 'background',
): { readonly error?: string; readonly warning?: string } {
  const theme = themeOf(draft);
  const colour = theme[name];
  if (colour === null) return {};
  if (!isColour(colour)) return { error: texts.colourInvalid };
  const refused = themeColours(theme).refused[name];
  const shown = refused.filter((scheme) => draft.scheme === 'system' || draft.scheme === scheme);
  const [only] = shown;
  if (only === undefined) return {};
  const place = shown.length > 1 ? texts.onBoth : only === 'light' ? texts.onLight : texts.onDark;
  return { warning: fill(texts.tooLittleContrast, { where: place }) };
}
