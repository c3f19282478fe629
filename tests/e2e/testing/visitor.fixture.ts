import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import type { StackProcess } from '../../testing/stack-process.fixture.js';

export interface VisitorAnswer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Asks for the chains as a visitor with an address of its own on this machine. */
export const visit = (
  stack: StackProcess,
  key: string,
  address: `127.0.0.${number}`,
  headers: Record<string, string> = {},
): Promise<VisitorAnswer> =>
  new Promise((resolve, reject) => {
    request(
      {
        host: '127.0.0.1',
        port: stack.ports.GATEWAY_PORT,
        path: '/chains',
        localAddress: address,
        headers: { authorization: `Bearer ${key}`, ...headers },
      },
      (response) => {
        const { statusCode: status, headers: answered } = response;
        text(response).then((body) => resolve({ status, headers: answered, body }), reject);
      },
    )
      .on('error', reject)
      .end();
  });
