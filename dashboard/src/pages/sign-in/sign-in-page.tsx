import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { session } from '../../api/session-state.js';
import { beginAtProvider, requestLink, signIn } from '../../api/session.js';
import { useAction, useFocusOnRefusal } from '../../api/use-action.js';
import { Button } from '../../components/button.js';
import { DataText } from '../../components/data-text.js';
import { TextField } from '../../components/fields.js';
import { ErrorNotice } from '../../components/notice.js';
import { PageHeader } from '../../components/page-header.js';
import icon from '../../icon.svg';
import { startPath } from '../../shell/navigation.js';
import { LanguageSwitch } from '../../shell/switches.js';
import { fill, text } from '../../texts/text.js';
import {
  type AccountLink,
  looksLikeEmail,
  normalizeCode,
  pathAfterSignIn,
  readFragment,
  type Refusal,
} from './sign-in-rules.js';

const texts = text.signIn;

/**
 * Signs in with a mailed link, with its code, or at the operator's OpenID provider.
 *
 * The fragment of the URL carries the token of a link, or the result of the provider. The page removes it
 * from the URL at once, so that no history keeps it. It uses nothing from it without a click, unless this tab
 * started the sign-in: another site can open this page with its own links. Afterwards it opens the view that
 * `next` names, which must be one of the dashboard.
 */
export function SignInPage() {
  const { query, route } = useLocation();
  const [fragment, setFragment] = useState(() => readFragment(location.hash));
  const [email, setEmail] = useState<string>();
  const current = session.value;
  const again = () => {
    setFragment(undefined);
    setEmail(undefined);
  };

  useEffect(() => {
    const take = () => {
      const next = readFragment(location.hash);
      if (next === undefined) return;
      // The token must not stay in the history of the browser.
      history.replaceState(history.state, '', location.pathname + location.search);
      setFragment(next);
    };
    take();
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);

  useEffect(() => {
    // A link signs in anew, perhaps as another member.
    if (current.state !== 'signedIn' || fragment !== undefined) return;
    route(pathAfterSignIn(query['next'] ?? takeNext()) ?? startPath(), true);
  }, [current.state, fragment]);

  const provider = providerName();
  const only = isProviderOnly();
  return (
    <main class="center">
      <div class="brand">
        <img src={icon} alt="" width="28" height="28" />
        Signalpost
      </div>
      <div class="card card-body">
        {fragment?.kind === 'token' && (
          <UseLink token={fragment.token} onUsed={() => setFragment(undefined)} onNewLink={again} />
        )}
        {fragment?.kind === 'links' && (
          <ChooseAccount
            links={fragment.links}
            isOwn={isOwnAttempt(fragment.state)}
            onUsed={() => setFragment(undefined)}
            onAgain={again}
          />
        )}
        {fragment?.kind === 'refused' && <AskAgain refusal={fragment.refusal} onAgain={again} />}
        {!fragment && email !== undefined && (
          <EnterCode email={email} onAgain={() => setEmail(undefined)} />
        )}
        {!fragment && email === undefined && (
          <>
            <SignInHeader byMail={!only} ended={current.state === 'signedOut' && current.ended} />
            {provider !== undefined && <AtProvider name={provider} only={only} />}
            {!only && <AskForLink onSent={setEmail} focused={provider === undefined} />}
          </>
        )}
      </div>
      <LanguageSwitch />
    </main>
  );
}

interface SignInHeaderProps {
  /** Whether the service sends links by mail. */
  readonly byMail: boolean;
  /** Whether a session has just ended. */
  readonly ended: boolean;
}

/** The heading of the sign-in. */
function SignInHeader({ byMail, ended }: SignInHeaderProps) {
  const lead = byMail ? texts.lead : undefined;
  return <PageHeader key="ask" title={texts.title} lead={ended ? texts.ended : lead} />;
}

interface AtProviderProps {
  readonly name: string;
  /** Whether this is the only way to sign in. */
  readonly only: boolean;
}

/** Sends the browser to the operator's OpenID provider. */
function AtProvider({ name, only }: AtProviderProps) {
  const { query } = useLocation();
  const leaving = useAction(async () => {
    const url = await beginAtProvider();
    keepNext(query['next']);
    keepAttempt(url);
    location.assign(url);
  });

  return (
    <div class="stack-s">
      <Button busy={leaving.running} onClick={() => void leaving.run()}>
        {fill(texts.atProvider, { provider: name })}
      </Button>
      {leaving.error && <ErrorNotice error={leaving.error} />}
      {!only && <p class="soft">{texts.or}</p>}
    </div>
  );
}

interface AskForLinkProps {
  readonly onSent: (email: string) => void;
  /** Whether the field gets the focus at once. */
  readonly focused: boolean;
}

/** Asks for the address to mail a link to. */
function AskForLink({ onSent, focused }: AskForLinkProps) {
  const [email, setEmail] = useState('');
  const [invalid, setInvalid] = useState(false);
  const sending = useAction(async () => {
    await requestLink(email.trim());
    onSent(email.trim());
  });

  const form = useFocusOnRefusal(sending.error);
  const fieldError = invalid ? texts.invalidEmail : sending.error?.fields['email'];
  return (
    <form
      ref={form}
      class="stack-s"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const valid = looksLikeEmail(email);
        setInvalid(!valid);
        if (valid) void sending.run();
      }}
    >
      <TextField
        label={texts.email}
        type="email"
        autoComplete="email"
        autoFocus={focused}
        value={email}
        error={fieldError}
        onInput={(value) => {
          setEmail(value);
          setInvalid(false);
        }}
      />
      {sending.error && fieldError === undefined && <ErrorNotice error={sending.error} />}
      <Button kind="primary" type="submit" busy={sending.running}>
        {texts.send}
      </Button>
    </form>
  );
}

const codeLength = 8;

interface EnterCodeProps {
  readonly email: string;
  readonly onAgain: () => void;
}

/** Waits until another tab uses the mailed link, and accepts its code instead. */
function EnterCode({ email, onAgain }: EnterCodeProps) {
  const [code, setCode] = useState('');
  const using = useAction(() => signIn({ code: normalizeCode(code) }));
  const complete = normalizeCode(code).length === codeLength;
  const [incomplete, setIncomplete] = useState(false);
  const form = useFocusOnRefusal(using.error);
  const expired = using.error?.status === 410;
  const refused = expired ? undefined : using.error?.message;
  const fieldError = incomplete ? texts.codeIncomplete : refused;
  return (
    <>
      <PageHeader title={texts.sentTitle} lead={fill(texts.sent, { email })} />
      <p class="soft">{texts.sentHint}</p>
      <form
        ref={form}
        class="stack-s"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setIncomplete(!complete);
          if (complete) void using.run();
        }}
      >
        <TextField
          label={texts.code}
          hint={texts.codeHint}
          class="input-code"
          autoComplete="one-time-code"
          value={code}
          error={fieldError}
          onInput={(value) => {
            setCode(value);
            setIncomplete(false);
          }}
        />
        {expired && <ErrorNotice error={using.error} />}
        <div class="row">
          {!expired && (
            <Button kind="primary" type="submit" busy={using.running}>
              {texts.useCode}
            </Button>
          )}
          <Button kind={expired ? 'primary' : 'quiet'} onClick={onAgain}>
            {expired ? texts.newLink : texts.again}
          </Button>
        </div>
      </form>
    </>
  );
}

interface UseLinkProps {
  readonly token: string;
  readonly onUsed: () => void;
  readonly onNewLink: () => void;
}

/** Uses a link only when its button is clicked: mail scanners open links, but click no buttons. */
function UseLink({ token, onUsed, onNewLink }: UseLinkProps) {
  const using = useAction(async () => {
    await signIn({ token });
    onUsed();
  });

  const newLink = <Button onClick={onNewLink}>{texts.newLink}</Button>;

  if (using.error?.status === 410) {
    return (
      <>
        <PageHeader key="expired" title={texts.expiredTitle} lead={texts.expired} />
        <div>{newLink}</div>
      </>
    );
  }

  if (using.error?.code === 'other_browser') {
    return (
      <>
        <PageHeader key="other" title={texts.otherBrowserTitle} lead={texts.otherBrowser} />
        <div>{newLink}</div>
      </>
    );
  }

  return (
    <>
      <PageHeader title={texts.linkTitle} lead={texts.linkLead} />
      {using.error && <ErrorNotice error={using.error} />}
      <Button kind="primary" busy={using.running} onClick={() => void using.run()}>
        {texts.useLink}
      </Button>
    </>
  );
}

interface ChooseAccountProps {
  readonly links: readonly AccountLink[];
  /** Whether this tab started the sign-in. If so, a single link is used at once. */
  readonly isOwn: boolean;
  readonly onUsed: () => void;
  readonly onAgain: () => void;
}

/**
 * Completes a sign-in at the provider: at once, or after an account was chosen. Links that this tab did not
 * ask for are never used without a click.
 */
function ChooseAccount({ links, isOwn, onUsed, onAgain }: ChooseAccountProps) {
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
        <PageHeader key="failed" title={texts.refusedTitle} />
        <ErrorNotice error={using.error} />
        <div>
          <Button onClick={onAgain}>{texts.tryAgain}</Button>
        </div>
      </>
    );
  }

  if (only) return <PageHeader key="only" title={texts.signingIn} />;

  return (
    <>
      <PageHeader
        key="choose"
        title={texts.chooseTitle}
        lead={links.length > 1 ? texts.chooseLead : undefined}
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

interface AskAgainProps {
  readonly refusal: Refusal;
  readonly onAgain: () => void;
}

/** Says why the sign-in at the provider failed. */
function AskAgain({ refusal, onAgain }: AskAgainProps) {
  const reason: string = texts.refused[refusal];
  return (
    <>
      <PageHeader
        key="refused"
        title={texts.refusedTitle}
        lead={reason.replace('{provider}', providerName() ?? '')}
      />
      <div>
        <Button kind="primary" onClick={onAgain}>
          {texts.tryAgain}
        </Button>
      </div>
    </>
  );
}

/** The name of the operator's OpenID provider; undefined without one. */
function providerName(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="openid-provider"]')?.content;
}

/** Whether the provider is the only way to sign in. */
function isProviderOnly(): boolean {
  return document.querySelector('meta[name="openid-only"]') !== null;
}

const nextKey = 'signalpost-next';

/** Remembers the page to open after the sign-in, while this tab is at the provider. */
function keepNext(next: string | undefined): void {
  if (next === undefined) sessionStorage.removeItem(nextKey);
  else sessionStorage.setItem(nextKey, next);
}

/** Returns what {@link keepNext} remembered, once. */
function takeNext(): string | undefined {
  const next = sessionStorage.getItem(nextKey) ?? undefined;
  sessionStorage.removeItem(nextKey);
  return next;
}

const attemptKey = 'signalpost-attempt';

/** Remembers which sign-in this tab starts. @param url where the browser goes, at the provider */
function keepAttempt(url: string): void {
  const state = new URL(url).searchParams.get('state') ?? '';
  sessionStorage.setItem(attemptKey, state);
}

/**
 * Says whether this tab started the sign-in that a fragment completes. Another site can open this page with
 * its own links, which would sign the reader in to a foreign account.
 */
function isOwnAttempt(state: string): boolean {
  return state !== '' && sessionStorage.getItem(attemptKey) === state;
}
