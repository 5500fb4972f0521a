import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorAnswer } from '../../../test/chatServer.ts';
import { ai, ken } from '../../../test/organisation.ts';
import { eg, ready, started, stopAll } from '../../../test/example.ts';
import type { Model } from '../model.ts';
import { selectPeople } from './peopleList.ts';

afterEach(stopAll);

const read = (model: Model) => selectPeople(model.state()).map(({ fullName, reading }) => [fullName, reading]);

describe('The directory', () => {
  it('[I6.3] The directory adds readings and titles to members, and lists members in the order of their readings', async () => {
    const { model } = await started();
    await vi.waitFor(() =>
      expect(read(model)).toEqual([
        ['石川 健', 'いしかわ けん'],
        ['佐藤 舞', 'さとう まい'],
        ['田中 愛', 'たなか あい'],
      ]),
    );
    expect(selectPeople(model.state())[0]).toMatchObject({ userId: ken.user_id, title: '部長' });
  });

  it('While the directory is not loaded, members have names only', async () => {
    const { server, model } = await eg();
    server.fail('GET /api/people', errorAnswer(404, 'BAD_REQUEST', 'No such call'));
    model.start();
    await ready(model);
    await vi.waitFor(() => expect(server.called('GET /api/people')).toHaveLength(1));
    expect(read(model)).toEqual([
      ['佐藤 舞', ''],
      ['石川 健', ''],
      ['田中 愛', ''],
    ]);
  });

  it('If the directory cannot be loaded, the model requests it again', async () => {
    const { server, model, clock } = await eg();
    server.fail('GET /api/people', 'cut');
    model.start();
    await ready(model);
    await clock.pass(1000);
    await vi.waitFor(() => expect(read(model)).toContainEqual([ai.full_name, 'たなか あい']));
  });

  it('The model loads the directory page by page', async () => {
    const { server, model } = await eg();
    const first = { people: [{ user_id: 7, reading: 'x', title: '', departments: [] }], next: 7 };
    server.fail('GET /api/people', Response.json(first));
    model.start();
    await ready(model);
    await vi.waitFor(() => expect(read(model)).toContainEqual([ai.full_name, 'たなか あい']));
    expect(server.called('GET /api/people').map(({ parameters }) => parameters['after'])).toEqual(['0', '7']);
  });
});
