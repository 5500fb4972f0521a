import { getServerSettings } from '@engawa/protocol';
import { leastFeatureLevel } from '../chat/remote/capabilities.ts';
import { UpstreamError, type UpstreamFault, type UpstreamReply, createUpstream } from '../chat/remote/upstream.ts';
import type { Configuration, ZulipSettings } from '../configuration.ts';
import { reasonOf } from '../log/failure.ts';
import { parseJson } from '../parseJson.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Milliseconds. */
const patience = 10_000;
/** The newest feature level that was tried: Zulip 8.0. */
const triedFeatureLevel = 218;

export async function checkZulip({ zulip }: Pick<Configuration, 'zulip'>): Promise<Finding[]> {
  if (!zulip) return [];
  const upstream = createUpstream(zulip);
  try {
    const call = {
      method: 'GET',
      path: '/api/v1/server_settings',
      headers: { accept: 'application/json' },
      isRepeatable: true,
      patience,
    };
    return findingsOf(await upstream.exchange({ ...call, signal: new AbortController().signal }), zulip);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return [unreachable(error, zulip)];
  } finally {
    upstream.close();
  }
}

const words: Readonly<Record<UpstreamFault, { readonly ja: string; readonly en: string }>> = {
  unreachable: { ja: 'につながりません', en: 'cannot be reached' },
  certificate: {
    ja: 'の証明書を信頼できません（ZULIP_CA を確かめてください）',
    en: 'has a certificate that is not trusted; check ZULIP_CA',
  },
  slow: { ja: 'が時間内に応答しません', en: 'does not answer in time' },
  'cut-off': { ja: 'の応答が途中で切れました', en: 'stops in the middle of its answer' },
  'too-large': { ja: 'の応答が大きすぎます', en: 'gives an answer that is too large' },
};

function unreachable({ fault, cause }: UpstreamError, { site }: ZulipSettings): Finding {
  const { ja, en } = words[fault];
  const reason = cause === undefined ? '' : ` (${reasonOf(cause)})`;
  return problem('zulip', `Zulip サーバー ${site} ${ja}。`, `The Zulip server ${site} ${en}${reason}.`);
}

function findingsOf({ status, body }: UpstreamReply, { site }: ZulipSettings): Finding[] {
  const { data } = getServerSettings.answer.safeParse(parseJson(body.toString()));
  if (status !== 200 || !data) {
    return [
      problem(
        'zulip',
        `ZULIP_SITE のアドレス ${site} は、Zulip サーバーとして応答しません（状態 ${status}）。`,
        `The address in ZULIP_SITE, ${site}, does not answer as a Zulip server (status ${status}).`,
      ),
    ];
  }
  const { zulip_version: version, zulip_feature_level: level, authentication_methods: methods } = data;
  const findings = [versionFinding(site, version, level)];
  if (methods['password'] !== true && methods['ldap'] !== true) {
    findings.push(
      problem(
        'zulip',
        'Zulip がパスワードでのサインインを許していないため、メンバーはサインインできません。',
        'Zulip does not allow signing in by password, so no member can sign in.',
      ),
    );
  }
  return findings;
}

function versionFinding(site: string, version: string, level: number): Finding {
  const named = `Zulip ${version}, feature level ${level}`;
  if (level < leastFeatureLevel) {
    return problem(
      'zulip',
      `${site} は古すぎます（${named}）。Zulip 8.0 以降（feature level ${leastFeatureLevel} 以上）が必要です。`,
      `${site} is too old (${named}). Zulip 8.0 or newer is required (feature level ${leastFeatureLevel}).`,
    );
  }
  if (level > triedFeatureLevel) {
    return warning(
      'zulip',
      `${site} が応答します（${named}）。この版では試していません。`,
      `${site} answers (${named}). Engawa was not tried with this version.`,
    );
  }
  return ok('zulip', `${site} が応答します（${named}）。`, `${site} answers (${named}).`);
}
