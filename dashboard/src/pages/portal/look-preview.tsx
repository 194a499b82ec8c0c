import { session } from '../../api/session-state.js';
import { DataText } from '../../components/data-text.js';
import { escapeHidden } from '../../components/data-text-parts.js';
import { type PortalTheme, themeColours, tokens } from '../../portal/portal-theme.js';
import { text } from '../../texts/text.js';

interface LookPreviewProps {
  readonly theme: PortalTheme;
  readonly logo: string | null;
}

/** Shows the look of the portal, in each scheme that customers can see. */
export function LookPreview({ theme, logo }: LookPreviewProps) {
  const { colours } = themeColours(theme);
  const texts = text.portalSettings;
  const current = session.value;
  const name = current.state === 'signedIn' ? current.viewer.account.name : '';
  const shown = (['light', 'dark'] as const).filter(
    (each) => theme.scheme === null || theme.scheme === 'system' || theme.scheme === each,
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
                ...Object.entries(colours).map(([token, each]) => [token, each[scheme]] as const),
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
