import { describe, expect, it } from 'vitest';
import { departments } from './departments.ts';
import type { DemoDepartment } from './departments.ts';
import { directs } from './directs.ts';
import { history } from './history.ts';
import type { DemoMessage } from './history.ts';
import { defaultMember, owner, people } from './people.ts';
import { streams, subscribers } from './streams.ts';
import { unread } from './unread.ts';

const product = 'プロダクト開発部';
const chat = '雑談・縁側';
const hour = 3_600_000;

const moments: readonly (readonly [name: string, now: Date])[] = [
  ['a Wednesday afternoon', new Date('2026-11-18T15:20:42.500+09:00')],
  ['Monday 07:30', new Date('2026-11-16T07:30:00+09:00')],
  ['just after midnight on a Monday', new Date('2026-11-16T00:05:00+09:00')],
  ['Saturday night', new Date('2026-11-14T22:00:00+09:00')],
  ['Sunday noon', new Date('2026-11-15T12:00:00+09:00')],
  ['1 January', new Date('2027-01-01T10:00:00+09:00')],
  ['the end of the May holidays', new Date('2026-05-07T09:00:00+09:00')],
];

const now = new Date('2026-11-18T15:20:42.500+09:00');
const messages = history(now);

const emails = people.map((person) => person.email);
const inStream = (name: string): DemoMessage[] => messages.filter((message) => message.stream === name);
const howMany = (role: string): number => people.filter((person) => person.role === role).length;
const mayRead = (name: string): readonly string[] => subscribers.get(name) ?? [];

function all(nodes: readonly DemoDepartment[]): DemoDepartment[] {
  return nodes.flatMap((node) => [node, ...all(node.children ?? [])]);
}

function depth(nodes: readonly DemoDepartment[]): number {
  return Math.max(0, ...nodes.map((node) => 1 + depth(node.children ?? [])));
}

function inTokyo(date: Date): { date: string; weekday: number; time: string } {
  const shifted = new Date(date.getTime() + 9 * hour);
  const [on = '', rest = ''] = shifted.toISOString().split('T');
  return { date: on, weekday: shifted.getUTCDay(), time: rest.slice(0, 5) };
}

/** Messages placed by business days; the conversation of the last hours may be at any time. */
function earlier(moment: Date): DemoMessage[] {
  return history(moment).filter((message) => message.at.getTime() < moment.getTime() - 3 * hour);
}

describe('demo people', () => {
  it('The demo has about forty people, each with a unique email', () => {
    expect(people.length).toBeGreaterThanOrEqual(38);
    expect(people.length).toBeLessThanOrEqual(46);
    expect(new Set(emails).size).toBe(people.length);
    for (const email of emails) expect(email).toMatch(/^[a-z]+(\.[a-z]+)?@engawa\.example$/);
  });

  it('Each demo person has a reading in hiragana with family name and given name', () => {
    for (const { reading } of people) expect(reading).toMatch(/^[ぁ-んー]+ [ぁ-んー]+$/);
  });

  it('The demo has one owner, two administrators, one moderator and one guest', () => {
    expect(['owner', 'administrator', 'moderator', 'guest'].map(howMany)).toEqual([1, 2, 1, 1]);
    expect(people.find((person) => person.role === 'owner')?.email).toBe(owner);
    expect(people.find((person) => person.email === defaultMember)?.name).toBe('田中 翔');
  });

  it('About one in three demo people has a built-in picture, and each of the seven pictures is used', () => {
    const avatars = people.flatMap((person) => person.avatar ?? []);
    expect(avatars.length / people.length).toBeGreaterThan(0.25);
    expect(avatars.length / people.length).toBeLessThan(0.42);
    expect([...new Set(avatars)].toSorted()).toEqual([1, 2, 3, 4, 6, 7, 8]);
  });

  it('The demo has names with variant kanji or in katakana, and a person in two departments', () => {
    const families = people.map((person) => person.name.split(' ')[0]);
    expect(families).toEqual(expect.arrayContaining(['高橋', '髙橋', '渡辺', '渡邊', '齋藤', '斉藤', 'グエン']));
    expect(people.some((person) => person.departments.length === 2)).toBe(true);
  });

  it('Each demo person belongs to existing departments, and only a guest belongs to none', () => {
    const codes = all(departments).map((department) => department.departmentCd);
    for (const person of people) {
      expect(codes).toEqual(expect.arrayContaining([...person.departments]));
      expect(person.departments.length === 0).toBe(person.role === 'guest');
    }
  });
});

describe('demo departments', () => {
  it('The demo departments are a tree of three levels and about twenty nodes with unique codes and names', () => {
    const nodes = all(departments);
    expect(depth(departments)).toBe(3);
    expect(nodes).toHaveLength(20);
    expect(new Set(nodes.map((node) => node.departmentCd)).size).toBe(nodes.length);
    expect(new Set(nodes.map((node) => node.displayName)).size).toBe(nodes.length);
  });

  it('Each demo department except the auditors has a stream', () => {
    const without = all(departments).filter((node) => !subscribers.has(node.displayName));
    expect(without.map((node) => node.displayName)).toEqual(['内部監査室']);
  });

  it('The demo has department streams in which its default member is not', () => {
    const refused = all(departments).filter(
      (node) => subscribers.has(node.displayName) && !mayRead(node.displayName).includes(defaultMember),
    );
    expect(refused.map((node) => node.displayName)).toContain('東日本営業部');
  });

  it("All demo people are in the company's stream, and a division's stream includes the people of its departments", () => {
    expect(mayRead('株式会社 縁側')).toEqual(emails);
    for (const name of [product, '基盤技術部', 'デザイン室', '品質保証部']) {
      expect(mayRead('開発本部')).toEqual(expect.arrayContaining([...mayRead(name)]));
    }
  });

  it("The main department of the demo's default member is プロダクト開発部", () => {
    expect(people.find((person) => person.email === defaultMember)?.departments[0]).toBe('1100');
    expect(all(departments).find((node) => node.departmentCd === '1100')?.displayName).toBe(product);
  });
});

describe('demo streams', () => {
  it('The demo streams have unique names, and their subscribers exist', () => {
    const names = [...streams, ...all(departments).map((node) => ({ name: node.displayName }))].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const members of subscribers.values()) {
      expect(emails).toEqual(expect.arrayContaining([...members]));
      expect(new Set(members).size).toBe(members.length);
    }
  });

  it("The demo's guest from a partner company is not in the streams for staff", () => {
    const guest = people.find((person) => person.role === 'guest')?.email;
    expect(mayRead('リリース 2.4')).toContain(guest);
    expect(mayRead('全社アナウンス')).not.toContain(guest);
  });
});

describe('demo history', () => {
  it('In the demo history only subscribers of a stream write in it', () => {
    const strangers = messages.filter((message) => !mayRead(message.stream).includes(message.from));
    expect(strangers).toEqual([]);
  });

  it('The demo history has 350 to 450 messages, and at least five in every stream', () => {
    expect(messages.length).toBeGreaterThanOrEqual(350);
    expect(messages.length).toBeLessThanOrEqual(450);
    for (const name of subscribers.keys()) expect([name, inStream(name).length >= 5]).toEqual([name, true]);
  });

  it("The demo streams with the most messages are the team's, the chat and the announcements", () => {
    const longestFirst = [...subscribers.keys()].toSorted((one, other) => inStream(other).length - inStream(one).length);
    expect(longestFirst.slice(0, 3)).toEqual([product, chat, '全社アナウンス']);
    expect(inStream(product).length).toBeGreaterThanOrEqual(80);
  });

  it("The newest 20 messages of the demo's first stream contain a file, a deleted message and every kind of markup", () => {
    const newest = inStream(product).slice(-20);
    const text = newest
      .filter((message) => !message.deleted)
      .map((message) => message.text)
      .join('\n\n');
    expect(newest.find((message) => message.file)).toMatchObject({ text: '', file: 'リリース手順書_v2.4.xlsx' });
    expect(newest.filter((message) => message.deleted)).toHaveLength(1);
    for (const mark of [
      /(?<![A-Za-z0-9])\*[^*\n]+\*(?![A-Za-z0-9])/,
      /(?<![A-Za-z0-9])_[^_\n]+_(?![A-Za-z0-9])/,
      /(?<![A-Za-z0-9])~[^~\n]+~(?![A-Za-z0-9])/,
      /(?<![A-Za-z0-9])°[^°\n]+°(?![A-Za-z0-9])/,
      /(?<!`)`[^`\n]+`(?!`)/,
      /```\n[^`]+\n[^`]+\n```/,
      /https:\/\/[a-z]+\.engawa\.example\//,
    ])
      expect(text).toMatch(mark);
  });

  it('The demo history has a picture in the first stream', () => {
    const pictures = messages.filter((message) => message.file?.endsWith('.png'));
    expect(pictures.map((message) => message.stream)).toContain(product);
  });

  it('Each demo message has a text or a file', () => {
    for (const { file, text } of messages) expect([file, text].filter(Boolean)).toHaveLength(1);
  });

  it('The demo history repeats no ordinary sentence', () => {
    const long = messages.map((message) => message.text).filter((text) => text.length > 8);
    expect(new Set(long).size).toBe(long.length);
  });

  it('The demo history contains dates and times instead of their placeholders', () => {
    for (const { text } of messages) expect(text).not.toMatch(/\{[+-]?\d+\}|\{@\d+\}/);
    const kickoff = inStream(product)[0]?.text;
    expect(kickoff).toContain('リリース予定日は 11/20(金)、コードの締めは 11/12(木) です');
  });

  it('The demo history is generated identically for the same moment', () => {
    expect(history(new Date(now))).toEqual(messages);
  });

  it('The demo history has no messages on public holidays and around New Year', () => {
    const days = new Set(messages.map((message) => inTokyo(message.at).date));
    expect(days).toContain('2026-11-02');
    expect(days).not.toContain('2026-11-03');
    const inAutumn = earlier(new Date('2026-09-25T12:00:00+09:00')).map((message) => inTokyo(message.at).date);
    for (const date of ['2026-09-21', '2026-09-22', '2026-09-23']) expect(inAutumn).not.toContain(date);
    const afterNewYear = earlier(new Date('2027-01-05T12:00:00+09:00')).map((message) => inTokyo(message.at).date);
    expect(afterNewYear).toContain('2027-01-04');
    expect(afterNewYear.filter((date) => date >= '2026-12-29' && date <= '2027-01-03')).toEqual([]);
    const inMay = earlier(new Date('2026-05-07T09:00:00+09:00')).map((message) => inTokyo(message.at).date);
    expect(inMay).toContain('2026-05-01');
    expect(inMay.filter((date) => date > '2026-05-01')).toEqual([]);
  });

  describe.each(moments)('demo history as of %s', (_, moment) => {
    it('The demo history is in order of time and ends at most 15 minutes before the current time', () => {
      const times = history(moment).map((message) => message.at.getTime());
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      const last = times.at(-1) ?? 0;
      expect(last).toBeLessThanOrEqual(moment.getTime());
      expect(last).toBeGreaterThan(moment.getTime() - hour / 4);
    });

    it('The demo history reaches back about four weeks', () => {
      const days = (moment.getTime() - (history(moment)[0]?.at.getTime() ?? 0)) / (24 * hour);
      expect(days).toBeGreaterThan(24);
      expect(days).toBeLessThan(36);
    });

    it('The demo history has messages between 9:00 and 19:00, and at weekends only in the chat stream', () => {
      const past = earlier(moment).map((message) => ({ stream: message.stream, ...inTokyo(message.at) }));
      const weekend = past.filter(({ weekday }) => weekday === 0 || weekday === 6);
      expect(new Set(weekend.map(({ stream }) => stream))).toEqual(new Set([chat]));
      expect(weekend.length).toBeLessThanOrEqual(4);
      for (const { time } of past) expect(time >= '09:00' && time <= '19:00').toBe(true);
    });

    it('The first stream of the demo has more than 20 messages in the last 24 hours', () => {
      const recent = history(moment).filter((message) => message.at.getTime() > moment.getTime() - 24 * hour);
      expect(recent.filter((message) => message.stream === product).length).toBeGreaterThan(20);
    });

    it('The first stream of the demo has the same senders in the same order at every start time', () => {
      const there = history(moment).filter((message) => message.stream === product);
      expect(there.map((message) => message.from)).toEqual(inStream(product).map((message) => message.from));
    });
  });
});

describe('demo direct conversations', () => {
  it("[R1.8] The demo's direct conversations are between existing people, and written by their participants", () => {
    for (const { between, said, unread: left = {} } of directs) {
      for (const who of between) expect(emails).toContain(`${who}@engawa.example`);
      for (const [, who] of said) expect(between).toContain(who);
      for (const [who, count] of Object.entries(left)) {
        expect(said.slice(-count).every(([, by]) => by !== who)).toBe(true);
      }
      const times = said.map(([minutesAgo]) => minutesAgo);
      expect(times).toEqual(times.toSorted((one, other) => other - one));
    }
  });

  it('[R1.8] The default member of the demo has direct conversations with one person and with two, and unread messages in one of them', () => {
    const own = directs.filter(({ between }) => between.some((who) => `${who}@engawa.example` === defaultMember));
    expect(own.map(({ between }) => between.length)).toEqual(expect.arrayContaining([2, 3]));
    expect(own.filter(({ unread: left }) => left !== undefined)).toHaveLength(1);
    expect(own.length).toBeLessThan(directs.length);
  });
});

describe('demo unread messages', () => {
  it('The default member of the demo has 3, 12 and 1 unread messages, in streams other than the first', () => {
    const own = unread.filter((entry) => entry.email === defaultMember);
    expect(own.map((entry) => entry.count)).toEqual([3, 12, 1]);
    expect(own.map((entry) => entry.stream)).not.toContain(product);
    expect(unread.length).toBeGreaterThan(own.length);
  });

  it("A demo member's unread messages are the newest of a subscribed stream, and the member wrote none of them", () => {
    for (const { email, stream, count } of unread) {
      expect(mayRead(stream)).toContain(email);
      const newest = inStream(stream).slice(-count);
      expect(newest).toHaveLength(count);
      expect(newest.map((message) => message.from)).not.toContain(email);
    }
  });
});
