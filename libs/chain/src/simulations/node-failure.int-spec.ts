import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { developmentAddresses } from '@bascule/solidity';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Address } from 'viem';
import { attemptCalls } from '../attempt-calls.js';
import type { Chain } from '../chain.js';
import { Chains } from '../chains.js';
import { parseChainsConfig } from '../chains-config.js';
import { ZERO_ADDRESS } from '../zero-address.js';
import { holdingsOverride, TokenNotOverridableError } from './holdings-override.js';
import { simulatePayout } from './simulation.js';

interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

const ACCOUNT: Address = '0x1111111111111111111111111111111111111111';
const { usdc } = developmentAddresses;
const REVERTED: RpcError = { code: 3, message: 'execution reverted', data: '0x' };
const MISSING_METHOD: RpcError = { code: -32601, message: 'the method does not exist' };

const NODE_FAILURES: [string, RpcError][] = [
  ['an internal error', { code: -32603, message: 'Internal error' }],
  ['an unknown block', { code: -32000, message: 'header not found' }],
  ['a timeout', { code: -32000, message: 'execution aborted (timeout = 5s)' }],
  ['pruned state', { code: -32000, message: 'missing trie node 1f2e (path ) <nil>' }],
  ['an unavailable resource', { code: -32002, message: 'resource unavailable' }],
  ['an exceeded limit', { code: -32005, message: 'daily request count exceeded' }],
  ['refused parameters', { code: -32602, message: 'too many arguments, want at most 2' }],
  ['an unknown code', { code: -1, message: 'upstream failed', data: 'try again' }],
];

describe('a simulation on a node that answers with an error', () => {
  let server: Server;
  let chain: Chain;
  /** Errors by method; `*` for the others. */
  let errors: Record<string, RpcError> = {};

  beforeAll(async () => {
    server = createServer((request, response) => {
      void text(request).then((body) => {
        const { id, method } = JSON.parse(body) as { id: number; method: string };
        const error = errors[method] ?? errors['*'];
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const env = { CHAINS: 'alphanet', RPC_URLS_ALPHANET: `http://127.0.0.1:${port}` };
    chain = new Chains(parseChainsConfig(env)).get('alphanet');
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const payout = (token: Address) =>
    simulatePayout(chain.anyNode, { from: ACCOUNT, token, amount: 5n, destination: ACCOUNT });
  const attempts = () => {
    const call = { target: ACCOUNT, data: '0x' } as const;
    return attemptCalls(chain.anyNode, [call, call], { gas: 100_000n });
  };
  const override = () =>
    holdingsOverride(chain.anyNode, [{ account: ACCOUNT, token: usdc, amount: 1n }]);

  it.each(NODE_FAILURES)('fails for %s, which is no revert', async (_, error) => {
    errors = { '*': error };
    await expect(payout(ZERO_ADDRESS)).rejects.toThrow(error.message);
    await expect(payout(usdc)).rejects.toThrow(error.message);
    await expect(attempts()).rejects.toThrow(error.message);
    await expect(override()).rejects.not.toBeInstanceOf(TokenNotOverridableError);
  });

  it('fails where the access list fails after reverted balances', async () => {
    errors = { eth_call: REVERTED, '*': { code: -32000, message: 'header not found' } };
    await expect(override()).rejects.toThrow('header not found');
  });

  it.each([
    ['a node without access lists', MISSING_METHOD],
    ['a token that reverts in them', REVERTED],
  ])('refuses the token on %s', async (_, error) => {
    errors = { eth_call: REVERTED, eth_createAccessList: error };
    await expect(override()).rejects.toBeInstanceOf(TokenNotOverridableError);
  });

  it.each<[string, RpcError, string]>([
    ['geth', REVERTED, 'without a reason'],
    ['a node without revert data', { code: -32000, message: 'execution reverted' }, 'without a'],
    ['a node with other codes', { code: -32603, message: 'VM: revert' }, 'without a reason'],
    ['nethermind', { code: -32015, message: 'VM error', data: 'Reverted 0x' }, 'without a reason'],
    ['data in an object', { code: -32603, message: '', data: { data: '0x11223344' } }, '11223344'],
    ['exhausted gas', { code: -32000, message: 'out of gas' }, 'out of gas'],
    ['exhausted gas of anvil', { code: -32003, message: 'EVM error OutOfGas' }, 'out of gas'],
    ['memory without gas', { code: -32603, message: 'EVM error MemoryOOG' }, 'out of gas'],
    ['an invalid opcode', { code: -32000, message: 'invalid opcode: INVALID' }, 'without a reason'],
    ['a halt of anvil', { code: -32000, message: 'EVM error InvalidFEOpcode' }, 'without a reason'],
  ])('reports a revert as %s states it', async (_, error, reason) => {
    errors = { '*': error };
    expect(await payout(ZERO_ADDRESS)).toEqual({
      kind: 'reverted',
      reason: expect.stringContaining(reason),
    });
  });

  it.each(['out of gas', 'EVM error OutOfGas', 'EVM error MemoryOOG'])(
    'fails all attempted calls whose gas is exhausted: %s',
    async (message) => {
      errors = { '*': { code: -32603, message } };
      const failed = { success: false, data: '0x' };
      expect(await attempts()).toEqual([failed, failed]);
    },
  );
});
