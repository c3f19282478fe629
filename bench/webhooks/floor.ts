// A process that posts the same bytes from memory with bare undici; prints its requests per CPU second.
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';

const ports = JSON.parse(process.env['PORTS'] ?? '[]') as number[];
const requests = Number(process.env['REQUESTS']);
const lanes = Number(process.env['LANES']);
const body = Buffer.from(process.env['BODY'] ?? '');
const headers = { 'content-type': 'application/json', 'user-agent': 'floor' };

const agent = new Agent({ connections: Math.ceil(lanes / ports.length), pipelining: 1 });

async function post(total: number): Promise<void> {
  let left = total;
  const lane = async (number: number): Promise<void> => {
    const url = `https://127.0.0.1:${ports[number % ports.length]}/hook`;
    while (left > 0) {
      left -= 1;
      const response = await request(url, { method: 'POST', headers, body, dispatcher: agent });
      await response.body.dump();
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
}

await post(lanes * 4);
await delay(200);
const before = process.cpuUsage();
await post(requests);
const { user, system } = process.cpuUsage(before);
process.stdout.write(String((requests * 1e6) / (user + system)));
await agent.close();
