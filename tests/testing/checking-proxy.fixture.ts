import { freePort } from '@bascule/testing';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { checkExchange } from './checked-request.fixture.js';

export interface CheckingProxy {
  baseUrl: string;
  /** Requests that came through, as `POST /path`. */
  requests: string[];
  /**
   * Ends it.
   * @throws the first violation of the contract
   */
  close(): Promise<void>;
}

/** Passes requests of a program on to the API, and holds the answers against the contract. */
export async function startCheckingProxy(apiUrl: string): Promise<CheckingProxy> {
  const requests: string[] = [];
  const violations: unknown[] = [];
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = '', url = '' } = incoming;
    const answer = await passedOn(incoming, new URL(url, apiUrl));
    const { statusCode: status = 0, headers: answered } = answer;
    const body = await text(answer);
    outgoing.writeHead(status, answered).end(body);
    requests.push(`${method} ${url}`);
    try {
      checkExchange(method, url, { status, headers: answered, body });
    } catch (violation) {
      violations.push(violation);
    }
  };
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch((error: unknown) => {
      violations.push(error);
      outgoing.destroy();
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (violations.length > 0) throw violations[0];
    },
  };
}

const passedOn = (incoming: IncomingMessage, url: URL): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', headers } = incoming;
    incoming.pipe(
      request(url, { method, headers: { ...headers, host: url.host } }, resolve).on(
        'error',
        reject,
      ),
    );
  });
