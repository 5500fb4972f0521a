import type { Locator, Page } from '@playwright/test';
import { administrationPaths } from '../packages/protocol/src/administration.ts';
import { shiftJis } from '../packages/server/src/testing/encodings.ts';
import { checkScreen } from './checkScreen.ts';
import { expect, signIn, test as base } from './product.ts';
import { rail, streamRow, tree } from './screen.ts';

const administrator = 'takahashi.koichi@engawa.example';
const header = '社員番号,氏名,フリガナ,メールアドレス,部署,役職,権限,状態,内線';
const rows = [
  '0012,髙野 唯,タカノ ユイ,takano@engawa.example,営業本部/海外営業部/第一課,課長,メンバー,在籍,1234',
  '0013,①崎 進,サキ ススム,saki.engawa,営業本部/海外営業部/第一課,,メンバー,在籍,',
  '0014,"浜田, 愛",ハマダ アイ,hamada@engawa.example,営業本部／海外営業部,,部長,在籍,',
  '0015,,ノグチ,noguchi@engawa.example,営業本部,,,在籍,',
  '0016,小川 悠斗,オガワ ユウト,ogawa@engawa.example,営業本部/海外営業部,エンジニア,,,',
];

async function openImport(page: Page): Promise<void> {
  await page.goto('/#/administration/import');
  await expect(page.getByRole('heading', { name: 'CSV ファイルからまとめて登録' })).toBeVisible();
}

/** The page of an administrator at the import. */
const test = base.extend({
  page: async ({ browser, product }, provide) => {
    const page = await signIn(browser, product, administrator);
    await openImport(page);
    await provide(page);
  },
});

const choose = (page: Page, name: string, buffer: Uint8Array) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(buffer) });
const line = (page: Page, number: number): Locator => page.getByRole('group', { name: `${number} 行目`, exact: true });
const part = (page: Page, name: string): Locator =>
  page
    .getByRole('group')
    .filter({ has: page.getByText(name, { exact: true }) })
    .first();
const apply = (page: Page): Locator => page.getByRole('button', { name: 'この内容で反映する' });
const confirm = (page: Page): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name: '反映する', exact: true }).click();

test.describe('Importing people and departments', () => {
  test('[I7.3] An administrator corrects, previews and applies a Shift_JIS file, and applying it again changes nothing', async ({
    page,
    browser,
    product,
  }) => {
    await choose(page, '名簿.csv', shiftJis([header, ...rows, ''].join('\r\n')));

    await expect(page.getByRole('heading', { name: '直すところが 3 か所あります' })).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: '直すところが 3 か所あります' })).toBeAttached();
    await expect(page.getByText('使わない列: 内線')).toBeVisible();
    await expect(page.getByRole('combobox', { name: '文字コード' })).toHaveValue('shift_jis');
    await expect(page.getByRole('cell', { name: '0012', exact: true })).toBeVisible();
    await expect(apply(page)).toHaveCount(0);
    await checkScreen(page, '84e import, rows to mend');

    await expect(line(page, 3)).toContainText('メールアドレスの形にしてください。');
    await line(page, 3).getByRole('textbox', { name: 'メールアドレス' }).fill('saki@engawa.example');
    await expect(line(page, 3)).not.toContainText('メールアドレスの形にしてください。');
    await line(page, 4).getByRole('textbox', { name: '権限' }).fill('モデレーター');
    await page.getByRole('button', { name: '5 行目を外す' }).click();
    await expect(page.getByText('1 行を外しました。')).toBeVisible();
    await page.getByRole('button', { name: '直した内容を確かめる' }).click();

    await expect(page.getByRole('heading', { name: '反映すると、こうなります' })).toBeVisible();
    await expect(page.getByRole('status').filter({ hasText: '反映すると、こうなります' })).toBeAttached();
    await part(page, '作る部署').getByText('作る部署').click();
    await expect(part(page, '作る部署')).toContainText('海外営業部');
    await expect(part(page, '追加するメンバー')).toContainText('3 人');
    await part(page, 'ストリームに加わる人').getByText('ストリームに加わる人').click();
    await expect(part(page, 'ストリームに加わる人')).toContainText('第一課');
    await part(page, 'ストリームから外れる人').getByText('ストリームから外れる人').click();
    await expect(part(page, 'ストリームから外れる人')).toContainText('プロダクト開発部');
    await checkScreen(page, '84e import, what would change');
    expect(await (await page.request.get('/api/department/tree')).text()).not.toContain('海外営業部');

    await apply(page).dblclick();
    await expect(page.getByRole('dialog')).toContainText('追加するメンバー：3 人');
    await checkScreen(page, '84e import, the question before it is applied');
    await page.getByRole('dialog').getByRole('button', { name: 'キャンセル' }).click();
    expect(await (await page.request.get('/api/department/tree')).text()).not.toContain('海外営業部');
    await apply(page).click();
    await confirm(page);
    await expect(page.getByRole('heading', { name: '反映しました' })).toBeFocused();
    await expect(part(page, '追加したメンバー')).toContainText('髙野 唯');

    await page.goto('/#/organisation');
    await rail(page, '組織').click();
    await expect(tree(page).getByText('海外営業部')).toBeVisible();
    await expect(tree(page).getByText('第一課')).toBeVisible();
    const moved = await signIn(browser, product, 'ogawa@engawa.example');
    await rail(moved, 'ストリーム').click();
    await expect(streamRow(moved, '海外営業部')).toBeVisible();
    await expect(streamRow(moved, 'プロダクト開発部')).toHaveCount(0);

    await openImport(page);
    const mended = [
      header,
      rows[0],
      rows[1]?.replace('saki.engawa', 'saki@engawa.example'),
      rows[2]?.replace('部長', 'モデレーター'),
      rows[4],
      '',
    ];
    await choose(page, '名簿.csv', shiftJis(mended.join('\r\n')));
    await expect(page.getByText('変わるところはありません。')).toBeVisible();
    await expect(page.getByText('変わらないメンバー 4 人')).toBeVisible();
    await expect(apply(page)).toHaveCount(0);
  });

  test('[I7.3] An imported file whose encoding was detected wrongly is read again in the encoding that the administrator chooses', async ({
    page,
  }) => {
    await choose(page, '名簿.csv', new TextEncoder().encode('氏名,メール\n髙橋 浩一,takahashi.koichi@engawa.example\n'));
    await expect(page.getByRole('cell', { name: '髙橋 浩一' })).toBeVisible();
    const encoding = page.getByRole('combobox', { name: '文字コード' });
    await encoding.selectOption('shift_jis');
    await expect(page.getByRole('cell', { name: '髙橋 浩一' })).toHaveCount(0);
    await encoding.selectOption('utf-8');
    await expect(page.getByRole('cell', { name: '髙橋 浩一' })).toBeVisible();
  });

  test('[I7.3] The import says why it refuses a workbook or a file that is too large, and accepts another file', async ({
    page,
  }) => {
    await choose(page, '名簿.xlsx', Uint8Array.from([0x50, 0x4b, 3, 4, 0x14, 0, 0, 0]));
    await expect(page.getByRole('alert')).toContainText('表として読めないファイルです。');
    await expect(page.getByRole('alert')).toBeInViewport({ ratio: 1 });
    await choose(page, '大きい.csv', new Uint8Array(5_000_001).fill(0x61));
    await expect(page.getByRole('alert')).toContainText('ファイルが大きすぎます。');
    await choose(page, '名簿.csv', shiftJis('氏名,氏名\r\n'));
    await expect(page.getByRole('group', { name: '1 行目（列の名前）' })).toContainText('同じ内容の列がほかにもあります。');
    await checkScreen(page, '84e import, the wrong columns, and no file');
    await page.getByRole('textbox', { name: '2 列目' }).fill('メールアドレス');
    await page.getByRole('textbox', { name: '2 列目' }).press('Enter');
    await expect(page.getByText('変わるところはありません。')).toBeVisible();
  });

  test('[I7.3] The import accepts a dropped file, and checks it again if the directory has changed before it is applied', async ({
    page,
    browser,
    product,
  }) => {
    const text = '氏名,メール,部署\n横井 晶,yokoi@engawa.example,人事部\n';
    const dropped = await page.evaluateHandle((content) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], '名簿.csv', { type: 'text/csv' }));
      return transfer;
    }, text);
    await page.getByRole('heading', { name: 'CSV ファイルからまとめて登録' }).dispatchEvent('drop', { dataTransfer: dropped });
    await expect(apply(page)).toBeVisible();

    const other = await signIn(browser, product, administrator);
    await openImport(other);
    await choose(other, '名簿.csv', new TextEncoder().encode(text));
    await apply(other).click();
    await confirm(other);
    await expect(other.getByRole('heading', { name: '反映しました' })).toBeVisible();

    await apply(page).click();
    await confirm(page);
    await expect(page.getByRole('alert')).toContainText('ほかの変更があったため、もう一度確かめました。');
    await expect(page.getByText('変わるところはありません。')).toBeVisible();
  });

  test('[I7.3] The check of an imported file keeps edits made meanwhile, and is ignored after another file was chosen', async ({
    page,
  }) => {
    const text = '氏名,メール\n横井 晶,yokoi\n森本 遥,morimoto\n';
    await choose(page, '名簿.csv', new TextEncoder().encode(text));
    const email = (number: number) => line(page, number).getByRole('textbox', { name: 'メール', exact: true });
    await email(2).fill('yokoi@engawa.example');

    let answer = Promise.withResolvers<undefined>();
    await page.route(`**${administrationPaths.importPreview}`, async (route) => {
      const { promise } = answer;
      const response = await route.fetch();
      await promise;
      await route.fulfill({ response });
    });
    const answered = () => {
      const response = page.waitForResponse(`**${administrationPaths.importPreview}`);
      answer.resolve(undefined);
      return response;
    };
    await email(2).press('Enter');
    await email(3).fill('morimoto@engawa.example');
    await answered();
    await expect(line(page, 2)).toHaveCount(0);
    await expect(email(3)).toHaveValue('morimoto@engawa.example');

    answer = Promise.withResolvers();
    await email(3).press('Enter');
    await page.getByRole('button', { name: '別のファイルを選ぶ' }).click();
    await answered();
    await choose(page, '別の名簿.csv', new TextEncoder().encode('氏名,メール\n横井 晶,yokoi@engawa.example\n'));
    await expect(page.getByText('別の名簿.csv')).toBeVisible();
    await expect(page.getByRole('heading', { name: '反映すると、こうなります' })).toBeVisible();
  });

  test('[I7.3] The import keeps corrections while another section is open, and the page asks before it is left', async ({
    page,
  }) => {
    await choose(page, '名簿.csv', new TextEncoder().encode('氏名,メール\n横井 晶,yokoi\n'));
    const email = line(page, 2).getByRole('textbox', { name: 'メール', exact: true });
    await email.fill('yokoi@engawa.example');
    await page.getByRole('navigation', { name: '管理の項目' }).getByRole('link', { name: 'ストリーム' }).click();
    await expect(email).toHaveCount(0);
    await page.goBack();
    await expect(email).toHaveValue('yokoi@engawa.example');

    const asked = page.waitForEvent('dialog');
    const left = page.reload();
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.accept();
    await left;
    await expect(page.getByRole('heading', { name: 'CSV ファイルからまとめて登録' })).toBeVisible();
  });

  test('[I7.3] The sample file and the exported directory pass the check of the import and change nothing', async ({
    browser,
    product,
  }) => {
    const page = await signIn(browser, product, administrator);
    for (const name of ['見本の CSV をダウンロード', '今の名簿を CSV でダウンロード']) {
      await openImport(page);
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name }).click();
      const path = await (await download).path();
      await page.locator('input[type=file]').setInputFiles(path);
      await expect(page.getByRole('heading', { name: '反映すると、こうなります' })).toBeVisible();
      await page.getByRole('button', { name: '別のファイルを選ぶ' }).click();
    }
    await checkScreen(page, '84e import, a file is chosen');
  });
});
