import { expect, it } from 'vitest';
import type { Capability } from '@engawa/protocol/product';
import { chatServer } from '../../../../test/chatServer.ts';
import { design, ken } from '../../../../test/organisation.ts';
import { screenOf } from '../../../../test/screen.tsx';
import { MentionList } from './MentionList.tsx';

async function candidates(capabilities: readonly Capability[]) {
  const server = await chatServer();
  await server.reorganise([{ departmentCd: '1', displayName: '開発部', memberIds: [ken.user_id] }], []);
  const screen = await screenOf(
    () => (
      <MentionList
        id="list"
        conversation={design.stream_id}
        typed={{ from: 0, query: '' }}
        onChoose={() => undefined}
        onClose={() => undefined}
        onActive={() => undefined}
        ref={null}
      />
    ),
    { server, capabilities },
  );
  await screen.findByText(ken.full_name);
  return screen;
}

it('[R7.8] The candidates for a mention include departments only if their mention notifies the members', async () => {
  const offered = await candidates(['department_mentions']);
  await offered.findByText('開発部');
  offered.unmount();
  const absent = await candidates([]);
  // The directory has arrived when the reading of a member is shown.
  await absent.findByText('いしかわ けん');
  expect(absent.queryByText('開発部')).toBeNull();
});
