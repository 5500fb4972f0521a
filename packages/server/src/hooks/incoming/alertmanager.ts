import { z } from 'zod';
import {
  type HookMessage,
  PayloadError,
  card,
  colours,
  fields,
  linkSource,
  note,
  plainNote,
  plainText,
  title,
} from './message.ts';

const texts = z.record(z.string(), z.string()).nullish();
const alert = z.object({
  status: z.string(),
  labels: texts,
  annotations: texts,
  startsAt: z.string().nullish(),
  endsAt: z.string().nullish(),
  generatorURL: z.string().nullish(),
  /** These four only in Grafana. */
  silenceURL: z.string().nullish(),
  dashboardURL: z.string().nullish(),
  panelURL: z.string().nullish(),
  values: z.record(z.string(), z.unknown()).nullish(),
});
type Alert = z.output<typeof alert>;

/**
 * Prometheus Alertmanager: https://prometheus.io/docs/alerting/latest/configuration/#webhook_config
 * Grafana sends the same with additions:
 * https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/
 */
const payload = z.object({
  status: z.string(),
  receiver: z.string().nullish(),
  alerts: z.array(alert).min(1),
  groupLabels: texts,
  commonLabels: texts,
  truncatedAlerts: z.number().nullish(),
  externalURL: z.string().nullish(),
});

/** Further alerts of a group are only counted. */
const maxShown = 10;

export function alertmanagerMessage(body: unknown): HookMessage {
  const parsed = payload.safeParse(body);
  if (!parsed.success) throw new PayloadError('invalid_payload');
  const { alerts, truncatedAlerts, groupLabels, commonLabels, receiver, externalURL } = parsed.data;
  const hidden = Math.max(0, alerts.length - maxShown) + (truncatedAlerts ?? 0);
  const cards = alerts.slice(0, maxShown).map(cardOf);
  const more = hidden === 0 ? [] : [card(undefined, note(linkSource(`ほか ${hidden} 件のアラート`, externalURL)))];
  return {
    topic: groupLabels?.['alertname'] ?? commonLabels?.['alertname'] ?? receiver ?? 'Alertmanager',
    cards: [...cards, ...more],
  };
}

function cardOf(one: Alert) {
  const { alertname, severity, ...labels } = one.labels ?? {};
  const { summary, description, message, ...annotations } = one.annotations ?? {};
  const isResolved = one.status === 'resolved';
  const name = alertname ?? summary ?? 'アラート';
  return card(
    isResolved ? colours.good : colourOf(severity),
    plainNote(isResolved ? '復旧' : '発生中'),
    title(name, one.panelURL || one.dashboardURL || one.generatorURL),
    plainText([alertname === undefined ? undefined : summary, description ?? message].filter((line) => line).join('\n')),
    fields({ 深刻度: severity, ...labels, ...valuesOf(one) }),
    note(
      spaced([
        timeSource('開始', one.startsAt),
        isResolved ? timeSource('終了', one.endsAt) : '',
        annotations['runbook_url'] === undefined ? '' : linkSource('手順書', annotations['runbook_url']),
        one.silenceURL ? linkSource('通知を止める', one.silenceURL) : '',
      ]),
    ),
  );
}

function colourOf(severity: string | undefined): string {
  return severity === 'warning' || severity === 'info' ? colours.warning : colours.danger;
}

function valuesOf({ values }: Alert): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values ?? {}).flatMap(([name, value]) => (typeof value === 'number' ? [[`値 ${name}`, String(value)]] : [])),
  );
}

/** Alertmanager writes the year 1 for a time that is not known. */
function timeSource(name: string, time: string | null | undefined): string {
  const milliseconds = Date.parse(time ?? '');
  return milliseconds > 0 ? `${name} <time:${Math.floor(milliseconds / 1000)}>` : '';
}

function spaced(sources: readonly string[]): string {
  return sources.filter((source) => source !== '').join(' · ');
}
