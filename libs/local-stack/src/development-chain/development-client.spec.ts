import { describe, expect, it } from '@jest/globals';
import type { Address, Hash } from 'viem';
import { type DevelopmentClient, sendAll } from './development-client.js';

const from: Address = '0x00000000000000000000000000000000000000aa';
const to: Address = '0x00000000000000000000000000000000000000bb';
const planned = (what: string) => ({ what, from, to, data: '0x' as const });

/** A node that mines at once, but keeps a transaction waiting until it is dropped, with those that follow it. */
function nodeThatKeepsWaiting(stuck: number) {
  const pool = new Map<Hash, number>();
  const mined = new Map<Hash, number>();
  const log: string[] = [];
  let isStuck = true;
  const mine = (): void => {
    for (const [hash, nonce] of [...pool].sort(([, one], [, other]) => one - other)) {
      if (nonce !== mined.size || (isStuck && nonce === stuck)) return;
      pool.delete(hash);
      mined.set(hash, nonce);
    }
  };
  const client = {
    getTransactionCount: async () => mined.size,
    sendUnsignedTransaction: async ({ nonce }: { nonce: number }) => {
      log.push(`send ${nonce}`);
      const hash: Hash = `0x${nonce.toString(16).padStart(64, '0')}`;
      pool.set(hash, nonce);
      mine();
      return hash;
    },
    mine: async () => mine(),
    dropTransaction: async ({ hash }: { hash: Hash }) => {
      log.push(`drop ${pool.get(hash)}`);
      pool.clear();
      isStuck = false;
    },
    request: async ({ method, params: [hash] }: { method: string; params: [Hash] }) => {
      if (method === 'eth_getTransactionReceipt') return mined.has(hash) ? { status: '0x1' } : null;
      return mined.has(hash) || pool.has(hash) ? { hash } : null;
    },
  };
  return { client: client as unknown as DevelopmentClient, log, mined };
}

describe('sendAll', () => {
  it('sends again what a node keeps waiting for an earlier one, and what it lost with it', async () => {
    const { client, log, mined } = nodeThatKeepsWaiting(1);
    await sendAll(client, [planned('first'), planned('second'), planned('third')]);
    expect([...mined.values()]).toEqual([0, 1, 2]);
    const [drop, ...again] = log.slice(3);
    expect([drop, again.toSorted()]).toEqual(['drop 1', ['send 1', 'send 2']]);
  });
});
