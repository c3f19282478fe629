import type { Payment } from '@bascule/contracts';
import { developmentAddresses } from '@bascule/solidity';
import { isAddressEqual, parseAbi, parseEventLogs, type Address, type Hex } from 'viem';
import { check, checkEqual } from './check.js';
import { runSwap, type Swap } from './swap.js';
import type { Stage } from './test-user.js';

const { converter, lifiDiamond, zeroXAllowanceHolder } = developmentAddresses;

/** Conversions for which a simulated aggregator pays more than the pools. */
const FAVOURED: readonly { contract: Address; swap: Swap }[] = [
  {
    contract: zeroXAllowanceHolder,
    swap: { title: 'through 0x', give: { symbol: 'WETH', amount: '0.02' }, get: 'USDC' },
  },
  {
    contract: lifiDiamond,
    swap: { title: 'through LI.FI', give: { symbol: 'USDC', amount: '40' }, get: 'USDT' },
  },
];

const aggregatorAbi = parseAbi([
  'event Swapped(address indexed caller, address indexed receiver, address outputToken, uint256 output)',
]);

/** Converts through each simulated aggregator; returns the completed payments. */
export async function runAggregators(stage: Stage): Promise<Payment[]> {
  const payments: Payment[] = [];
  for (const { contract, swap } of FAVOURED) {
    const payment = await runSwap(stage, swap);
    await verifySwapped(stage, payment, contract);
    payments.push(payment);
  }
  return payments;
}

/** Compares the transaction of the conversion with the event of the aggregator's contract. */
async function verifySwapped(
  { chain, timeline }: Stage,
  { fulfilled }: Payment,
  contract: Address,
): Promise<void> {
  const hash = fulfilled.route.find(({ type }) => type === 'ONCHAIN_STEP')?.transaction_hash;
  check('the route has the transaction of the conversion', Boolean(hash), fulfilled.route);
  const { logs } = await chain.client.getTransactionReceipt({ hash: hash as Hex });
  const swaps = parseEventLogs({ abi: aggregatorAbi, logs }).filter(({ address }) =>
    isAddressEqual(address, contract),
  );
  checkEqual('the contract of the aggregator swapped', swaps.length, 1);
  checkEqual('for the Converter', swaps[0]?.args.receiver, converter);
  timeline.holds(`the contract of the aggregator (${contract}) swapped in ${hash}`);
}
