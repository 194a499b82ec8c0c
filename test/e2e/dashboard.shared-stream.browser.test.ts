import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { answer } from '../support/behaviours.js';
import { describeDashboard } from '../support/dashboard.js';
import { recordedAs } from '../support/delivery-records.js';
import { createEndpoint } from '../support/endpoints.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

/** One more than a browser has connections to one host. */
const tabCount = 7;
const path = '/dashboard/deliveries';

/** The Web Locks of a browser. */
interface Locks {
  readonly held: readonly unknown[];
  readonly pending: readonly unknown[];
}

// On a service of its own, because it counts streams.
describeDashboard(
  'the live stream of several tabs',
  (user) => {
    let receiver: Receiver;

    before(async () => {
      receiver = await startReceiver();
      receiver.always(answer(200));
      await createEndpoint(user.tenant.rest, { url: receiver.url('/hooks') });
    });

    after(() => receiver.close());

    /** Publishes events, and returns the ids of their attempts. */
    const attempt = (count: number) =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const event = await user.tenant.publish({});
          return (await recordedAs(user.tenant.rest, event, ['success']))[0].id;
        }),
      );

    const openStreams = async () => {
      const text = await (await fetch(`${user.service.internalUrl}/metrics`)).text();
      return Number(/^signalpost_streams (\d+)$/m.exec(text)?.[1]);
    };

    const expectLive = (page: Page) => page.getByText('Live', { exact: true }).waitFor();
    const rowsOf = (page: Page) =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('[id^="row-whd_"]')].map(({ id }) => id)`,
      );

    const expectRows = (pages: readonly Page[], ids: readonly string[]) =>
      eventually(async () => {
        for (const page of pages) {
          const expected = ids.map((id) => `row-${id}`).toSorted();
          expect((await rowsOf(page)).toSorted()).to.deep.equal(expected);
        }
      }, `${pages.length} tabs show each of ${ids.length} attempts once`);

    it('H228: all tabs share one live stream, which another tab takes over when its own closes', async () => {
      const first = await user.signIn('/deliveries');
      await expectLive(first);

      const others: Page[] = [];
      while (others.length < tabCount - 1) {
        const page = await first.context().newPage();
        others.push(page);
        await page.goto(user.service.url + path);
        await expectLive(page);
        expect(await openStreams()).to.equal(1);
      }

      const ids = await attempt(3);
      await expectRows([first, ...others], ids);

      // Attempts before, during and after the takeover by the next tab.
      const [more] = await Promise.all([attempt(3), first.close()]);
      ids.push(...more, ...(await attempt(2)));
      await expectRows(others, ids);
      await eventually(async () => expect(await openStreams()).to.equal(1), 'one stream is open');
    });

    it('H228: a tab that was away reads what it lacks, and then follows again', async () => {
      const first = await user.signIn('/deliveries');
      await expectLive(first);

      const second = await first.context().newPage();
      await second.clock.install();
      await second.goto(user.service.url + path);
      await expectLive(second);

      const before = await attempt(1);
      await second.locator(`#row-${before[0]}`).waitFor();
      await turn(second, 'hidden');
      await second.clock.fastForward(30_000);
      await second.getByText('Connecting').waitFor();
      await second.keyboard.press('.');

      const missed = await attempt(2);
      for (const id of missed) await first.locator(`#row-${id}`).waitFor();
      await turn(second, 'visible');
      await second.getByText('2 new deliveries').waitFor();
      await eventually(async () => expect(await openStreams()).to.equal(1), 'one stream is open');
      await attempt(1);
      await second.getByText('3 new deliveries').waitFor();
    });

    it('H228: another tab takes the stream over when the tab that reads it falls silent', async () => {
      const first = await user.signIn('/deliveries');
      await first.clock.install();
      await expectLive(first);

      const silent = await first.context().newPage();
      await silent.goto(`${user.service.url}/dashboard/endpoints`);

      // As a page that the browser stopped: it holds the lock, and does nothing.
      await silent.evaluate(`(async () => {
      const [{ name }] = (await navigator.locks.query()).held;
      await new Promise((held) => {
        navigator.locks.request(name, { steal: true }, () => {
          held();
          return new Promise(() => {});
        });
      });
    })()`);

      await eventually(async () => expect(await openStreams()).to.equal(0), 'no stream is open');

      const [id] = await attempt(1);
      await first.clock.fastForward(60_000);
      await first.locator(`#row-${id}`).waitFor();
      await eventually(async () => expect(await openStreams()).to.equal(1), 'one stream is open');
    });

    it('H228: the stream ends in all tabs when the member signs out in one', async () => {
      const first = await user.signIn('/deliveries');
      const second = await first.context().newPage();
      await second.goto(user.service.url + path);
      await Promise.all([first, second].map(expectLive));
      await second.getByRole('button', { name: 'Sign out' }).click();
      await first.getByLabel('Email address').waitFor();
      await eventually(async () => {
        const { held, pending } = await first.evaluate<Locks>('navigator.locks.query()');
        expect([...held, ...pending]).to.deep.equal([]);
      }, 'no tab holds the lock or waits for it');
      await eventually(async () => expect(await openStreams()).to.equal(0), 'no stream is open');
    });

    it('H228: the stream ends in all tabs when the service ends the session', async () => {
      const first = await user.signIn('/deliveries');
      const second = await first.context().newPage();
      await second.goto(user.service.url + path);
      await Promise.all([first, second].map(expectLive));
      // Signs out by a request, because the button would tell the other tab.
      await second.evaluate(`fetch('/dashboard/session', {
      method: 'DELETE',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    })`);
      for (const page of [first, second]) await page.getByLabel('Email address').waitFor();
      await eventually(async () => expect(await openStreams()).to.equal(0), 'no stream is open');
    });

    it('H228: each tab opens its own stream where the browser has no Web Locks', async () => {
      const first = await user.signIn('/deliveries');
      const pages = [await first.context().newPage(), await first.context().newPage()];
      await first.close();
      for (const page of pages) {
        await page.addInitScript('delete Navigator.prototype.locks');
        await page.goto(user.service.url + path);
        await expectLive(page);
      }
      await eventually(async () => expect(await openStreams()).to.equal(2), 'two streams are open');
      const [id] = await attempt(1);
      for (const page of pages) await page.locator(`#row-${id}`).waitFor();
    });
  },
  { ownService: true },
);

/** Hides a page or brings it back, as far as its scripts can see. */
async function turn(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(
    `Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
     document.dispatchEvent(new Event('visibilitychange'));`,
  );
}
