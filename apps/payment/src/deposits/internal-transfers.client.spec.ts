import { describe, expect, it } from '@jest/globals';
import { AnswerTooLargeError } from '@bascule/chain';
import type { EndpointClient } from '@bascule/chain';
import { TimeoutError } from 'viem';
import { internalTransfers } from './internal-transfers.client.js';
import { TracesUnavailableError } from './traces-unavailable-error.js';

const block = { number: 7n, hash: `0x${'01'.repeat(32)}`, transactions: [] } as const;
const nodeThatFails = (error: Error) =>
  ({ request: () => Promise.reject(error) }) as unknown as EndpointClient;

describe('calls of a block', () => {
  it('are not awaited where all traces are too large', async () => {
    const node = nodeThatFails(new AnswerTooLargeError(new Error('the response is too big')));
    expect(await internalTransfers([node], block)).toBeNull();
  });

  it('are awaited where a node may trace them later', async () => {
    const node = nodeThatFails(new TimeoutError({ body: {}, url: 'http://node.example' }));
    await expect(internalTransfers([node], block)).rejects.toThrow(TracesUnavailableError);
  });
});
