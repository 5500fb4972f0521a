import { atOnce } from '@engawa/chat-server/parts';
import { importPreview } from '@engawa/protocol/administration';
import { roles } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { profiles } from '../profile/store.ts';
import { encoded, shiftJis } from '../testing/encodings.ts';
import { type Company, company } from '../testing/organisation.ts';
import { exportOf } from './export.ts';
import { createImporter, importFile } from './importer.ts';
import { faultInWords, languages } from './words.ts';

const header = '社員番号,氏名,フリガナ,メールアドレス,部署,兼務,役職,権限,状態\r\n';
const file =
  `${header}0012,髙橋 浩一,タカハシ コウイチ,takahashi@example.com,株式会社 縁側/営業本部/第一課,,課長,管理者,在籍\r\n` +
  '0013,佐藤 美咲,サトウ ミサキ,sato@example.com,株式会社 縁側/開発本部,株式会社 縁側/営業本部,,メンバー,在籍\r\n' +
  ',,,,株式会社 縁側/内部監査室,,,,\r\n';

const nothing = { departments: { made: [], moved: [], renamed: [] }, joins: [], leaves: [] };

async function imported(here: Company, csv: string, apply = true) {
  const importer = createImporter({ ...here, chat: here.backend, authMode: 'password' });
  return importFile(importer, shiftJis(csv), { by: 'console', apply });
}

const idOf = (here: Company, email: string) =>
  atOnce(here.chat.overview({ userIds: [], emails: [email], streamIds: [] })).people[0]?.userId ?? 0;

describe('import of a file', () => {
  it('[I7.3] The preview of an import shows its changes without making them', async () => {
    const here = await company();
    const { preview, done } = await imported(here, file, false);
    expect(importPreview.parse(preview)).toMatchObject({
      faults: [],
      difference: {
        departments: { made: ['株式会社 縁側', '営業本部', '第一課', '開発本部', '内部監査室'], moved: [], renamed: [] },
        members: {
          made: [{ email: 'takahashi@example.com', full_name: '髙橋 浩一' }, { email: 'sato@example.com' }],
          changed: [],
          same: 0,
        },
        leaves: [],
      },
    });
    expect(preview.difference?.joins).toHaveLength(6);
    expect(done).toBeUndefined();
    expect(here.department('営業本部')).toBeUndefined();
  });

  it('[I7.3] An import creates people and departments, and subscribes them to the streams', async () => {
    const here = await company();
    const { done } = await imported(here, file);
    const [takahashi, sato] = [idOf(here, 'takahashi@example.com'), idOf(here, 'sato@example.com')];
    expect(here.chat.user(takahashi)).toMatchObject({ full_name: '髙橋 浩一', role: roles.administrator });
    expect(profiles.find(here.database.reader, takahashi)).toMatchObject({
      reading: 'たかはし こういち',
      title: '課長',
      employee_number: '0012',
    });
    expect(here.inStreamOf('第一課')).toEqual([takahashi]);
    expect(here.inStreamOf('営業本部')).toEqual([takahashi, sato]);
    expect(here.department('内部監査室')).toMatchObject({ memberIds: [] });
    expect(done?.without_password.map(({ user_id }) => user_id)).toEqual([takahashi, sato]);
  });

  it('[I7.3] A repeated import changes nothing', async () => {
    const here = await company();
    await imported(here, file);
    const { preview, done } = await imported(here, file);
    expect(preview.difference).toEqual({ ...nothing, members: { made: [], changed: [], same: 2 } });
    expect(done?.difference).toEqual(preview.difference);
    expect(atOnce(here.chat.overview({ userIds: [], emails: [], streamIds: [], also: 'everybody' })).people).toHaveLength(3);
  });

  it('[I7.3] An import reports each name that looks like that of another person, and accepts an identical name', async () => {
    const here = await company();
    await imported(here, file);
    const faultsOf = async (rows: string) => (await imported(here, `氏名,メールアドレス\r\n${rows}`)).preview.faults;
    const fault = { column: '氏名', fault: 'name-in-use' };
    expect(await faultsOf('佐藤美咲,a@example.com\r\n山田 葵,b@example.com\r\n山田葵,c@example.com\r\n')).toMatchObject([
      { row: 0, ...fault },
      { row: 1, ...fault },
      { row: 2, ...fault },
    ]);
    expect(await faultsOf('佐藤 美咲,a@example.com\r\n山田 葵,b@example.com\r\n山田 葵,c@example.com\r\n')).toEqual([]);
  });

  it('[I7.3] An import does not change people and fields that are not in the file', async () => {
    const here = await company();
    await imported(here, file);
    await imported(here, 'メールアドレス,役職\r\nsato@example.com,主任\r\n');
    const sato = idOf(here, 'sato@example.com');
    expect(profiles.find(here.database.reader, sato)).toMatchObject({
      reading: 'さとう みさき',
      title: '主任',
      employee_number: '0013',
    });
    expect(here.inStreamOf('営業本部')).toContain(sato);
    expect(here.chat.user(idOf(here, 'takahashi@example.com'))).toMatchObject({ is_active: true });
  });

  it('[I7.3] An import finds members by employee number, and changes their email and department or deactivates them', async () => {
    const here = await company();
    await imported(here, file);
    const [takahashi, sato] = [idOf(here, 'takahashi@example.com'), idOf(here, 'sato@example.com')];
    const { preview } = await imported(
      here,
      '社員番号,氏名,メール,部署,状態\r\n0012,髙橋 浩一,koichi@example.com,開発本部,\r\n0013,,,,退職\r\n',
    );
    expect(preview.difference?.members).toEqual({
      made: [],
      changed: [
        { email: 'koichi@example.com', full_name: '髙橋 浩一', what: ['email', 'departments'] },
        { email: 'sato@example.com', full_name: '佐藤 美咲', what: ['is_active', 'departments'] },
      ],
      same: 0,
    });
    expect(preview.difference?.joins.map(({ stream, email }) => [stream, email])).toEqual([['開発本部', 'koichi@example.com']]);
    expect(here.chat.user(takahashi)).toMatchObject({ email: 'koichi@example.com' });
    expect(here.inStreamOf('第一課')).toEqual([]);
    expect(here.inStreamOf('開発本部')).toEqual([takahashi]);
    expect(here.chat.user(sato)).toMatchObject({ is_active: false });
  });

  it('[I7.3] An import changes nothing if one row is invalid', async () => {
    const here = await company();
    const { preview, done } = await imported(here, `${file}0014,鈴木 健太,,suzuki,,,,,\r\n`);
    expect(preview).toMatchObject({
      fault_count: 1,
      faults: [{ row: 3, column: 'メールアドレス', fault: 'email-malformed', value: 'suzuki' }],
    });
    expect(preview.difference).toBeUndefined();
    expect(done).toBeUndefined();
    expect(here.department('営業本部')).toBeUndefined();
  });

  it('[I7.3] An import of a file without a header reports the missing header, and treats its first line as a person', async () => {
    const here = await company();
    const rows = '髙橋 浩一,takahashi@example.com\r\n次田 葉,tsugita@example.com\r\n';
    const { table, preview } = await imported(here, rows);
    expect(preview).toMatchObject({ fault_count: 1, faults: [{ row: null, column: null, fault: 'column-missing' }] });
    const named = { header: ['氏名', 'メールアドレス'], rows: table.rows };
    const { difference } = await createImporter({ ...here, chat: here.backend, authMode: 'password' }).preview(named, 'console');
    expect(difference?.members.made.map(({ full_name: name }) => name)).toEqual(['髙橋 浩一', '次田 葉']);
  });

  it('[I7.3] An import is refused if the organisation, the file or the importing member changed since the preview', async () => {
    const here = await company();
    const importer = createImporter({ ...here, chat: here.backend, authMode: 'password' });
    const refusal = { code: 'ORGANISATION_CHANGED' };
    const table = await importer.read(shiftJis(file));
    const { fingerprint } = await importer.preview(table, 'console');
    const other = { ...table, rows: table.rows.slice(1) };
    await expect(importer.apply(other, fingerprint, 'console')).rejects.toMatchObject(refusal);
    await expect(importer.apply(table, fingerprint, 1)).rejects.toMatchObject(refusal);

    const both = [importer.apply(table, fingerprint, 'console'), importer.apply(table, fingerprint, 'console')];
    // The scheduling of turns decides which of the two is first.
    const outcomes = (await Promise.allSettled(both)).toSorted((one, other) => one.status.localeCompare(other.status));
    expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: refusal }]);
    expect(here.inStreamOf('第一課')).toHaveLength(1);
  });
});

describe('export', () => {
  it('[I7.3] An import of an unchanged export changes nothing', async () => {
    const here = await company();
    await imported(here, file);
    const csv = await exportOf(here.database, await here.backend.directoryAs('console'));
    expect(csv.startsWith('\uFEFF社員番号,氏名,')).toBe(true);
    expect(csv).toContain(
      '0012,髙橋 浩一,たかはし こういち,takahashi@example.com,株式会社 縁側/営業本部/第一課,,課長,管理者,在籍\r\n',
    );
    const { preview } = await importFile(
      createImporter({ ...here, chat: here.backend, authMode: 'password' }),
      encoded(csv, 'utf-8'),
      {
        by: 'console',
        apply: false,
      },
    );
    expect(preview.difference).toEqual({ ...nothing, members: { made: [], changed: [], same: 3 } });
  });

  it('[I7.3] An export and its import preserve a further department whose name contains a separator', async () => {
    const here = await company();
    const odd = 'a;b、c, d';
    const people = `氏名,メール,部署,兼務,兼務1,兼務2\r\n佐藤 翔,a@example.com,営業部,,${`"${odd}"`},総務部\r\n鈴木 葉,b@example.com,営業部,総務部,,\r\n`;
    expect((await imported(here, people)).preview.faults).toEqual([]);
    expect(here.inStreamOf(odd)).toEqual([idOf(here, 'a@example.com')]);
    const csv = await exportOf(here.database, await here.backend.directoryAs('console'));
    const { preview } = await importFile(
      createImporter({ ...here, chat: here.backend, authMode: 'password' }),
      encoded(csv, 'utf-8'),
      {
        by: 'console',
        apply: false,
      },
    );
    expect(preview.faults).toEqual([]);
    expect(preview.difference).toEqual({ ...nothing, members: { made: [], changed: [], same: 3 } });
  });

  it('[I7.3] An export writes cells that begin with =, + or -, also in full width, as texts, so that a spreadsheet does not run them', async () => {
    const here = await company();
    await imported(
      here,
      `${header}=1,髙橋 浩一,,+a@example.com,=cmd|/C calc,,-SUM(A1),,\r\n2,＝SUM(A1),よみ,b@example.com,＋営業,,＠81,,\r\n`,
    );
    const csv = await exportOf(here.database, await here.backend.directoryAs('console'));
    expect(csv).toContain("'=1,髙橋 浩一,,'+a@example.com,'=cmd|/C calc,,'-SUM(A1),");
    expect(csv).toContain("2,'＝SUM(A1),よみ,b@example.com,'＋営業,,'＠81,");
    const { preview } = await importFile(
      createImporter({ ...here, chat: here.backend, authMode: 'password' }),
      encoded(csv, 'utf-8'),
      {
        by: 'console',
        apply: false,
      },
    );
    expect(preview.difference?.members).toMatchObject({ made: [], changed: [], same: 3 });
  });
});

describe('text of a fault', () => {
  const fault = { row: 10, column: 'メールアドレス', fault: 'email-malformed', value: 'tana\u001B[31mka' } as const;

  it('[I7.3] The text of an import fault names row, column and value, in Japanese and English', () => {
    expect(languages.map((language) => faultInWords(fault, language))).toEqual([
      '12行目 メールアドレス「tana [31mka」: メールアドレスの形ではありません',
      'row 12 メールアドレス "tana [31mka": this is no email address',
    ]);
    const long = faultInWords({ row: 0, column: '氏名', fault: 'text-too-long', value: '長'.repeat(200) }, 'ja');
    expect(long).toBe(`2行目 氏名「${'長'.repeat(40)}…」: 長すぎます`);
    expect(faultInWords({ row: null, column: null, fault: 'column-missing', value: '' }, 'ja')).toMatch(
      /^1行目: 「メールアドレス」の列がありません/,
    );
  });
});
