import type { ChainDefinition } from '@bascule/chain';
import { CREATE2_DEPLOYER } from '@bascule/solidity';
import { parseAbi, type Hex, type PublicClient } from 'viem';
import { foreignContracts } from '../../networks/contracts-of.js';
import { equals, type Reading } from './reading.js';

/** Code of the CREATE2 deployer, which is the same on every chain. */
const CREATE2_DEPLOYER_CODE: Hex =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3';
/** Creation code that stores 1 transiently and returns what it reads back (Cancun). */
const TRANSIENT_STORAGE_PROBE: Hex = '0x60015f5d5f5c5f5260205ff3';
const multicall3Abi = parseAbi(['function getChainId() view returns (uint256)']);

/** The node is of the right chain. */
export const chainIdCheck = (client: PublicClient, definition: ChainDefinition): Reading =>
  equals('chain id', undefined, definition.chainId, () => client.getChainId());

/** Preconditions of any deployment, and the contracts of others that the definition names. */
export function chainChecks(client: PublicClient, definition: ChainDefinition): readonly Reading[] {
  const { multicall3 } = definition.contracts;
  return [
    {
      check: 'transient storage',
      expected: 'supported',
      async read() {
        const { data } = await client.call({ data: TRANSIENT_STORAGE_PROBE });
        const ok = data !== undefined && BigInt(data) === 1n;
        return { ok, found: ok ? 'supported' : 'not supported' };
      },
    },
    {
      check: 'CREATE2 deployer',
      address: CREATE2_DEPLOYER,
      expected: 'its code',
      async read() {
        const code = await client.getCode({ address: CREATE2_DEPLOYER });
        const ok = code === CREATE2_DEPLOYER_CODE;
        return { ok, found: ok ? 'its code' : code ? 'other code' : 'no code' };
      },
    },
    equals('Multicall3', multicall3, definition.chainId, () =>
      client.readContract({ address: multicall3, abi: multicall3Abi, functionName: 'getChainId' }),
    ),
    ...foreignContracts(definition).map(({ name: check, address }) => ({
      check,
      address,
      expected: 'code',
      async read() {
        const ok = Boolean(await client.getCode({ address }));
        return { ok, found: ok ? 'code' : 'no code' };
      },
    })),
  ];
}
