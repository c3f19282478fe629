import { executorAbi } from '@bascule/solidity';
import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  parseAbi,
  zeroAddress,
  type Address,
  type PublicClient,
} from 'viem';
import type { Expectations } from './expectations.js';
import { contains, equals, isSameSet, listed, type Reading } from './reading.js';

const safeAbi = parseAbi([
  'function getThreshold() view returns (uint256)',
  'function getOwners() view returns (address[])',
  'function getModulesPaginated(address start, uint256 pageSize) view returns (address[], address)',
]);
const FIRST_MODULE = '0x0000000000000000000000000000000000000001';
const MODULES = 10n;
/** Code of a key that delegates by EIP-7702. */
const DELEGATION = '0xef0100';
const NOT_A_SAFE = 'not a Safe: check who signs for it';

/** Checks of the executor contract's owner and operators. */
export function executorChecks(
  client: PublicClient,
  executor: Address,
  { owner, operators, signers }: Expectations,
): readonly Reading[] {
  const contract = { address: executor, abi: executorAbi } as const;
  return [
    equals('owner of the executor', executor, owner, () =>
      client.readContract({ ...contract, functionName: 'owner' }),
    ),
    equals('proposed owner', executor, zeroAddress, () =>
      client.readContract({ ...contract, functionName: 'pendingOwner' }),
    ),
    {
      check: 'operators',
      address: executor,
      expected: listed(operators),
      async read() {
        const found = await client.readContract({ ...contract, functionName: 'operators' });
        return { found: listed(found), ok: isSameSet(found, operators) };
      },
    },
    ...multisigChecks(client, owner, operators, signers),
  ];
}

function multisigChecks(
  client: PublicClient,
  owner: Address,
  operators: readonly Address[],
  signers: readonly Address[] | undefined,
): readonly Reading[] {
  const safe = { address: owner, abi: safeAbi } as const;
  return [
    {
      check: 'kind of the owner',
      address: owner,
      expected: 'a contract',
      async read() {
        const code = await client.getCode({ address: owner });
        if (!code) return { ok: false, found: 'a key, or nothing' };
        if (code.startsWith(DELEGATION)) return { ok: false, found: 'a key that delegates' };
        return { ok: true, found: 'a contract' };
      },
    },
    {
      check: 'signatures of the owner',
      address: owner,
      expected: 'at least 2',
      async read() {
        const threshold = await ofSafe(() =>
          client.readContract({ ...safe, functionName: 'getThreshold' }),
        );
        if (threshold === undefined) return { ok: signers === undefined, found: NOT_A_SAFE };
        return { ok: threshold >= 2n, found: String(threshold) };
      },
    },
    {
      check: 'signers of the owner',
      address: owner,
      expected: signers ? listed(signers) : 'no operator',
      async read() {
        const found = await ofSafe(() =>
          client.readContract({ ...safe, functionName: 'getOwners' }),
        );
        if (found === undefined) return { ok: signers === undefined, found: NOT_A_SAFE };
        const isExpected = signers === undefined || isSameSet(found, signers);
        const isApart = !operators.some((operator) => contains(found, operator));
        return { ok: isExpected && isApart, found: listed(found) };
      },
    },
    {
      check: 'modules of the owner',
      address: owner,
      expected: 'none',
      async read() {
        const page = await ofSafe(() =>
          client.readContract({
            ...safe,
            functionName: 'getModulesPaginated',
            args: [FIRST_MODULE, MODULES],
          }),
        );
        if (page === undefined) return { ok: signers === undefined, found: NOT_A_SAFE };
        return { ok: page[0].length === 0, found: listed(page[0]) };
      },
    },
  ];
}

/** Undefined where the contract has no such function. */
async function ofSafe<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const isUnknown =
      error instanceof BaseError &&
      error.walk(
        (cause) =>
          cause instanceof ContractFunctionZeroDataError ||
          cause instanceof ContractFunctionRevertedError,
      ) !== null;
    if (isUnknown) return undefined;
    throw error;
  }
}
