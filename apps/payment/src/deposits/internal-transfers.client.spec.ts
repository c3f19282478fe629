import { describe, expect, it } from '@jest/globals';
import { AnswerTooLargeError } from '@bascule/chain';
import type { EndpointClient } from '@bascule/chain';
import { HttpRequestError, InternalRpcError, MethodNotFoundRpcError, TimeoutError } from 'viem';
import { internalTransfers } from './internal-transfers.client.js';
import { TracesUnavailableError } from './traces-unavailable-error.js';

const block = { number: 7n, hash: `0x${'01'.repeat(32)}`, transactions: [] } as const;
const nodeThatFails = (error: Error) =>
  ({ request: () => Promise.reject(error) }) as unknown as EndpointClient;

describe('calls of a block', () => {
  it('are not awaited where all traces are too large', async () => {
    const node = nodeThatFails(new AnswerTooLargeError(new Error('the response is too big')));
    expect(await internalTransfers(node, block)).toBeNull();
  });

  it('are awaited where a node may trace them later', async () => {
    const node = nodeThatFails(new TimeoutError({ body: {}, url: 'http://node.example' }));
    await expect(internalTransfers(node, block)).rejects.toThrow(TracesUnavailableError);
  });

  const url = 'http://node.example';
  it.each([
    ['that has no such methods', new MethodNotFoundRpcError(new Error('no method'))],
    ['whose provider refuses them', new HttpRequestError({ url, status: 403 })],
  ])('are asked for once from a node %s', async (_, error) => {
    const { node, asked } = countedNode(error);
    for (let read = 0; read < 3; read++) expect(await internalTransfers(node, block)).toBeNull();
    expect(asked).toEqual(['trace_block', 'debug_traceBlockByHash']);
  });

  it.each([
    ['is too large', new AnswerTooLargeError(new Error('the response is too big'))],
    ['the node has pruned', new InternalRpcError(new Error('state is pruned'))],
  ])('are asked for again after a block that %s', async (_, error) => {
    const { node, asked } = countedNode(error);
    for (let read = 0; read < 2; read++) expect(await internalTransfers(node, block)).toBeNull();
    expect(asked).toHaveLength(4);
  });
});

function countedNode(error: Error) {
  const asked: string[] = [];
  const request = ({ method }: { method: string }) => {
    asked.push(method);
    return Promise.reject(error);
  };
  return { asked, node: { request } as unknown as EndpointClient };
}
