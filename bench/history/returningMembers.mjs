// Plays all members who return on a Monday morning. The parent sends the task and receives the times.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';

const [task] = await once(process, 'message');
const { url, way, members } = task;
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
let [answers, bytes] = [0, 0];

const ways = { queue: followQueue, register, times: callRepeatedly };
const cpu = process.cpuUsage();
const start = performance.now();
const times = await Promise.all(
  members.map(async (member) => {
    await ways[way](member);
    return performance.now() - start;
  }),
);
const total = performance.now() - start;
const { user, system } = process.cpuUsage(cpu);
process.send({ times, total, answers, bytes, cpuShare: (user + system) / 1000 / total });
agent.destroy();

/** Only the last event id of each answer is read. */
async function followQueue({ queueId, authorization }) {
  for (let last = 0; ;) {
    const path = `/api/v1/events?queue_id=${queueId}&last_event_id=${last}&dont_block=true`;
    const received = lastIdIn(await ask('GET', path, authorization));
    if (received === undefined) return;
    last = received;
  }
}

async function register({ authorization }) {
  await ask('POST', '/api/v1/register', authorization, task.registrationForm);
  const narrow = encodeURIComponent('[]');
  await ask(
    'GET',
    `/api/v1/messages?anchor=newest&num_before=100&num_after=0&apply_markdown=false&narrow=${narrow}`,
    authorization,
  );
}

async function callRepeatedly({ authorization }) {
  for (let time = 0; time < task.calls; time += 1) await ask('GET', '/', authorization);
}

/** Events are only messages, or a heartbeat with the examined position. */
function lastIdIn(body) {
  const begins = Math.max(body.lastIndexOf('{"type":"message","id":'), body.lastIndexOf('{"type":"heartbeat","id":'));
  return begins === -1 ? undefined : Number(/"id":(\d+)/.exec(body.subarray(begins, begins + 60).toString('latin1'))?.[1]);
}

function ask(method, path, authorization, body) {
  const headers = { authorization, ...(body ? { 'content-type': 'application/x-www-form-urlencoded' } : {}) };
  return new Promise((resolve, reject) => {
    const pending = request(url + path, { method, agent, headers }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const answer = Buffer.concat(parts);
        answers += 1;
        bytes += answer.length;
        if (response.statusCode === 200) resolve(answer);
        else reject(new Error(`${path}: ${response.statusCode} ${answer}`));
      });
    });
    pending.on('error', reject);
    pending.end(body);
  });
}
