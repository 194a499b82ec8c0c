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

/** Signs in by a link of a mail, by its code, or at the operator's OpenID provider. */
export function SignInPage() {
  const { query, route } = useLocation();
  const [brought, setBrought] = useState(() => readFragment(location.hash));
  const [email, setEmail] = useState<string>();
  const current = session.value;
  const again = () => {
    setBrought(undefined);
    setEmail(undefined);
  };
  useEffect(() => {
    const take = () => {
      const found = readFragment(location.hash);
      if (found === undefined) return;
      // The token must not stay in the history of the browser.
      history.replaceState(history.state, '', location.pathname + location.search);
      setBrought(found);
    };
    take();
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  useEffect(() => {
    // A link is a sign-in of its own, perhaps as another member.
    if (current.state !== 'signedIn' || brought !== undefined) return;
    route(pathAfterSignIn(query['next'] ?? takeNext()) ?? startPath(), true);
  }, [current.state, brought]);
  const provider = providerName();
  const only = isProviderOnly();
  return (
    <main class="center">
      <div class="brand">
        <img src={icon} alt="" width="28" height="28" />
        Signalpost
      </div>
      <div class="card card-body">
        {brought?.kind === 'token' && (
          <UseLink token={brought.token} onUsed={() => setBrought(undefined)} onNewLink={again} />
        )}
        {brought?.kind === 'links' && (
          <ChooseAccount
            links={brought.links}
            isOwn={isOwnAttempt(brought.state)}
            onUsed={() => setBrought(undefined)}
            onAgain={again}
          />
        )}
        {brought?.kind === 'refused' && <AskAgain refusal={brought.refusal} onAgain={again} />}
        {!brought && email !== undefined && (
          <EnterCode email={email} onAgain={() => setEmail(undefined)} />
        )}
        {!brought && email === undefined && (
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
  /** Whether there is no other way to sign in. */
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
  /** Whether the field has the focus at once. */
  readonly focused: boolean;
}

/** Asks for the address that gets the mail. */
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

/** Waits for the link of the mail, and takes its code instead. Another tab may use the link. */
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

/** Uses a link when its button is chosen: scanners of mails open links, but choose no buttons. */
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
  /** Whether this tab began the sign-in. A single link is then used at once. */
  readonly isOwn: boolean;
  readonly onUsed: () => void;
  readonly onAgain: () => void;
}

/**
 * Ends a sign-in at the provider: at once, or after an account was chosen. Links that this tab did not ask
 * for are never used without a click.
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

/** Says why the provider brought no sign-in. */
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

/** Keeps the page to open after the sign-in, while this tab is at the provider. */
function keepNext(next: string | undefined): void {
  if (next === undefined) sessionStorage.removeItem(nextKey);
  else sessionStorage.setItem(nextKey, next);
}

/** Returns what {@link keepNext} kept, once. */
function takeNext(): string | undefined {
  const next = sessionStorage.getItem(nextKey) ?? undefined;
  sessionStorage.removeItem(nextKey);
  return next;
}

const attemptKey = 'signalpost-attempt';

/** Keeps which sign-in this tab begins. @param url where the browser goes, at the provider */
function keepAttempt(url: string): void {
  const state = new URL(url).searchParams.get('state') ?? '';
  sessionStorage.setItem(attemptKey, state);
}

/**
 * Says whether this tab began the sign-in that a fragment ends. Another site can open this page with links
 * of its own, which would sign the reader in to a foreign account.
 */
function isOwnAttempt(state: string): boolean {
  return state !== '' && sessionStorage.getItem(attemptKey) === state;
}
