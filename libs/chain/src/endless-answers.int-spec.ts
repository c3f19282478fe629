import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { eventually, startTestChain } from '@bascule/testing';
import { ResponseBodyTooLargeError, TimeoutError } from 'viem';
import { isTooLarge } from './answer-too-large-error.js';
import { boundedFetch } from './bounded-fetch.js';
import { Chain, withAnswerLimit } from './chain.js';
import { chainDefinitions } from './definitions/index.js';

const KEY = 'the-key-of-this-deployment';
/** Longer than a node that answers may take on a busy machine. */
const PATIENT_MS = 5_000;
const SHORT_MS = 300;

describe('a chain with nodes that do not end their answers', () => {
  const stops: (() => unknown)[] = [];
  let requests = 0;

  async function serve(answer: (response: ServerResponse) => void): Promise<string> {
    requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      answer(response);
    });
    await listening(server);
    stops.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/${KEY}`;
  }
  const listening = (server: Server) =>
    new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  /** Sends headers and the begin of a body, whose end never comes. */
  const beginBody = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(' ');
  };
  /** @param timeoutMs short where no node answers at all */
  const chainAt = (rpcUrls: readonly string[], timeoutMs: number) => {
    const definition = chainDefinitions['alphanet'];
    if (definition === undefined) throw new Error('alphanet is not defined');
    return new Chain({ definition, rpcUrls: [...rpcUrls] }, timeoutMs);
  };
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => error,
    );

  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  it('asks the next node when one does not end its answer', async () => {
    const anvil = await startTestChain();
    stops.push(() => anvil.stop());
    const {
      anyNode: { client },
    } = chainAt([await serve(beginBody), anvil.rpcUrl], PATIENT_MS);
    expect(await client.getChainId()).toBe(31337);
    expect(requests).toBe(1);
  });

  it('asks a node last that timed out', async () => {
    const anvil = await startTestChain();
    stops.push(() => anvil.stop());
    const {
      anyNode: { client },
    } = chainAt([await serve(beginBody), anvil.rpcUrl], PATIENT_MS);
    for (let read = 0; read < 3; read += 1) expect(await client.getChainId()).toBe(31337);
    expect(requests).toBe(1);
  });

  it('asks a node that timed out where no other one answers', async () => {
    let answers = false;
    const url = await serve((response) => {
      if (answers) response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x7a69' }));
      else beginBody(response);
    });
    const {
      anyNode: { client },
    } = chainAt([url, 'http://127.0.0.1:9'], PATIENT_MS);
    expect(await failureOf(client.getChainId())).toBeInstanceOf(Error);
    answers = true;
    expect(await client.getChainId()).toBe(31337);
  });

  it('fails without the key of the URL where an answer does not end', async () => {
    const [node] = chainAt([await serve(beginBody)], SHORT_MS).endpoints;
    const error = await failureOf(node?.getChainId() ?? Promise.resolve());
    expect(error).toBeInstanceOf(TimeoutError);
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain(KEY);
  });

  it('fails without the key of the URL where an answer does not begin', async () => {
    const silent = createTcpServer();
    await listening(silent);
    stops.push(() => silent.close());
    const { port } = silent.address() as AddressInfo;
    const [node] = chainAt([`http://127.0.0.1:${port}/${KEY}`], SHORT_MS).endpoints;
    const error = await failureOf(node?.getChainId() ?? Promise.resolve());
    expect(error).toBeInstanceOf(TimeoutError);
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain(KEY);
  });

  it('ends an answer of too many bytes', async () => {
    let isOpen = true;
    const url = await serve((response) => {
      response.on('close', () => (isOpen = false));
      const send = () => {
        while (response.write(Buffer.alloc(64 * 1024, ' ')));
      };
      response.on('drain', send);
      send();
    });
    const error = await failureOf(boundedFetch({ maxBytes: 2 ** 20 })(url));
    expect(error).toBeInstanceOf(ResponseBodyTooLargeError);
    expect(String(error)).not.toContain(KEY);
    await eventually(() => expect(isOpen).toBe(false));
  });

  it.each([
    ['too large for the client', (response: ServerResponse) => response.end(' '.repeat(2 ** 21))],
    [
      'too large for the node',
      (response: ServerResponse) => {
        const error = { code: -32005, message: 'query returned more than 10000 results' };
        response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
      },
    ],
    ['too large for a proxy', (response: ServerResponse) => response.writeHead(413).end()],
  ])('asks once for an answer that is %s', async (_name, answer) => {
    const [node] = chainAt([await serve(answer)], PATIENT_MS).endpoints;
    if (node === undefined) throw new Error('the chain has no endpoint');
    const error = await failureOf(withAnswerLimit(node, 2 ** 20).getLogs());
    expect(isTooLarge(error)).toBe(true);
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain(KEY);
    expect(requests).toBe(1);
  });

  it('asks again after another failure, below the limit as above it', async () => {
    const url = await serve((response) => response.writeHead(503).end());
    const [node] = chainAt([url], PATIENT_MS).endpoints;
    if (node === undefined) throw new Error('the chain has no endpoint');
    expect(isTooLarge(await failureOf(node.getLogs()))).toBe(false);
    expect(isTooLarge(await failureOf(withAnswerLimit(node, 2 ** 20).getLogs()))).toBe(false);
    expect(requests).toBe(4);
  });

  it('follows no redirect', async () => {
    const url = await serve((response) => response.writeHead(307, { location: '/other' }).end());
    expect(await failureOf(boundedFetch()(url))).toBeInstanceOf(TypeError);
    expect(requests).toBe(1);
  });
});
