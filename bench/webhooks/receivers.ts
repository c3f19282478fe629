// A process with receivers: https servers on the loopback that answer 204 at once and note when each payment was told of.
import { createServer as createControl } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';

const count = Number(process.env['RECEIVERS']);
const tls = { key: process.env['TLS_KEY'] ?? '', cert: process.env['TLS_CERT'] ?? '' };
const WORKFLOW = /"workflow_id":"([^"]+)"/;

let received = 0;
const times = new Map<string, number>();

const servers: Server[] = [];
for (let n = 0; n < count; n += 1) {
  const server = createServer({ ...tls, keepAliveTimeout: 60_000 }, (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')));
    request.on('end', () => {
      received += 1;
      const workflow = WORKFLOW.exec(body)?.[1];
      if (workflow !== undefined && !times.has(workflow)) times.set(workflow, Date.now());
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
}
const ports = servers.map((server) => (server.address() as AddressInfo).port);

createControl((request, response) => {
  const answers: Record<string, () => unknown> = {
    '/': () => ({ ports, received }),
    '/times': () => Object.fromEntries(times),
  };
  response.end(JSON.stringify(answers[request.url ?? '/']?.() ?? null));
}).listen(Number(process.env['CONTROL_PORT']), '127.0.0.1');
