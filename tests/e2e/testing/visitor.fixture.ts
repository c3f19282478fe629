import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import type { StackProcess } from '../../testing/stack-process.fixture.js';

export interface VisitorAnswer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

interface VisitorRequest {
  path: string;
  /** Sent as JSON by POST. */
  body: unknown;
}

/** Sends a request as a visitor with an address of its own on this machine; asks for the chains by default. */
export const visit = (
  stack: StackProcess,
  key: string,
  address: `127.0.0.${number}`,
  headers: Record<string, string> = {},
  { path, body }: Partial<VisitorRequest> = {},
): Promise<VisitorAnswer> =>
  new Promise((resolve, reject) => {
    request(
      {
        host: '127.0.0.1',
        port: stack.ports.GATEWAY_PORT,
        method: body === undefined ? 'GET' : 'POST',
        path: path ?? '/chains',
        localAddress: address,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      (response) => {
        const { statusCode: status, headers: answered } = response;
        text(response).then((body) => resolve({ status, headers: answered, body }), reject);
      },
    )
      .on('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });
