import type { UpdatePortalSettingsInput, portalSettingsQuery } from '../../generated/documents.js';
import { isColour, type PortalTheme, themeColours } from '../../portal/portal-theme.js';
import { fill, text } from '../../texts/text.js';

export type PortalSettings = portalSettingsQuery['portalSettings'];
type Scheme = NonNullable<PortalTheme['scheme']>;

/** The choices of the form. */
export const schemes: readonly Scheme[] = ['system', 'light', 'dark'];

/** The form as it is typed. */
export interface PortalDraft {
  /** One a line. */
  readonly origins: string;
  readonly scheme: Scheme;
  /** Empty: none of its own. */
  readonly accent: string;
  readonly background: string;
  readonly logo: string | null;
}

/** The form of the present settings. */
export function draftOf({ origins, theme, logo }: PortalSettings): PortalDraft {
  return {
    origins: origins.join('\n'),
    scheme: theme.scheme ?? 'system',
    accent: theme.accent ?? '',
    background: theme.background ?? '',
    logo,
  };
}

/** What the form asks the service to store. */
export function inputOf(draft: PortalDraft): UpdatePortalSettingsInput {
  return {
    origins: draft.origins
      .split(/\s+/)
      .map((origin) => origin.replace(/\/$/, ''))
      .filter((origin) => origin !== ''),
    theme: themeOf(draft),
    logo: draft.logo,
  };
}

/** The theme of the form; a colour that is not whole yet is none. */
export function themeOf({ scheme, accent, background }: PortalDraft): PortalTheme {
  const colour = (typed: string) => (typed.trim() === '' ? null : typed.trim());
  return { scheme, accent: colour(accent), background: colour(background) };
}

/** What is wrong with a colour, or where it will not be used. */
export function colourProblem(
  draft: PortalDraft,
  name: 'accent' | 'background',
): { readonly error?: string; readonly warning?: string } {
  const theme = themeOf(draft);
  const colour = theme[name];
  if (colour === null) return {};
  const texts = text.portalSettings;
  if (!isColour(colour)) return { error: texts.colourInvalid };
  const refused = themeColours(theme).refused[name];
  const shown = refused.filter((each) => draft.scheme === 'system' || draft.scheme === each);
  const [only] = shown;
  if (only === undefined) return {};
  const place = shown.length > 1 ? texts.onBoth : only === 'light' ? texts.onLight : texts.onDark;
  return { warning: fill(texts.tooLittleContrast, { where: place }) };
}
