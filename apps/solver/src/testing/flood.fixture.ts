import { developmentAccounts } from '@bascule/local-stack';
import { developmentAddresses, intentEscrowAbi } from '@bascule/solidity';
import { encodeFunctionData, erc20Abi, multicall3Abi, parseEventLogs } from 'viem';
import type { Address, Hash, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { ESCROW, USDC } from './solver-stage.fixture.js';
import type { SolverStage } from './solver-stage.fixture.js';

const { multicall3 } = developmentAddresses;
const [, stranger] = developmentAccounts;

/** Opens orders of one unit on alphanet by one transaction of a stranger, and one of this amount after them. */
export async function flood(
  stage: SolverStage,
  { orders, last }: { orders: number; last: bigint },
): Promise<{ hash: Hash; id: Hex }> {
  const amounts = [...Array.from({ length: orders }, () => 1n), last];
  const total = amounts.reduce((sum, amount) => sum + amount);
  await stage.pay('alphanet', multicall3, total);
  const { origin, destination } = stage.ends();
  const calls = amounts.map((amount) =>
    encodeFunctionData({
      abi: intentEscrowAbi,
      functionName: 'bridge',
      args: [
        {
          token: USDC,
          amount,
          destinationChainId: BigInt(destination.chainId),
          destinationToken: USDC,
          minimum: 1n,
          owner: stranger.address,
        },
      ],
    }),
  );
  const approval = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [ESCROW, total],
  });
  const call = (target: Address, callData: Hex) => ({
    target,
    allowFailure: false,
    callData,
  });
  const account = privateKeyToAccount(stranger.privateKey);
  const hash = await stage.wallet(origin, account).writeContract({
    address: multicall3,
    abi: multicall3Abi,
    functionName: 'aggregate3',
    args: [[call(USDC, approval), ...calls.map((callData) => call(ESCROW, callData))]],
    gas: 29_000_000n,
  });
  const { logs } = await stage.mined(stage.nodes.alphanet, hash);
  const opened = parseEventLogs({ abi: intentEscrowAbi, eventName: 'Open', logs }).at(-1);
  if (opened?.args.order.inputAmount !== last) throw new Error('the last order was not opened');
  return { hash, id: opened.args.orderId };
}
