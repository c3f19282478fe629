import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenResponse {
  /** Without its query. */
  path: string;
  body: unknown;
}

export interface AlteringProxy {
  /** Stands for the provider's base URL. */
  baseUrl: string;
  /** JSON responses as the provider gave them. */
  seen: SeenResponse[];
  /** Changes the JSON of each response; unchanged when undefined. */
  alter: ((response: SeenResponse) => unknown) | undefined;
  stop(): Promise<void>;
}

/** Stands between an adapter and its provider, and changes what the provider answers. */
export async function startAlteringProxy(target: string): Promise<AlteringProxy> {
  const base = new URL(target);
  const proxy: Pick<AlteringProxy, 'seen' | 'alter'> = { seen: [], alter: undefined };
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = 'GET', url = '/', headers } = incoming;
      const forward = async (): Promise<void> => {
        const response = await fetch(new URL(url, base.origin), {
          method,
          headers: Object.fromEntries(
            ['accept', 'authorization', 'content-type'].flatMap((name) => {
              const value = headers[name];
              return typeof value === 'string' ? [[name, value]] : [];
            }),
          ),
          ...(method === 'POST' && { body: Buffer.concat(chunks) }),
        });
        const seen = {
          path: new URL(url, base.origin).pathname,
          body: await response.json(),
        };
        proxy.seen.push(seen);
        const answer = proxy.alter === undefined ? seen.body : proxy.alter(structuredClone(seen));
        outgoing.writeHead(response.status, { 'content-type': 'application/json' });
        outgoing.end(JSON.stringify(answer));
      };
      forward().catch(() => outgoing.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return Object.assign(proxy, {
    baseUrl: `${origin}${base.pathname}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
