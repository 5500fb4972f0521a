import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ai, general, ken, lunch, messageOf } from '../../../test/chatServer.ts';
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
      plainText={(content) => content}
      addressOf={(conversation, messageId) => `#/stream/${conversation}/message/${messageId}`}
      onGo={onGo}
    />
  ));
  screen.server.happen('user_settings', { op: 'update', property: 'enable_sounds', value: false });
  await vi.waitFor(() => expect(screen.model.polls()).toBe(true));
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  const mention = (id: number, stream: typeof general, text: string) =>
    screen.server.happen('message', { message: messageOf(id, ken, stream, text), flags: ['mentioned'] });
  return { ...screen, mention, onGo, shown: () => FakeNotification.shown };
}

describe('Notifications', () => {
  it('[R2.25.4] A mention in a conversation that is not visible is notified with sender, stream and text', async () => {
    const { mention, shown } = await notifications(general.stream_id);
    mention(900, lunch, '12時に出ます');
    await vi.waitFor(() =>
      expect(shown().map(({ title, body }) => [title, body])).toEqual([['石川 健（ランチ）', '12時に出ます']]),
    );
  });

  it('[R2.25.4] A mention in the visible conversation and a message without a mention are not notified', async () => {
    const { mention, server, shown } = await notifications(general.stream_id);
    mention(900, general, '見えています');
    server.say(ken.user_id, lunch.stream_id, '呼ばれていません');
    mention(901, lunch, 'これだけ');
    await vi.waitFor(() => expect(shown().map(({ body }) => body)).toEqual(['これだけ']));
  });

  it('[R2.25.4] A press on a notification opens its message, and a notification closes when its message is read elsewhere', async () => {
    const { mention, server, shown, onGo } = await notifications(undefined);
    mention(900, lunch, 'ひとつ');
    await vi.waitFor(() => expect(shown()).toHaveLength(1));
    shown()[0]?.dispatchEvent(new Event('click'));
    expect(onGo).toHaveBeenCalledWith(`#/stream/${lunch.stream_id}/message/900`);
    mention(901, lunch, 'ふたつ');
    await vi.waitFor(() => expect(shown()).toHaveLength(2));
    expect(shown()[1]?.closed).toBe(false);
    server.mark([900, 901], true);
    await vi.waitFor(() => expect(shown()[1]?.closed).toBe(true));
  });
});
