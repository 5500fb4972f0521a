import { subscribe, unsubscribe, updateUser, type Fetch } from '@engawa/client';
import { roles } from '@engawa/protocol';
import { describe, expect, it, vi } from 'vitest';
import { chatServer } from '../../../test/chatServer.ts';
import { ai, general, ken, mai } from '../../../test/organisation.ts';
import { screenOf } from '../../../test/screen.tsx';
import { MemberCard } from './MemberCard.tsx';

describe('MemberCard', () => {
  it('When a guest loses sight of a member whose card is open, the card says so, and shows the member again when they are back', async () => {
    const server = await chatServer();
    await updateUser(server.as(ai), { user_id: mai.user_id, role: roles.guest });
    server.signInAs(mai);
    const onClose = vi.fn();
    const { findByText, findByRole, queryByText } = await screenOf(
      () => (
        <MemberCard
          userId={ken.user_id}
          beside={undefined}
          addressOfStream={() => '#'}
          addressOfDirect={() => '#'}
          onEditProfile={() => undefined}
          onClose={onClose}
        />
      ),
      { server, member: mai },
    );
    await findByRole('heading', { name: ken.full_name });

    await unsubscribe(server.as(ken), { subscriptions: [general.name] });
    await findByText('不明なユーザー');
    expect(queryByText(ken.email)).toBeNull();
    expect(onClose).not.toHaveBeenCalled();
    await subscribe(server.as(ai), { subscriptions: [{ name: general.name }], principals: [ken.user_id] });
    await findByRole('heading', { name: ken.full_name });
  });

  it('The card of a guest says that they are from outside', async () => {
    const server = await chatServer();
    await updateUser(server.as(ai), { user_id: mai.user_id, role: roles.guest });
    const { findByText } = await screenOf(
      () => (
        <MemberCard
          userId={mai.user_id}
          beside={undefined}
          addressOfStream={() => '#'}
          addressOfDirect={() => '#'}
          onEditProfile={() => undefined}
          onClose={() => undefined}
        />
      ),
      { server },
    );
    await findByText('社外の方');
  });

  it.each([
    [null, false],
    ['ken@company.example', true],
  ])(
    '[R7.8] The card shows the address at which a member can be reached, and none that stands for a withheld one: %s',
    async (delivery, isShown) => {
      const server = await chatServer();
      const shownAddress = 'user2@zulip.example';
      const withAddress = (user: typeof ken) =>
        user.user_id === ken.user_id ? { ...user, email: shownAddress, delivery_email: delivery } : user;
      const fetch: Fetch = async (input, init) => {
        const answer = await server.fetch(input, init);
        if (!String(input).endsWith('/register')) return answer;
        const registered = await answer.json();
        return Response.json({ ...registered, realm_users: registered.realm_users.map(withAddress) });
      };
      const { getByText, queryByText, queryByRole } = await screenOf(
        () => (
          <MemberCard
            userId={ken.user_id}
            beside={undefined}
            addressOfStream={() => '#'}
            addressOfDirect={() => '#'}
            onEditProfile={() => undefined}
            onClose={() => undefined}
          />
        ),
        { server, environment: { fetch } },
      );
      expect(getByText(ken.full_name)).toBeTruthy();
      expect(queryByText(shownAddress)).toBeNull();
      expect(queryByText('ken@company.example') !== null).toBe(isShown);
      expect(queryByRole('button', { name: 'メールアドレスをコピー' }) !== null).toBe(isShown);
    },
  );
});
