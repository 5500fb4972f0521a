import { z } from 'zod';
import { type HookMessage, PayloadError, card, colours, fields, plainNote, plainText, title } from './message.ts';

const shown = z.union([z.string(), z.number()]).transform(String).nullish();

/** The parameters of a webhook media type. The first six names are those of Zulip's guide for Zabbix, the others Zabbix's own. */
const payload = z
  .object({
    hostname: shown,
    severity: shown,
    status: shown,
    item: shown,
    trigger: shown,
    link: shown,
    Subject: shown,
    subject: shown,
    Message: shown,
    message: shown,
  })
  .refine(({ trigger, Subject, subject }) => (trigger ?? Subject ?? subject ?? '').trim() !== '');

/** The colours of Zabbix's severities: https://www.zabbix.com/documentation/current/en/manual/config/triggers/severity */
const severities: ReadonlyMap<string, string> = new Map([
  ...['not classified', '未分類'].map((name) => [name, '#97aab3'] as const),
  ...['information', '情報'].map((name) => [name, '#7499ff'] as const),
  ...['warning', '警告'].map((name) => [name, '#ffc859'] as const),
  ...['average', '軽度の障害'].map((name) => [name, '#ffa059'] as const),
  ...['high', '重度の障害'].map((name) => [name, '#e97659'] as const),
  ...['disaster', '致命的な障害'].map((name) => [name, '#e45959'] as const),
]);

const states: ReadonlyMap<string, string> = new Map([
  ['problem', '障害'],
  ['ok', '復旧'],
  ['resolved', '復旧'],
]);

export function zabbixMessage(body: unknown): HookMessage {
  const parsed = payload.safeParse(body);
  if (!parsed.success) throw new PayloadError('invalid_payload');
  const { hostname, severity, status, item, trigger, link, ...rest } = parsed.data;
  const state = states.get(status?.toLowerCase() ?? '') ?? status;
  const color = state === '復旧' ? colours.good : (severities.get(severity?.toLowerCase() ?? '') ?? colours.neutral);
  return {
    topic: hostname ?? 'Zabbix',
    cards: [
      card(
        color,
        plainNote(state),
        title(trigger ?? rest.Subject ?? rest.subject, link),
        plainText(rest.Message ?? rest.message),
        fields({ ホスト: hostname, 深刻度: severity, アイテム: item }),
      ),
    ],
  };
}
