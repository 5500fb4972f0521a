// Plays one member who makes all their calls at once. The parent sends the calls and receives how many were answered with 200.
import { once } from 'node:events';
import { Agent, request } from 'node:http';

const [{ url, authorization, calls }] = await once(process, 'message');
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
const statuses = await Promise.all(calls.map(call));
process.send({ answered: statuses.filter((status) => status === 200).length });
agent.destroy();

function call({ method, path, form }) {
  const headers = { authorization, ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }) };
  return new Promise((resolve, reject) => {
    const pending = request(`${url}/api/v1${path}`, { method, agent, headers }, (response) => {
      response.on('end', () => resolve(response.statusCode));
      response.on('error', reject);
      response.resume();
    });
    pending.on('error', reject);
    pending.end(form);
  });
}
