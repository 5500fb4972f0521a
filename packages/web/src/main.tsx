import './app/tokens.css';
import './app/base.css';
import { sleep, systemClock } from '@engawa/client';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { createBrowserSession } from './app/browserSession.ts';
import { ErrorBoundary } from './app/ErrorBoundary.tsx';
import { createLastMember } from './app/lastMember.ts';
import { followLinks, forgetLink, reloadedLink, takeLink } from './app/link.ts';
import { createRouter } from './app/route.ts';
import { LocaleProvider } from './i18n/LocaleProvider.tsx';
import { ja } from './i18n/ja.ts';
import { loadWords, rememberedLocale } from './i18n/locale.ts';
import { createModel } from './model/createModel.ts';
import { forgetOutbox } from './model/outbox/outboxName.ts';
import { browserStorage, forgetUnsent, tabStorage } from './model/browserStorage.ts';
import { leavePage } from './components/primitives/layers.ts';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');

// Before anything else remembers the address.
const link = takeLink(window, tabStorage());
const reloaded = link === undefined ? reloadedLink(window, tabStorage()) : undefined;
const router = createRouter(window);
followLinks(window);
const browserSession = createBrowserSession({
  fetch: (...request) => fetch(...request),
  startModel: (session) => {
    const model = createModel({ session });
    const { conversation, messageId } = router.route();
    model.start(conversation === undefined ? undefined : { conversation, messageId });
    return model;
  },
  channel: new BroadcastChannel('engawa v1 session'),
  lastMember: createLastMember(browserStorage()),
  link,
  reloaded,
  staysOut: location.hash === '#/sign-in',
  forgetLink: () => forgetLink(tabStorage()),
  onSignedOut: (userId) => {
    forgetUnsent(tabStorage(), userId);
    forgetUnsent(browserStorage(), userId);
    // Where the browser keeps no databases there is nothing to forget.
    forgetOutbox(userId).catch(() => undefined);
  },
  onSignedOutElsewhere: (userId) => forgetUnsent(tabStorage(), userId),
  leave: () => leavePage(() => location.reload()),
});
const { promise: opened, resolve: endOpening } = Promise.withResolvers<void>();
void browserSession.open().finally(endOpening);

/** English is fetched first where it is remembered; should that fail, Japanese is here. */
async function firstLanguage() {
  const locale = rememberedLocale();
  try {
    return { locale, words: await loadWords(locale) } as const;
  } catch {
    return { locale: 'ja', words: ja } as const;
  }
}

/** Milliseconds in which the session usually opens. A start screen that is drawn meanwhile would only delay the first messages. */
const usualOpening = 200;

/** Not awaited at the top: the other language shares parts with this module, and would wait for it in turn. */
async function begin(container: HTMLElement) {
  const [language] = await Promise.all([firstLanguage(), Promise.race([opened, sleep(systemClock, usualOpening)])]);
  document.documentElement.lang = language.locale;
  createRoot(container).render(
    <StrictMode>
      <LocaleProvider initial={language}>
        <ErrorBoundary>
          <App browserSession={browserSession} router={router} />
        </ErrorBoundary>
      </LocaleProvider>
    </StrictMode>,
  );
}

void begin(root);
