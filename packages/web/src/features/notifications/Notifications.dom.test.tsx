import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { updateSettings } from '@engawa/client';
import { ai, general, ken, lunch } from '../../../test/organisation.ts';
import { screenOf } from '../../../test/screen.tsx';
import { Notifications } from './Notifications.tsx';

/** A notification of the page. */
class FakeNotification extends EventTarget {
  static readonly permission = 'granted';
  static shown: FakeNotification[] = [];
  readonly title: string;
  readonly body: string | undefined;
  closed = false;

  constructor(title: string, { body }: NotificationOptions) {
    super();
    this.title = title;
    this.body = body;
    FakeNotification.shown.push(this);
    queueMicrotask(() => this.dispatchEvent(new Event('show')));
  }

  close(): void {
    this.closed = true;
    this.dispatchEvent(new Event('close'));
  }
}

/** The notifications of a member who may see a conversation. */
async function notifications(visible: number | undefined) {
  FakeNotification.shown = [];
  const names = new Set<string>();
  const locks = {
    request: (name: string) => void names.add(name),
    query: async () => ({ held: [...names].map((name) => ({ name })) }),
  };
  vi.stubGlobal('Notification', FakeNotification);
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  const onGo = vi.fn();
  const screen = await screenOf(() => (
    <Notifications
      memberId={ai.user_id}
      shown={visible}
      plainText={({ content }) => content.replace(/@.* /, '')}
      addressOf={(conversation, messageId) => `#/stream/${conversation}/message/${messageId}`}
      onGo={onGo}
    />
  ));
  await updateSettings(screen.server.as(ai), { enable_sounds: false });
  await vi.waitFor(() => expect(screen.model.polls()).toBe(true));
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  const mention = (stream: typeof general, text: string) =>
    screen.server.send(ken, stream.stream_id, `@**${ai.full_name}** ${text}`);
  return { ...screen, mention, onGo, shown: () => FakeNotification.shown };
}

describe('Notifications', () => {
  it('[R2.25.4] A mention in a conversation that is not visible shows a notification with sender, stream and text', async () => {
    const { mention, shown } = await notifications(general.stream_id);
    await mention(lunch, '12時に出ます');
    await vi.waitFor(() =>
      expect(shown().map(({ title, body }) => [title, body])).toEqual([['石川 健（ランチ）', '12時に出ます']]),
    );
  });

  it('[R2.25.4] Neither a mention in the visible conversation nor a message without a mention shows a notification', async () => {
    const { mention, server, shown } = await notifications(general.stream_id);
    await mention(general, '見えています');
    await server.send(ken, lunch.stream_id, '呼ばれていません');
    await mention(lunch, 'これだけ');
    await vi.waitFor(() => expect(shown().map(({ body }) => body)).toEqual(['これだけ']));
  });

  it('[R2.25.4] A press on a notification opens its message, and a notification closes when another device reads its message', async () => {
    const { mention, server, shown, onGo } = await notifications(undefined);
    const first = await mention(lunch, 'ひとつ');
    await vi.waitFor(() => expect(shown()).toHaveLength(1));
    shown()[0]?.dispatchEvent(new Event('click'));
    expect(onGo).toHaveBeenCalledWith(`#/stream/${lunch.stream_id}/message/${first}`);
    const second = await mention(lunch, 'ふたつ');
    await vi.waitFor(() => expect(shown()).toHaveLength(2));
    expect(shown()[1]?.closed).toBe(false);
    await server.mark(ai, [first, second], true);
    await vi.waitFor(() => expect(shown()[1]?.closed).toBe(true));
  });
});
