import { describe, expect, it } from '@jest/globals';
import { rpcCall } from '@bascule/local-stack';
import { developmentAddresses } from '@bascule/solidity';
import { startTestChain } from './test-chain.js';

describe('startTestChain', () => {
  it('starts independent chains with every contract deployed', async () => {
    const [first, second] = await Promise.all([startTestChain(), startTestChain()]);
    try {
      for (const { rpcUrl } of [first, second]) {
        const code = await rpcCall(rpcUrl, 'eth_getCode', [developmentAddresses.usdc, 'latest']);
        expect(code).not.toBe('0x');
      }
      await rpcCall(first.rpcUrl, 'anvil_setBalance', [developmentAddresses.usdc, '0x7']);
      const balance = ['eth_getBalance', [developmentAddresses.usdc, 'latest']] as const;
      expect(await rpcCall(first.rpcUrl, balance[0], [...balance[1]])).toBe('0x7');
      expect(await rpcCall(second.rpcUrl, balance[0], [...balance[1]])).toBe('0x0');
    } finally {
      await Promise.all([first.stop(), second.stop()]);
    }
  });
});
