import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Misbehaviour =
  'fails' | 'limits' | 'hangs' | 'trickles' | 'garbage' | 'floods' | 'redirects';

export interface MisbehavingServer {
  baseUrl: string;
  /** Number of requests so far. */
  requests: number;
  stop(): Promise<void>;
}

/** A misbehaving provider: fails every request in the chosen way. */
export async function startMisbehavingServer(how: Misbehaviour): Promise<MisbehavingServer> {
  const timers = new Set<NodeJS.Timeout>();
  const counted = { requests: 0 };
  const server = createServer((_request, response) => {
    counted.requests += 1;
    if (how === 'hangs') return;
    if (how === 'fails') return void response.writeHead(503).end('{"error":{}}');
    if (how === 'limits') return void response.writeHead(429, { 'retry-after': '60' }).end('{}');
    if (how === 'garbage') return void response.end('<html>maintenance</html>');
    if (how === 'redirects') {
      return void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end('{}');
    }
    if (how === 'floods') return void response.end(`"${'x'.repeat(4 * 1024 * 1024)}"`);
    response.write('"');
    timers.add(setInterval(() => response.write('x'), 50));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(counted, {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    stop: () =>
      new Promise<void>((resolve) => {
        timers.forEach((timer) => clearInterval(timer));
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
