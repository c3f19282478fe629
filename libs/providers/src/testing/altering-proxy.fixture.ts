import { startCapturingServer } from '@bascule/testing';

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

const FORWARDED = [
  'accept',
  'authorization',
  'content-type',
  ...['access-token', 'api-secret', 'x-api-key', 'x-user-ip'],
];

/** Stands between an adapter and its provider, and changes what the provider answers. */
export async function startAlteringProxy(target: string): Promise<AlteringProxy> {
  const base = new URL(target);
  const proxy: Pick<AlteringProxy, 'seen' | 'alter'> = { seen: [], alter: undefined };
  const server = await startCapturingServer(async ({ method, path, headers, body }) => {
    const url = new URL(path, base.origin);
    const response = await fetch(url, {
      method,
      headers: Object.fromEntries(
        FORWARDED.flatMap((name) => {
          const value = headers[name];
          return typeof value === 'string' ? [[name, value]] : [];
        }),
      ),
      ...(method === 'POST' && { body }),
    });
    const seen = { path: url.pathname, body: await response.json() };
    proxy.seen.push(seen);
    const answer = proxy.alter === undefined ? seen.body : proxy.alter(structuredClone(seen));
    return {
      status: response.status,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(answer),
    };
  });
  return Object.assign(proxy, {
    baseUrl: `${server.url}${base.pathname}`,
    stop: () => server.stop(),
  });
}
