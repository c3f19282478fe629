import { developmentAccounts } from '@bascule/local-stack';
import { developmentAddresses } from '@bascule/solidity';
import { encodeFunctionData, getAddress } from 'viem';
import type { Hash } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { PaymentStack } from './payment-stack.fixture.js';

/** Sends native currency by a contract's batch into the mempool; an account that no other fixture uses signs. */
export function submitByContract(
  stack: PaymentStack,
  payments: readonly { to: string; value: bigint }[],
): Promise<Hash> {
  const calls = payments.map(({ to, value }) => ({
    target: getAddress(to),
    allowFailure: false,
    value,
    callData: '0x' as const,
  }));
  return stack.wallet(privateKeyToAccount(developmentAccounts[4].privateKey)).sendTransaction({
    to: developmentAddresses.multicall3,
    value: payments.reduce((sum, { value }) => sum + value, 0n),
    data: encodeFunctionData({ abi: AGGREGATE3_VALUE, args: [calls] }),
  });
}

/** As {@link submitByContract}, mined until it is final. */
export async function payByContract(
  stack: PaymentStack,
  payments: readonly { to: string; value: bigint }[],
): Promise<Hash> {
  const hash = await submitByContract(stack, payments);
  await stack.alphanet.mined(hash);
  await stack.node.mine({ blocks: stack.chain.definition.confirmations - 1 });
  return hash;
}

export const AGGREGATE3_VALUE = [
  {
    type: 'function',
    name: 'aggregate3Value',
    stateMutability: 'payable',
    inputs: [
      {
        type: 'tuple[]',
        name: 'calls',
        components: [
          { type: 'address', name: 'target' },
          { type: 'bool', name: 'allowFailure' },
          { type: 'uint256', name: 'value' },
          { type: 'bytes', name: 'callData' },
        ],
      },
    ],
    outputs: [],
  },
] as const;
