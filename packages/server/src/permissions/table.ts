import { accountPaths } from '@engawa/protocol/accounts';
import { administrationPaths, importLines } from '@engawa/protocol/administration';
import { livePath } from '@engawa/protocol/live';
import { paths } from '@engawa/protocol/product';
import { chatPaths } from '@engawa/protocol/uploads';
import { healthPath } from '../http/health.ts';
import { metricsPath } from '../metrics/routes.ts';
import { type Caller, names } from './callers.ts';
import { type Calls, row } from './row.ts';
import { image, type World } from './world.ts';

const table = { header: ['氏名', 'メールアドレス'], rows: [['新人 三郎', 'shinjin@engawa.example']] };

let uploads = 0;
const newName = () => `${String((uploads += 1)).padStart(20, '0')}.txt`;
const nameOf = (caller: Caller) => (caller === 'nobody' ? names.member : names[caller]);

/** The roles that may make each call of the product. The chat API has its own table in chat-server. */
export const own: Readonly<Record<keyof typeof paths | keyof typeof chatPaths | 'live' | 'health' | 'metrics', Calls<World>>> = {
  //                            nobody guest memb  mod   admin owner deactivated
  session: {
    'GET /api/session': [
      row('ok    ok    ok    ok    ok    ok    ok   ', 'the session and the candidates', () => ({
        url: paths.session,
      })),
    ],
    'POST /api/session': [
      row('ok    ok    ok    ok    ok    ok    gone ', 'in the fake mode, a sign-in as oneself', (_, caller) => ({
        url: paths.session,
        json: { email: `${nameOf(caller)}@engawa.example` },
      })),
      row('wrong wrong wrong wrong wrong wrong wrong', 'a sign-in as an unknown person', () => ({
        url: paths.session,
        json: { email: 'nobody@engawa.example' },
      })),
    ],
  },
  sessions: {
    'GET /api/sessions': [row('who   ok    ok    ok    ok    ok    gone ', 'one’s own', () => ({ url: paths.sessions }))],
    'DELETE /api/sessions': [
      row('who   ok    ok    ok    ok    ok    gone ', 'the other own sessions', () => ({ url: paths.sessions })),
    ],
    'DELETE /api/sessions/:id': [
      row('who   none  none  none  none  none  gone ', 'another’s', ({ session }) => ({ url: `${paths.sessions}/${session}` })),
    ],
  },
  departmentTree: {
    'GET /api/department/tree': [
      row('who   ok    ok    ok    ok    ok    gone ', 'the organisation', () => ({ url: paths.departmentTree })),
    ],
  },
  people: {
    'GET /api/people': [row('who   ok    ok    ok    ok    ok    gone ', 'the directory', () => ({ url: paths.people }))],
  },
  live: {
    'GET /api/live': [row('who   ok    ok    ok    ok    ok    gone ', 'one’s own events', () => ({ url: livePath }))],
  },
  upload: {
    'POST /api/api/upload/file': [
      row('who   ok    ok    ok    ok    ok    gone ', 'a new file', () => ({
        url: paths.upload,
        form: { file: new File(['x'], 'a.txt'), dstFileName: newName() },
      })),
      row('who   taken taken taken taken taken gone ', 'a file under a taken name', ({ files }) => ({
        url: paths.upload,
        form: { file: new File(['x'], 'a.txt'), dstFileName: files.sent.slice(paths.storage.length) },
      })),
    ],
  },
  storage: {
    'GET /api/storage/temp/:storedName': [
      row('who   ok    ok    ok    ok    ok    gone ', 'one that was sent to them', ({ files }) => ({ url: files.sent })),
      row('who   none  none  none  none  none  gone ', 'another’s unsent file', ({ files }) => ({ url: files.unsent })),
      row('who   none  none  none  none  none  gone ', 'an unknown one', () => ({
        url: `${paths.storage}${'z'.repeat(20)}`,
      })),
    ],
  },
  profile: {
    'GET /api/profile': [row('who   ok    ok    ok    ok    ok    gone ', 'one’s own', () => ({ url: paths.profile }))],
    'POST /api/profile': [
      row('who   fixed ok    ok    ok    ok    gone ', 'one’s own, with another name', (_, caller) => ({
        url: paths.profile,
        form: { name: `縁側 ${nameOf(caller)}`, email: `${nameOf(caller)}@engawa.example`, location: '本社', avatar: 'keep' },
      })),
      row('who   email email email email email gone ', 'the own profile with another’s email', () => ({
        url: paths.profile,
        form: { name: '縁側 花子', email: 'tanaka@engawa.example', location: '本社', avatar: 'keep' },
      })),
    ],
  },
  avatars: {
    'GET /api/avatars/:user/:version': [
      row('who   ok    ok    ok    ok    ok    gone ', 'another’s', ({ pictures }) => ({ url: pictures.shown })),
      row('who   none  ok    ok    ok    ok    gone ', 'of a member whom a guest does not see', ({ pictures }) => ({
        url: pictures.unseen,
      })),
      row('who   none  none  none  none  none  gone ', 'a hidden one', ({ pictures }) => ({ url: pictures.withheld })),
    ],
  },
  bots: {
    'POST /api/bots/:bot/picture': [
      row('who   none  none  none  ok    ok    gone ', 'of another’s bot', ({ bot }) => ({
        url: `${paths.bots}${bot}/picture`,
        form: { image: image() },
      })),
      row('who   none  none  none  none  none  gone ', 'of a member who is no bot', ({ ids }) => ({
        url: `${paths.bots}${ids.tanaka}/picture`,
        form: { image: image() },
      })),
    ],
  },
  streams: {
    'POST /api/streams/:stream/picture': [
      row('who   own   own   own   ok    ok    gone ', 'of another’s group that they are in', ({ groups }) => ({
        url: `${paths.streams}${groups.common.id}/picture`,
        form: { image: image() },
      })),
      row(
        'who   own   own   own   ok    ok    gone ',
        'of a group that they are not in: administrators manage it without reading it',
        ({ groups }) => ({
          url: `${paths.streams}${groups.closed.id}/picture`,
          form: { image: image() },
        }),
      ),
    ],
    'GET /api/streams/:stream/picture/:version': [
      row('who   none  none  none  none  none  gone ', 'of a group that they are not in', ({ groups }) => ({
        url: groups.closed.picture,
      })),
      row('who   none  none  none  none  none  gone ', 'of a group whose picture was replaced', ({ groups }) => ({
        url: groups.common.picture,
      })),
    ],
  },
  health: {
    'GET /healthz': [row('ok    ok    ok    ok    ok    ok    ok   ', 'the health check', () => ({ url: healthPath }))],
  },
  metrics: {
    'GET /metrics': [row('ok    ok    ok    ok    ok    ok    ok   ', 'on the same machine', () => ({ url: metricsPath }))],
  },
  newEmoji: {
    'POST /api/v1/realm/emoji/:name': [
      row('who   fixed ok    ok    ok    ok    gone ', 'a new one', () => ({
        url: `${chatPaths.newEmoji}${newName().replace('.txt', '')}`,
        form: { file: image() },
      })),
      row('who   fixed fixed fixed fixed fixed gone ', 'one with a taken name', () => ({
        url: `${chatPaths.newEmoji}own`,
        form: { file: image() },
      })),
    ],
  },
  userUploads: {
    'POST /api/v1/user_uploads': [
      row('who   ok    ok    ok    ok    ok    gone ', 'a new file', () => ({
        url: chatPaths.userUploads,
        form: { file: new File(['x'], 'a.txt') },
      })),
    ],
    'GET /api/v1/user_uploads/1/:storedName/:name': [
      row('who   ok    ok    ok    ok    ok    gone ', 'one in a message to them', ({ uploads }) => ({
        url: `/api/v1${uploads.sent}`,
      })),
      row('who   none  none  none  none  none  gone ', 'another’s unsent file', ({ uploads }) => ({
        url: `/api/v1${uploads.unsent}`,
      })),
    ],
  },
  attachments: {
    'GET /api/v1/attachments': [
      row('who   ok    ok    ok    ok    ok    gone ', 'one’s own', () => ({ url: chatPaths.attachments })),
    ],
    'DELETE /api/v1/attachments/:id': [
      row('who   fixed fixed fixed fixed fixed gone ', 'another’s', ({ uploads }) => ({
        url: `${chatPaths.attachments}/${uploads.number}`,
      })),
    ],
  },
  uploads: {
    'GET /user_uploads/1/:storedName/:name': [
      row('who   ok    ok    ok    ok    ok    gone ', 'one in a message to them', ({ uploads }) => ({ url: uploads.sent })),
      row('who   none  none  none  none  none  gone ', 'another’s unsent file', ({ uploads }) => ({ url: uploads.unsent })),
    ],
    'GET /user_uploads/temporary/:token/:name': [
      row('none  none  none  none  none  none  none ', 'a wrong token', () => ({ url: `${paths.uploads}temporary/x.y/a.txt` })),
    ],
  },
  emoji: {
    'GET /api/emoji/:version': [
      row('ok    ok    ok    ok    ok    ok    ok   ', 'the picture of one', ({ emoji }) => ({ url: emoji })),
      row('none  none  none  none  none  none  none ', 'an unknown one', () => ({ url: `${paths.emoji}nowhere` })),
    ],
  },
  logout: {
    'GET /logout': [row('ok    ok    ok    ok    ok    ok    ok   ', 'one’s own session', () => ({ url: paths.logout }))],
    'POST /logout': [row('ok    ok    ok    ok    ok    ok    ok   ', 'one’s own session', () => ({ url: paths.logout }))],
  },
};

/** Calls about passwords answer 404 in the fake mode, where nobody has a password. */
export const accounts: Readonly<Record<keyof typeof accountPaths, Calls<World>>> = {
  setup: {},
  invitation: {},
  acceptInvitation: {},
  password: {},
  passwordForgotten: {},
  passwordLink: {},
  passwordReset: {},
  keys: {
    'GET /api/keys': [row('who   ok    ok    ok    ok    ok    gone ', 'one’s own', () => ({ url: accountPaths.keys }))],
    'DELETE /api/keys': [row('who   ok    ok    ok    ok    ok    gone ', 'one’s own', () => ({ url: accountPaths.keys }))],
    'DELETE /api/keys/:id': [
      row('who   none  none  none  none  none  gone ', 'an unknown key', () => ({
        url: `${accountPaths.keys}/999999`,
      })),
    ],
  },
};

/** For administrators and owners. With the right rank, a call on a missing target is refused for the target. */
export const administration: Readonly<Record<keyof typeof administrationPaths, Calls<World>>> = {
  //                            nobody guest memb  mod   admin owner deactivated
  members: {
    'GET /api/administration/members': [
      row('who   rank  rank  rank  ok    ok    gone ', 'all', () => ({ url: administrationPaths.members })),
    ],
    'POST /api/administration/members': [
      row('who   rank  rank  rank  ok    ok    gone ', 'a new one', () => ({
        url: administrationPaths.members,
        json: { full_name: '新人 一郎', email: `${newName()}@engawa.example` },
      })),
      row('who   rank  rank  rank  rank  ok    gone ', 'a new owner', () => ({
        url: administrationPaths.members,
        json: { full_name: '新人 二郎', email: `${newName()}@engawa.example`, role: 100 },
      })),
    ],
    'PATCH /api/administration/members/:id': [
      row('who   rank  rank  rank  ok    ok    gone ', 'another’s title', ({ ids }) => ({
        url: `${administrationPaths.members}/${ids.tanaka}`,
        json: { title: '主任' },
      })),
      row('who   rank  rank  rank  rank  ok    gone ', 'another’s role to owner', ({ ids }) => ({
        url: `${administrationPaths.members}/${ids.tanaka}`,
        json: { role: 100 },
      })),
      row('who   rank  rank  rank  ok    ok    gone ', 'an owner’s title', ({ ids }) => ({
        url: `${administrationPaths.members}/${ids.owner}`,
        json: { title: '会長' },
      })),
    ],
    'DELETE /api/administration/members/:id/sessions': [
      row('who   rank  rank  rank  none  none  gone ', 'of an unknown member', () => ({
        url: `${administrationPaths.members}/999999/sessions`,
      })),
    ],
  },
  invitations: {},
  firstSteps: {},
  status: {
    'GET /api/administration/status': [
      row('who   rank  rank  rank  ok    ok    gone ', 'how the server is doing', () => ({ url: administrationPaths.status })),
    ],
  },
  mailTest: {},
  departments: {
    'POST /api/administration/departments': [
      row('who   rank  rank  rank  ok    ok    gone ', 'a new one', () => ({
        url: administrationPaths.departments,
        json: { displayName: newName(), parent: null },
      })),
    ],
    'PATCH /api/administration/departments/:code': [
      row('who   rank  rank  rank  none  none  gone ', 'an unknown one', () => ({
        url: `${administrationPaths.departments}/none`,
        json: { displayName: newName() },
      })),
    ],
    'DELETE /api/administration/departments/:code': [
      row('who   rank  rank  rank  none  none  gone ', 'an unknown one', () => ({
        url: `${administrationPaths.departments}/none`,
      })),
    ],
    'PATCH /api/administration/departments/:code/members': [
      row('who   rank  rank  rank  none  none  gone ', 'of an unknown one', () => ({
        url: `${administrationPaths.departments}/none/members`,
        json: {},
      })),
    ],
  },
  streams: {
    'GET /api/administration/streams': [
      row('who   rank  rank  rank  ok    ok    gone ', 'all', () => ({ url: administrationPaths.streams })),
    ],
  },
  hooks: {
    'GET /api/administration/hooks': [
      row('who   rank  rank  rank  ok    ok    gone ', 'all', () => ({ url: administrationPaths.hooks })),
    ],
  },
  organisation: {
    'GET /api/administration/organisation': [
      row('who   rank  rank  rank  ok    ok    gone ', 'its settings', () => ({ url: administrationPaths.organisation })),
    ],
    'PATCH /api/administration/organisation': [
      row('who   rank  rank  rank  ok    ok    gone ', 'its description', () => ({
        url: administrationPaths.organisation,
        json: { description: '縁側の会社' },
      })),
    ],
  },
  importRead: {
    'POST /api/administration/import/read': [
      row('who   rank  rank  rank  ok    ok    gone ', 'a file', () => ({
        url: administrationPaths.importRead,
        bytes: '氏名,メールアドレス\r\n',
      })),
    ],
  },
  importPreview: {
    'POST /api/administration/import/preview': [
      row('who   rank  rank  rank  ok    ok    gone ', 'a preview', () => ({
        url: administrationPaths.importPreview,
        bytes: importLines(table),
      })),
    ],
  },
  importApply: {
    'POST /api/administration/import/apply': [
      row('who   rank  rank  rank  old   old   gone ', 'a stale preview', () => ({
        url: `${administrationPaths.importApply}?fingerprint=old`,
        bytes: importLines(table),
      })),
    ],
  },
  export: {
    'GET /api/administration/export': [
      row('who   rank  rank  rank  ok    ok    gone ', 'the export', () => ({ url: administrationPaths.export })),
    ],
  },
};
