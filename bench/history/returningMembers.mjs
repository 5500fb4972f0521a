// The members who return on a Monday morning, all in one process. It is told whom and how, and tells what it took.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';

const [task] = await once(process, 'message');
const { url, way, members } = task;
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
let [answers, bytes] = [0, 0];

const ways = { queue: followQueue, register, times: askSoOften };
const cpu = process.cpuUsage();
const begun = performance.now();
const times = await Promise.all(
  members.map(async (member) => {
    await ways[way](member);
    return performance.now() - begun;
  }),
);
const total = performance.now() - begun;
const { user, system } = process.cpuUsage(cpu);
process.send({ times, total, answers, bytes, cpuShare: (user + system) / 1000 / total });
agent.destroy();

/** Until there is nothing more to hear of. What is heard is looked at only as far as it takes to ask on. */
async function followQueue({ queueId, authorization }) {
  for (let last = 0; ;) {
    const path = `/api/v1/events?queue_id=${queueId}&last_event_id=${last}&dont_block=true`;
    const heard = lastIdIn(await ask('GET', path, authorization));
    if (heard === undefined) return;
    last = heard;
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

async function askSoOften({ authorization }) {
  for (let time = 0; time < task.asks; time += 1) await ask('GET', '/', authorization);
}

/** Nothing happens but messages, and where there was none for a member the heartbeat says how far was looked. */
function lastIdIn(body) {
  const begins = Math.max(body.lastIndexOf('{"type":"message","id":'), body.lastIndexOf('{"type":"heartbeat","id":'));
  return begins === -1 ? undefined : Number(/"id":(\d+)/.exec(body.subarray(begins, begins + 60).toString('latin1'))?.[1]);
}

function ask(method, path, authorization, body) {
  const headers = { authorization, ...(body ? { 'content-type': 'application/x-www-form-urlencoded' } : {}) };
  return new Promise((resolve, reject) => {
    const asking = request(url + path, { method, agent, headers }, (response) => {
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
    asking.on('error', reject);
    asking.end(body);
  });
}
