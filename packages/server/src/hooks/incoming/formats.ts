import { alertmanagerMessage } from './alertmanager.ts';
import { backlogMessage } from './backlog.ts';
import { gitlabMessage } from './gitlab.ts';
import type { HookMessage } from './message.ts';
import { redmineMessage } from './redmine.ts';
import { slackMessage } from './slack.ts';
import { zabbixMessage } from './zabbix.ts';

/** @param space the parameter `space` of the address. @throws PayloadError */
type Format = (body: unknown, space?: string) => HookMessage;

/** The formats of `/api/v1/external/{format}`, by Zulip's names for the same programs. */
export const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['redmine', redmineMessage],
  ['backlog', backlogMessage],
  ['zabbix', zabbixMessage],
  ['alertmanager', alertmanagerMessage],
  ['grafana', alertmanagerMessage],
  ['gitlab', gitlabMessage],
  ['slack_incoming', slackMessage],
]);
