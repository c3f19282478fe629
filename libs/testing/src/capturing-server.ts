import { freePort } from '@bascule/local-stack';
import { createServer, type IncomingHttpHeaders } from 'node:http';

export interface CapturedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Raw, as signatures are over bytes. */
  body: Buffer;
  receivedAt: Date;
}

export interface CapturingServer {
  url: string;
  port: number;
  /** Everything received so far, oldest first. */
  requests: CapturedRequest[];
  stop(): Promise<void>;
}

export interface CannedResponse {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

export type Responder = (
  request: CapturedRequest,
  index: number,
) => CannedResponse | Promise<CannedResponse>;

/** An HTTP server on the loopback that records requests and responds with `respond` (200 by default). */
export async function startCapturingServer(
  respond: Responder = () => ({}),
  port?: number,
): Promise<CapturingServer> {
  const requests: CapturedRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request: CapturedRequest = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks),
        receivedAt: new Date(),
      };
      const index = requests.push(request) - 1;
      Promise.resolve(respond(request, index)).then(
        ({ status = 200, headers = {}, body = '' }) =>
          outgoing.writeHead(status, headers).end(body),
        () => outgoing.destroy(),
      );
    });
  });
  const bound = port ?? (await freePort());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(bound, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
