import type {
  BridgeTransfer,
  BridgeTransferStatus,
  PaymentPlan,
  Quote,
  RouteStep,
  TransferStatus,
} from '@bascule/contracts';
import { tokenIdentifier } from '@bascule/contracts';
import { contractAddresses, developmentAddresses, serializeOrder } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { getAddress, pad, zeroAddress } from 'viem';
import { legSettled, legSubmitted } from '../life-cycle/legs.js';
import type { LegSettlement, PaymentRecord } from '../life-cycle/payment-record.js';
import { legBridged, transferSeen } from '../life-cycle/transfers.js';
import type { PaymentBuilder } from './a-payment.fixture.js';
import {
  aDeposit,
  aPolicy,
  aSettlement,
  built,
  HASH,
  minutesAfter,
  OWNER,
} from './a-payment.fixture.js';
import { aQuote, DECIMALS, FEE_RECEIVER, USDC } from './a-quote.fixture.js';

export const BETA_USDC = tokenIdentifier('betanet', developmentAddresses.usdc);
export const BETA_WETH = tokenIdentifier('betanet', developmentAddresses.weth);
export const ESCROW = getAddress(developmentAddresses.intentEscrow);
export const FILL_HASH = `0x${'f'.repeat(64)}` as const;
export const ORDER_ID = `0x${'1d'.repeat(32)}` as const;

const balance = (asset: string) => ({ asset, property: 'BALANCE' as const });

const bridgeStep: RouteStep = {
  type: 'ONCHAIN_STEP',
  net_effect: {
    consume: [
      { account: 'SPW', resource: balance(USDC), amount: '100' },
      { account: 'BRIDGE', resource: balance(BETA_USDC), amount: '98.9' },
    ],
    produce: [
      { account: 'BRIDGE', resource: balance(USDC), amount: '99' },
      { account: 'SERVICE', resource: balance(USDC), amount: '1' },
      { account: 'SPW', resource: balance(BETA_USDC), amount: '98.9' },
    ],
  },
  pieces_info: [
    { type: 'bridge', chain: 'alphanet', to_chain: 'betanet', bridge: 'intent_escrow' },
  ],
  step_index: 1,
};

const payoutStep: RouteStep = {
  type: 'ONCHAIN_STEP',
  net_effect: {
    consume: [{ account: 'SPW', resource: balance(BETA_USDC), amount: '98.9' }],
    produce: [
      { account: 'DEST', resource: balance(BETA_WETH), amount: '0.0328' },
      { account: 'SERVICE', resource: balance(BETA_USDC), amount: '0.5' },
    ],
  },
  pieces_info: [{ type: 'convert' }, { type: 'transfer_out' }],
  step_index: 2,
};

export function aBridgedQuote(): Quote {
  const quote = aQuote();
  return {
    ...quote,
    output_amount: { asset: BETA_WETH, amount: '0.0328' },
    route: [...quote.route.slice(0, 1), bridgeStep, payoutStep],
  };
}

/** 100 USDC: 1 for gas, 99 across, of which 98.9 arrive; 0.5 for gas there, and the rest becomes WETH. */
export const aBridgedPlan = (): PaymentPlan => ({
  funding: { kind: 'token' },
  deposit: { token: USDC, required_amount: '100000000' },
  legs: [
    {
      chain: 'alphanet',
      input_token: USDC,
      input_amount: '100000000',
      max_input: '100000000',
      fees: [{ kind: 'network', receiver: FEE_RECEIVER, amount: '1000000' }],
      output_token: USDC,
      output_amount: '99000000',
      min_output: '99000000',
      bridge: {
        name: 'intent_escrow',
        adapter: ESCROW,
        delivered_amount: '98900000',
        min_bridged: '98405500',
      },
    },
    {
      chain: 'betanet',
      input_token: BETA_USDC,
      input_amount: '98900000',
      max_input: '103845000',
      fees: [{ kind: 'network', receiver: FEE_RECEIVER, amount: '500000' }],
      output_token: BETA_WETH,
      output_amount: '32800000000000000',
      min_output: '32472000000000000',
    },
  ],
});

const order: Order = {
  wallet: zeroAddress,
  owner: OWNER,
  originChainId: 31_337n,
  inputToken: developmentAddresses.usdc,
  inputAmount: 99_000_000n,
  destinationChainId: 31_338n,
  outputToken: developmentAddresses.usdc,
  recipient: zeroAddress,
  minimum: 98_405_500n,
  nonce: 1n,
  fillDeadline: BigInt(minutesAfter(4).getTime() / 1000),
  expires: BigInt(minutesAfter(20).getTime() / 1000),
  oracle: contractAddresses.oneTimeWalletFactory,
};

export const aTransfer = (overrides: Partial<BridgeTransfer> = {}): BridgeTransfer => ({
  bridge: 'intent_escrow',
  id: ORDER_ID,
  withdrawAccount: 'INTENT',
  details: serializeOrder(order),
  originChain: 'alphanet',
  destinationChain: 'betanet',
  inputToken: USDC,
  outputToken: BETA_USDC,
  amount: 99_000_000n,
  fillDeadline: minutesAfter(4),
  originFromBlock: 900n,
  destinationFromBlock: 7n,
  ...overrides,
});

type Seen<K extends BridgeTransferStatus['kind']> = Extract<BridgeTransferStatus, { kind: K }>;

export const aFill = (overrides: Partial<Seen<'filled'>> = {}): Seen<'filled'> => ({
  kind: 'filled',
  amount: 98_900_000n,
  transactionHash: FILL_HASH,
  blockNumber: 50n,
  blockTimestamp: minutesAfter(3),
  ...overrides,
});

export const aRefund = (overrides: Partial<Seen<'refunded'>> = {}): Seen<'refunded'> => ({
  kind: 'refunded',
  recipient: OWNER,
  amount: 98_000_000n,
  feeReceiver: getAddress(FEE_RECEIVER),
  fee: 1_000_000n,
  transactionHash: pad('0x4ef', { size: 32 }),
  blockNumber: 1_500n,
  blockTimestamp: minutesAfter(6),
  ...overrides,
});

/** Deposit made by the fill. */
export const aDelivery = (overrides: Parameters<typeof aDeposit>[0] = {}) =>
  aDeposit({
    chain: 'betanet',
    token: BETA_USDC,
    amount: 98_900_000n,
    transactionHash: FILL_HASH,
    blockNumber: 50n,
    blockTimestamp: minutesAfter(3),
    ...overrides,
  });

export const aBridgedSettlement = (overrides: Partial<LegSettlement> = {}): LegSettlement =>
  aSettlement({ output: 99_000_000n, ...overrides });

/** 100 USDC on alphanet to WETH on betanet. */
export const aBridgedPayment = (): PaymentBuilder =>
  built({
    quote: aBridgedQuote(),
    plan: aBridgedPlan(),
    decimals: { ...DECIMALS, [BETA_USDC]: 6, [BETA_WETH]: 18 },
    prices: { [BETA_USDC]: '1', [BETA_WETH]: '3000' },
  });

/** A bridge's answer as a change; by default to a question about the current status. */
export const seen =
  (status: BridgeTransferStatus, id: string = ORDER_ID, asked?: TransferStatus) =>
  (payment: PaymentRecord, now: Date): PaymentRecord =>
    transferSeen(
      payment,
      0,
      { id, seen: status, asked: asked ?? payment.legs[0]?.transfer?.status ?? 'OPEN' },
      () => aPolicy,
      now,
    );

/** A payment whose first leg is final and whose transfer is open. */
export function bridging(overrides: Partial<LegSettlement> = {}): PaymentBuilder {
  const settlement = aBridgedSettlement(overrides);
  const transfer = aTransfer({ amount: settlement.output });
  return aBridgedPayment()
    .executing()
    .changed(
      (payment, now) => legBridged(payment, 0, settlement, transfer, HASH, now),
      minutesAfter(3),
    );
}

/** A payment whose transfer is delivered. */
export const delivered = (
  amount = 98_900_000n,
  settlement: Partial<LegSettlement> = {},
): PaymentBuilder =>
  bridging(settlement)
    .changed(seen(aFill({ amount })), minutesAfter(3))
    .deposited(aDelivery({ amount }));

/** A payment whose second leg is final. */
export function paidOut(
  settlement: Partial<LegSettlement> = {},
  first: Partial<LegSettlement> = {},
  arrived = 98_900_000n,
): PaymentBuilder {
  const transactionHash = `0x${'2'.repeat(64)}`;
  return delivered(arrived, first)
    .changed(
      (payment) => legSubmitted(payment, 1, { attempt: 1, nextLookAt: null }),
      minutesAfter(4),
    )
    .changed(
      (payment, now) => legSettled(payment, 1, aPayoutSettlement(settlement), transactionHash, now),
      minutesAfter(5),
    );
}

const aPayoutSettlement = (overrides: Partial<LegSettlement>): LegSettlement =>
  aSettlement({
    input: 98_400_000n,
    fees: [500_000n],
    output: 32_800_000_000_000_000n,
    blockNumber: 60n,
    ...overrides,
  });
