/** Calls in a stream, whose members join one after the other. Each member sends a different tone. */
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test';
import { ja } from '../packages/web/src/i18n/calls.ja.ts';
import { authorOf } from './author.ts';
import { heard, installProbe, isTone, type Link, type ProbedPage, received, toneOf } from './callProbe.ts';
import { expect, type Product, signedInContext } from './product.ts';

/** Members of the stream. More than ten, so that the call does not ring and no dialog is in the way. */
const members = 'tanaka sato suzuki ito kato yamamoto shimizu yamaguchi kondo inoue matsumoto yoshida hayashi aoki'.split(' ');
export const addressOf = (who: string): string => `${who}@engawa.example`;

/** A member of the meeting in any browser. */
export interface Participant {
  /** The number of the member in the meeting. */
  readonly member: number;
  readonly page: ProbedPage;
}

export interface Caller extends Participant {
  readonly page: Page;
}

export interface Meeting {
  /** Of the stream, in the product. */
  readonly address: string;
  /** The next member opens the call. */
  arrive(kind?: 'audio' | 'video'): Promise<Caller & { readonly before: Locator; join(): Promise<Caller> }>;
  /** The next member joins the call. */
  join(kind?: 'audio' | 'video'): Promise<Caller>;
}

interface MeetingOptions {
  readonly browser: Browser;
  readonly product: Product;
  readonly stream: string;
  /** The members in the order in which they join. Tests of a file have different callers, because a member can be in one call only. */
  readonly callers: readonly string[];
  /** Replaces settings of the connections. */
  readonly ice?: RTCConfiguration;
  readonly onContext?: (context: BrowserContext) => void;
}

/** Creates the stream. */
export async function meetingIn({ browser, product, stream, callers, ice, onContext }: MeetingOptions): Promise<Meeting> {
  const [caller = ''] = callers;
  const author = await authorOf(product, addressOf(caller));
  await author.createStream(stream, members.map(addressOf));
  const address = `/#/stream/${await author.streamId(stream)}`;
  let arrived = 0;
  const meeting: Meeting = {
    address,
    async arrive(kind = 'audio') {
      const member = arrived;
      arrived += 1;
      const context = await signedInContext(browser, product, addressOf(callers[member] ?? ''));
      onContext?.(context);
      await installProbe(context, member, ice);
      const page = await context.newPage();
      await page.goto(address);
      const name = member === 0 ? ja.kinds[kind] : ja.ongoing.join;
      await page.getByRole('main').getByRole('button', { name, exact: true }).first().click();
      const before = page.getByRole('dialog', { name: ja.kinds[kind] });
      const join = async () => {
        await before.getByRole('button', { name: member === 0 ? ja.join.start : ja.join.join, exact: true }).click();
        await expect(before).toBeHidden();
        return { member, page };
      };
      return { member, page, before, join };
    },
    join: async (kind) => (await meeting.arrive(kind)).join(),
  };
  return meeting;
}

export const button = ({ page }: Caller, name: string): Locator => page.getByRole('button', { name, exact: true });
export const tiles = ({ page }: Caller): Locator => page.getByRole('list', { name: /^参加者/ }).getByRole('listitem');

/** The members whose tones the product plays in the page. */
export async function heardBy({ page }: Participant): Promise<readonly number[]> {
  const peaks = await heard(page);
  return members.flatMap((_, member) => (peaks.some(isTone(toneOf(member))) ? [member] : []));
}

/** The listener hears these members, and nobody else. Only the test ends the wait, because sound comes late while processors are busy. */
export async function expectHeard(listener: Participant, speakers: readonly Participant[]): Promise<void> {
  const members = speakers.map(({ member }) => member);
  await expect(async () => expect(await heardBy(listener)).toEqual(members)).toPass({ intervals: [100] });
}

export async function expectAllHeard(present: readonly Participant[]): Promise<void> {
  for (const caller of present)
    await expectHeard(
      caller,
      present.filter(({ member }) => member !== caller.member),
    );
}

/** Waits until each of these members receives more of it from so many others. */
export async function expectReceived(
  present: readonly Participant[],
  what: Exclude<keyof Link, 'isConnected'>,
  from = 1,
): Promise<void> {
  for (const { page } of present) {
    const { links: before } = await received(page);
    const growing = async () => {
      const { links } = await received(page);
      return links.filter((link, index) => link[what] > (before[index]?.[what] ?? 0)).length;
    };
    await expect.poll(growing, { intervals: [100] }).toBeGreaterThanOrEqual(from);
  }
}
