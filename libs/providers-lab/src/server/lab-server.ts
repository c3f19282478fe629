import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LabRequest {
  url: URL;
  /** By the names in the route's path. */
  params: Readonly<Record<string, string>>;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface LabAnswer {
  status?: number;
  json?: unknown;
  html?: string;
  /** Answers 303 to this URL. */
  redirect?: string;
}

export interface Route {
  method: 'GET' | 'POST';
  /** Path with its parameters, such as `/v1/orders/:id`. */
  path: string;
  /** Pages of the customer and controls of the lab have no faults. */
  hasFaults: boolean;
  handle(request: LabRequest): LabAnswer | Promise<LabAnswer>;
}

/** Fault of the whole API: it never answers, or answers 429, 500 or a page of HTML. */
export type HttpFault = 'slow' | 'rate_limited' | 'fails' | 'html';

export interface LabServer {
  url: string;
  fault: HttpFault | null;
  stop(): Promise<void>;
}

interface LabServerOptions {
  routes: readonly Route[];
  port: number;
  /** Ends what the provider has begun. */
  onStop: () => void;
}

const MAX_BODY_BYTES = 64 * 1024;

const FAULTS: Readonly<Record<HttpFault, (response: ServerResponse) => void>> = {
  slow: () => undefined,
  rate_limited: (response) => response.writeHead(429, { 'retry-after': '1' }).end('{}'),
  fails: (response) => response.writeHead(500).end('{"message":"internal error"}'),
  html: (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>maintenance</html>'),
};

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('the body is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function paramsOf(path: string, pathname: string): Record<string, string> | undefined {
  const [wanted, given] = [path.split('/'), pathname.split('/')];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = decodeURIComponent(given[index] ?? '');
    if (part.startsWith(':')) params[part.slice(1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
}

function send(response: ServerResponse, { status = 200, json, html, redirect }: LabAnswer): void {
  if (redirect !== undefined) {
    response.writeHead(303, { location: redirect }).end();
    return;
  }
  const type = html === undefined ? 'application/json' : 'text/html; charset=utf-8';
  response.writeHead(status, { 'content-type': type }).end(html ?? JSON.stringify(json));
}

/** Serves a provider's API on the loopback. Port 0 is any free port. */
export async function startLabServer({
  routes,
  port,
  onStop,
}: LabServerOptions): Promise<LabServer> {
  const lab = { fault: null as HttpFault | null };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://lab');
    const body = await readBody(request);
    for (const route of routes) {
      const params = route.method === request.method && paramsOf(route.path, url.pathname);
      if (!params) continue;
      if (route.hasFaults && lab.fault !== null) FAULTS[lab.fault](response);
      else send(response, await route.handle({ url, params, headers: request.headers, body }));
      return;
    }
    send(response, { status: 404, json: { message: 'Not found', type: 'NotFoundError' } });
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return Object.assign(lab, {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    stop: () =>
      new Promise<void>((resolve) => {
        onStop();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
